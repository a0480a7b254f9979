package decode_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/decode"
	"rollcall/ingest/document"
)

func gzipped(tb testing.TB, text string) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	require.NoError(tb, err)
	require.NoError(tb, z.Close())
	return b.Bytes()
}

func zipped(tb testing.TB, files map[string]string) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		require.NoError(tb, err)
		_, err = io.WriteString(w, text)
		require.NoError(tb, err)
	}
	require.NoError(tb, z.Close())
	return b.Bytes()
}

// endless gives one letter so many times.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range n {
		p[i] = 'x'
	}
	e.left -= n
	return n, nil
}

func TestALineOf100MegabytesIsOneBadRowAndCostsNoMemory(t *testing.T) { //nolint:paralleltest // it looks at the memory of the process
	for _, s := range []*decode.Spec{
		{Format: decode.CSV},
		{Format: decode.TSV},
		{Format: decode.JSON, Lines: true},
		{Format: decode.Fixed, Spans: map[string]decode.Span{"a": {Start: 1, Length: 3}}},
		{Format: decode.Tagged, Kinds: map[string]decode.Columns{"CA": {{"a"}}}},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var bad []string
		text := io.MultiReader(strings.NewReader("a,b\n"), &endless{100 << 20}, strings.NewReader("\n"))
		err := s.Each(text, decode.Limits{}, &decode.Facts{}, func(r *decode.Record) error {
			if r.Bad != "" {
				bad = append(bad, r.Bad)
				require.LessOrEqual(t, len(r.Raw()), 1<<20)
			}
			return nil
		})
		require.NoError(t, err)
		require.Contains(t, bad, "is longer than 1048576 bytes", s.Format)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20), s.Format)
	}
}

func TestZipBombsEndAtTheLimit(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"one.csv", "two.csv"} { // the limit is of all files together
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = io.Copy(w, &endless{8 << 20})
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.Less(t, b.Len(), 64<<10)
	var read int64
	err := decode.Open("x.zip", bytes.NewReader(b.Bytes()), 12<<20, func(_ string, _ bool, r io.Reader) error {
		n, err := io.Copy(io.Discard, r)
		read += n
		return err
	})
	require.ErrorIs(t, err, decode.ErrTooLarge)
	require.LessOrEqual(t, read, int64(12<<20))

	var crowd bytes.Buffer
	many := zip.NewWriter(&crowd)
	for range 10_001 {
		_, err := many.Create("x")
		require.NoError(t, err)
	}
	require.NoError(t, many.Close())
	err = decode.Open("x.zip", bytes.NewReader(crowd.Bytes()), 1<<20, func(string, bool, io.Reader) error { return nil })
	require.ErrorIs(t, err, decode.ErrTooLarge)
}

func TestWhatAMacAddsToAnArchiveIsLeftOut(t *testing.T) {
	t.Parallel()
	data := zipped(t, map[string]string{"a.csv": "a,b\n", "__MACOSX/._a.csv": "\x00"})
	var names []string
	require.NoError(t, decode.Open("x.zip", bytes.NewReader(data), 1000, func(name string, _ bool, _ io.Reader) error {
		names = append(names, name)
		return nil
	}))
	require.Equal(t, []string{"a.csv"}, names)
}

func TestHostilePagesAreRefusedWithAReason(t *testing.T) {
	t.Parallel()
	xml := &decode.Spec{Format: decode.XML, Rows: document.Texts{"//r"}}
	html := &decode.Spec{Format: decode.HTML, Rows: document.Texts{"div"}}
	json := &decode.Spec{Format: decode.JSON, Embedded: []string{"a"}}
	small := decode.Limits{Page: 1 << 20, Nodes: 1000}
	deep := strings.Repeat("[", 100_000)
	cases := []struct {
		name string
		spec *decode.Spec
		text string
		says string
	}{
		{"an external entity", xml, `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r>&e;</r>`, "a document type declaration is not accepted"},
		{"a bomb of entities", xml, `<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><r>&b;</r>`, "a document type declaration is not accepted"},
		{"an entity that nobody declared", xml, `<r>&e;</r>`, "invalid character entity"},
		{"XML as deep as a well", xml, strings.Repeat("<r>", 1000), "is nested deeper than 64"},
		{"XML of too many elements", xml, "<a>" + strings.Repeat("<r/>", 2000) + "</a>", "more than 1000 elements"},
		{"XML of another character set than it says", xml, "<r>\xd1</r>", "invalid UTF-8"},
		{"HTML as deep as a well", html, strings.Repeat("<div>", 900), "read HTML"},
		{"HTML of too many elements", html, strings.Repeat("<br>", 2000), "more than 1000 elements"},
		{"a page beyond its limit", json, `["` + strings.Repeat("x", 2<<20) + `"]`, "more than 1048576 bytes"},
		{"JSON as deep as a well", json, deep, "is nested deeper than 64"},
		{"a spreadsheet in UTF-16", &decode.Spec{Format: decode.CSV}, "\xff\xfea\x00", "set decode.charset to utf-16le"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := read(t, c.spec, c.text, small)
			require.ErrorContains(t, err, c.says)
		})
	}
	got, _, err := read(t, json, `[{"a":"`+deep+`"},{"a":"{\"b\":1}"}]`, small, "a.b")
	require.NoError(t, err)
	require.Equal(t, []string{"1! a is nested deeper than 64", "2: 1"}, got, "a text in a row costs its row")
}
