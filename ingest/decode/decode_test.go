package decode_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/decode"
	"rollcall/ingest/document"
)

// read gives each record as "line: kind a|b", bad ones as "line! reason".
func read(t *testing.T, s *decode.Spec, text string, limits decode.Limits, paths ...string) ([]string, decode.Facts, error) {
	t.Helper()
	var got []string
	var facts decode.Facts
	err := s.Each(strings.NewReader(text), limits, &facts, func(r *decode.Record) error {
		if r.Bad != "" {
			got = append(got, fmt.Sprintf("%d! %s", r.Line, r.Bad))
			return nil
		}
		values := make([]string, len(paths))
		for i, p := range paths {
			values[i], _ = r.Value(p)
		}
		got = append(got, fmt.Sprintf("%d: %s%s", r.Line, r.Kind, strings.Join(values, "|")))
		return nil
	})
	return got, facts, err
}

func TestSeparated(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, text string
		want       []string
	}{
		{"line ends of both kinds and no end at all", "a,b\r\n1,2\n3,4", []string{"2: 1|2", "3: 3|4"}},
		{"quotes, doubled quotes, commas and line ends within", "a,b\n\"x \"\"y\"\" z\",\"1,\n2\"\n3,4\n", []string{"2: x \"y\" z|1,\n2", "4: 3|4"}},
		{"a quote in the middle of a field is a quote", "a,b\nJANE \"JJ\" DOE,2\n\"JOHN \"JJ\" DOE\",3\n", []string{"2: JANE \"JJ\" DOE|2", "3: JOHN \"JJ\" DOE|3"}},
		{"a quote that is never closed costs its own line", "a,b\n\"1,2\n3,4\n5,6\n", []string{"2! a quote is not closed", "3: 3|4", "4: 5|6"}},
		{"a quote closed by another row's costs its own line", "a,b\n\"1,2\n3,4\n\"5\",6\n7,8\n", []string{"2! a quote is not closed in its line", "3: 3|4", "4: 5|6", "5: 7|8"}},
		{"too few and too many fields", "a,b\n1\n1,2,3\n4,5\n", []string{"2! has 1 field, the header has 2", "3! has 3 fields, the header has 2", "4: 4|5"}},
		{"columns in another order, a byte order mark, blank lines", "\ufeffb,a\n\n2,1\n\n", []string{"3: 1|2"}},
		{"an empty last field", "a,b\n1,\n", []string{"2: 1|"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, _, err := read(t, &decode.Spec{Format: decode.CSV}, c.text, decode.Limits{}, "a", "b")
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestCSVOfACountyOfItsOwn(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		spec decode.Spec
		text string
		want []string
	}{
		{"fields between bars", decode.Spec{Separator: "|"}, "a|b\n1,2|\"x|y\"\n3|4|5\n", []string{"2: 1,2|x|y", "3! has 3 fields, the header has 2"}},
		{"a title and a date above the header", decode.Spec{Separator: ";", Above: 2}, "Inmates in custody\r\n\"as of; 6:00\r\na;b\r\n1;2\r\n", []string{"4: 1|2"}},
		{"a title and no header", decode.Spec{Headless: true, Columns: []string{"a", "b"}, Above: 1}, "Inmates\n1,2\n", []string{"2: 1|2"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.spec.Format = decode.CSV
			got, _, err := read(t, &c.spec, c.text, decode.Limits{}, "a", "b")
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	_, _, err := read(t, &decode.Spec{Format: decode.CSV, Above: 2}, "Inmates\n", decode.Limits{})
	require.EqualError(t, err, "the file is empty, not even a header")
	for text, says := range map[string]string{
		"{format: csv, separator: ', '}": `decode.separator: ", " is not one character between the fields of format csv`,
		"{format: csv, separator: '\"'}": `decode.separator: "\"" is not one character between the fields of format csv`,
		"{format: tsv, separator: '|'}":  `decode.separator: "|" is not one character between the fields of format csv`,
		"{format: json, above: 1}":       `decode.above: counts the lines above the header of format csv or tsv`,
		"{format: csv, above: -1}":       `decode.above: counts the lines above the header of format csv or tsv`,
	} {
		var d struct {
			Decode decode.Spec `yaml:"decode"`
		}
		require.NoError(t, document.Read([]byte("decode: "+text), &d))
		var problems document.Problems
		d.Decode.Check("decode", &problems)
		require.EqualError(t, problems.Err(), says)
	}
}

func TestALineBeyondTheLimitIsOneBadRow(t *testing.T) {
	t.Parallel()
	for _, format := range []decode.Format{decode.CSV, decode.TSV} {
		comma := map[decode.Format]string{decode.CSV: ",", decode.TSV: "\t"}[format]
		text := "a" + comma + "b\n" + strings.Repeat("x", 3<<20) + "\n1" + comma + "2\n"
		got, _, err := read(t, &decode.Spec{Format: format}, text, decode.Limits{Row: 1 << 16}, "a", "b")
		require.NoError(t, err)
		require.Equal(t, []string{"2! is longer than 65536 bytes", "3: 1|2"}, got)
	}
}

func TestAHeaderThatLacksColumnsIsRefused(t *testing.T) {
	t.Parallel()
	_, _, err := read(t, &decode.Spec{Format: decode.CSV, Columns: []string{"a", "b", "c"}}, "a,x\n1,2\n", decode.Limits{})
	require.EqualError(t, err, "the header lacks the columns b, c")
}

func TestJSON(t *testing.T) {
	t.Parallel()
	s := &decode.Spec{Format: decode.JSON, Embedded: []string{"inner"}, Rows: document.Texts{"Inmates", "Records"}, Total: "total", Errors: []decode.ErrorMark{{Path: "error"}}}
	got, facts, err := read(t, s, `{"total": 3, "error": "", "Records": [{"a": 1, "b": {"c": "x"}}, 7, {"a": null, "inner": "{\"c\":\"y\"}"}]}`, decode.Limits{}, "a", "b.c", "inner.c")
	require.NoError(t, err)
	require.Equal(t, []string{"1: 1|x|", "2! is no JSON object", "3: ||y"}, got)
	require.Equal(t, 3, *facts.Total)

	_, _, err = read(t, s, `{"error": "session expired", "Records": []}`, decode.Limits{})
	require.ErrorIs(t, err, decode.ErrRefused)
	_, _, err = read(t, s, strings.Repeat("[", 100_000), decode.Limits{})
	require.EqualError(t, err, "is nested deeper than 64")
	_, _, err = read(t, s, `{"Records": [`, decode.Limits{})
	require.EqualError(t, err, "is no valid JSON")
}

func TestFixedCountsCharactersAndTellsCutLines(t *testing.T) {
	t.Parallel()
	s := &decode.Spec{Format: decode.Fixed, Charset: "iso-8859-1", MinLength: 4, Spans: map[string]decode.Span{"a": {1, 3}, "b": {4, 3}}}
	got, _, err := read(t, s, "PE\xd1XYZ\r\nABCD\nAB\n", decode.Limits{}, "a", "b")
	require.NoError(t, err)
	require.Equal(t, []string{"1: PEÑ|XYZ", "2: ABC|D", "3! has 2 characters, at least 4 are needed"}, got)
}

func TestRowsOfOneKeyAreOneRecord(t *testing.T) {
	t.Parallel()
	s := &decode.Spec{Format: decode.CSV, Split: decode.Split{Group: document.Texts{"a"}, Blank: "same"}}
	var rows []int
	err := s.Each(strings.NewReader("a,b\n1,x\n1,y\n,z\n2,x\n"), decode.Limits{}, &decode.Facts{}, func(r *decode.Record) error {
		rows = append(rows, len(r.Rows(decode.GroupRows)))
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, []int{3, 1}, rows)
}

func TestOpenUnpacksAndStopsBombs(t *testing.T) {
	t.Parallel()
	var gz, zipped bytes.Buffer
	g := gzip.NewWriter(&gz)
	_, err := g.Write(make([]byte, 1<<20))
	require.NoError(t, err)
	require.NoError(t, g.Close())
	z := zip.NewWriter(&zipped)
	w, err := z.Create("inner.csv")
	require.NoError(t, err)
	_, err = w.Write([]byte("a,b\n"))
	require.NoError(t, err)
	require.NoError(t, z.Close())

	var names []string
	drain := func(name string, _ bool, r io.Reader) error {
		names = append(names, name)
		_, err := io.Copy(io.Discard, r)
		return err
	}
	require.NoError(t, decode.Open("x.zip", bytes.NewReader(zipped.Bytes()), 1000, drain))
	require.NoError(t, decode.Open("y.csv.gz", bytes.NewReader(gz.Bytes()), 2<<20, drain))
	require.Equal(t, []string{"inner.csv", "y.csv"}, names)
	require.ErrorIs(t, decode.Open("y.csv.gz", bytes.NewReader(gz.Bytes()), 1000, drain), decode.ErrTooLarge)
}

func BenchmarkCSV(b *testing.B) {
	var text strings.Builder
	text.WriteString("a,b,c,d,e\n")
	for range 10_000 {
		text.WriteString("QUILLFEATHER,MARLOWE,2026-01-05 10:00,\"BATTERY, SIMPLE\",$500.00\n")
	}
	s := &decode.Spec{Format: decode.CSV}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if err := s.Each(strings.NewReader(text.String()), decode.Limits{}, &decode.Facts{}, func(*decode.Record) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
