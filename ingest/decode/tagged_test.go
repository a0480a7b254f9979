package decode_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"rollcall/ingest/decode"
	"rollcall/ingest/document"
)

func TestARecordHasTheColumnsOfItsLength(t *testing.T) {
	t.Parallel()
	s := &decode.Spec{Format: decode.Tagged, Kinds: map[string]decode.Columns{
		"CA": {{"a", "b", "c", "d", "e"}, {"c", "b", "a"}}, "DE": {{"a"}},
	}}
	for line, want := range map[string]string{
		"CA\t1\t2\t3\t4\t5\t\n":     "1 2 3",
		"CA\t1\t2\t3\t4\t5\n":       "1 2 3",
		"CA\t1\t2\t3\t\n":           "3 2 1",
		"CA\t1\t2\t3\n":             "3 2 1",
		"CA\t1\t2\t \t\n":           "  2 1",
		"CA\t1\t2\n":                "1 2 -", // of no list's length: the first
		"CA\t1\t2\t3\t4\t5\t\t\t\n": "1 2 3",
		"CA\n":                      "- - -",
		"DE\t7\t\n":                 "7 - -",
		"CA\t1\t2\t3\t4\t5\t6\n":    "has values beyond the 5 columns of kind CA",
		"CH\t1\n":                   `record kind "CH" is not one of CA, DE`,
		"CA|1|2\n":                  `record kind "CA|1|2" is not one of CA, DE; the line has no tab, which separates the fields of format tagged`,
	} {
		var got []string
		require.NoError(t, s.Each(strings.NewReader(line), decode.Limits{}, &decode.Facts{}, func(r *decode.Record) error {
			if r.Bad != "" {
				got = append(got, r.Bad)
				return nil
			}
			for _, column := range []string{"a", "b", "c"} {
				v, ok := r.Value(column)
				if !ok {
					v = "-"
				}
				got = append(got, v)
			}
			return nil
		}))
		require.Equal(t, want, strings.Join(got, " "), "%q", line)
	}
}

func TestListsOfColumnsThatALengthDoesNotTellApartAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{format: tagged, kinds: {CA: [a, b]}}":                   "",
		"{format: tagged, kinds: {CA: [[a, b], [a, b, c, d]]}}":   "",
		"{format: tagged, kinds: {CA: [[a, b], [b, a]]}}":         "decode.kinds.CA[1]: has 2 columns and list 0 has 2: their lengths must differ by at least two",
		"{format: tagged, kinds: {CA: [[a, b, c], [a], [a, b]]}}": "decode.kinds.CA[2]: has 2 columns and list 0 has 3: their lengths must differ by at least two",
		"{format: tagged, kinds: {CA: {a: b}}}":                   "decode.kinds.CA: want a list",
	} {
		var s decode.Spec
		var node yaml.Node
		require.NoError(t, yaml.Unmarshal([]byte(text), &node))
		var problems document.Problems
		document.Value("decode", node.Content[0], &s, &problems)
		if len(problems) == 0 {
			s.Check("decode", &problems)
		}
		if want == "" {
			require.Empty(t, problems, text)
			continue
		}
		require.ErrorContains(t, problems, want)
	}
}
