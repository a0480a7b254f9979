package page

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShoutedWordsAreWrittenAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/casing.json")
	require.NoError(t, err)
	var cases []struct{ Kind, From, Want string }
	require.NoError(t, json.Unmarshal(raw, &cases))
	rules := map[string]func(string) string{"words": Calm, "name": CalmName, "term": CalmTerm}
	for _, c := range cases {
		got := rules[c.Kind](c.From)
		require.Equal(t, c.Want, got, "%s %q", c.Kind, c.From)
		require.Equal(t, got, rules[c.Kind](got), "once more changes nothing")
	}
	require.Equal(t, `<span title="A &lt;B&gt; THEFT">A &lt;B&gt; theft</span>`, string(calmed("A <B> THEFT")))
	require.Equal(t, `&lt;b&gt;`, string(calmedName("<b>")))
	require.Equal(t, "<bdi>\u05d0\u05d1</bdi>", string(calmedName("\u05d0\u05d1")), "it turns nothing around that follows it")
}

func TestBothRulesKnowTheSameWords(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../static/casing.js")
	require.NoError(t, err)
	joined := strings.NewReplacer("\" +\n  \"", "", "=\n  \"", "= \"").Replace(string(script)) // a list of two lines
	for name, words := range map[string]string{
		"abbreviations": abbreviations, "placeNames": placeNames, "placeWords": placeWords, "noPlace": noPlace, "letterNames": letterNames, "nameSuffixes": nameSuffixes,
	} {
		require.Contains(t, joined, "const "+name+" = \""+words+"\";")
	}
}
