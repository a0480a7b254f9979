package jsontext_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/jsontext"
)

func TestAppend(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      `""`,
		"O'BRIEN, ANN":          `"O'BRIEN, ANN"`,
		`say "A\B"`:             `"say \"A\\B\""`,
		"a\nb\rc\td":            `"a\nb\rc\td"`,
		"bell \a, escape \x1b":  `"bell \u0007, escape \u001b"`,
		"É, 李, 😀":               `"É, 李, 😀"`,
		"<b> & </b>":            `"<b> & </b>"`,
		"broken \xff\xc3 bytes": "\"broken \ufffd\ufffd bytes\"",
	} {
		require.Equal(t, want, string(jsontext.Append(nil, text)), "%q", text)
	}
	require.Equal(t, `x="y"`, string(jsontext.Append([]byte("x="), "y")), "it appends")
}

// FuzzAppend compares with encoding/json: both texts must mean the same string.
func FuzzAppend(f *testing.F) {
	for _, seed := range []string{"", "plain", `"\`, "\x00\x1f\x7f", "É\u2028\ufffd", "\xff\xed\xa0\x80", "<&>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ours := jsontext.Append(nil, s)
		require.True(t, json.Valid(ours), "%q", ours)
		theirs, err := json.Marshal(s)
		require.NoError(t, err)
		var got, want string
		require.NoError(t, json.Unmarshal(ours, &got))
		require.NoError(t, json.Unmarshal(theirs, &want))
		require.Equal(t, want, got)
	})
}
