package decode_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/decode"
	"rollcall/ingest/document"
)

func TestTheLastLineDeclaresTheTotal(t *testing.T) {
	t.Parallel()
	csv := decode.Spec{Format: decode.CSV, Total: `^(?:#END |TRAILER,)0*(\d+)\s*$`}
	marked := csv
	marked.EndMarker = "#END"
	grouped := csv
	grouped.Split.Group = document.Texts{"a"}
	fixed := decode.Spec{Format: decode.Fixed, Total: `^9{3}(\d+)`, MinLength: 5, Spans: map[string]decode.Span{"a": {Start: 1, Length: 2}, "b": {Start: 3, Length: 3}}}
	tagged := decode.Spec{Format: decode.Tagged, Total: `^TR\t(\d+)`, Kinds: map[string]decode.Columns{"CA": {{"a", "b"}}}}
	two, five := 2, 5
	cases := []struct {
		name, text string
		spec       decode.Spec
		total      *int
		rows       int
		lines      int
	}{
		{"after a mark", "a,b\n1,2\n3,4\n#END 2\n", csv, &two, 2, 2},
		{"without a line end", "a,b\n1,2\n3,4\nTRAILER,0002", csv, &two, 2, 2},
		{"with as many fields as a row", "a,b\r\n1,2\r\n3,4\r\nTRAILER,5\r\n", csv, &five, 2, 2},
		{"in the line of the end mark", "a,b\n1,2\n3,4\n#END 2\n", marked, &two, 2, 2},
		{"rows are counted as lines, not as records", "a,b\n1,2\n1,4\n#END 2\n", grouped, &two, 1, 2},
		{"missing", "a,b\n1,2\n3,4\n", csv, nil, 2, 2},
		{"not the last line", "a,b\n1,2\n#END 2\n3,4\n", csv, nil, 2, 2},
		{"more than any number", "a,b\n1,2\n#END 99999999999999999999\n", csv, nil, 1, 1},
		{"fixed", "aabbb\nccddd\n9992\n", fixed, &two, 2, 2},
		{"tagged", "CA\t1\t2\nCA\t3\t4\nTR\t5\n", tagged, &five, 2, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, facts, err := read(t, &c.spec, c.text, decode.Limits{}, "a", "b")
			require.NoError(t, err)
			require.Len(t, got, c.rows)
			require.Equal(t, []any{c.total, c.rows, c.lines}, []any{facts.Total, facts.Rows, facts.Lines})
			for _, row := range got {
				require.NotContains(t, row, "!", "no line is a bad row")
			}
		})
	}
}
