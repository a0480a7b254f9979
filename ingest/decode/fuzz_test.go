package decode_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/decode"
	"rollcall/ingest/document"
)

// fuzz feeds a decoder anything, the samples of the shipped sources first: it may find bad rows and errors,
// never panic, never yield more rows than it has bytes, and always the same.
func fuzz(f *testing.F, samples string, s *decode.Spec, paths ...string) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("..", "sources", "*", "samples", samples))
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Add("")
	f.Add("\xff\xfea\x00")
	f.Fuzz(func(t *testing.T, text string) {
		limits := decode.Limits{Row: 4096, Nodes: 5000}
		first, _, err1 := read(t, s, text, limits, paths...)
		second, _, err2 := read(t, s, text, limits, paths...)
		require.Equal(t, first, second)
		require.Equal(t, err1 == nil, err2 == nil)
		require.LessOrEqual(t, len(first), len(text)+1)
	})
}

func FuzzCSV(f *testing.F) {
	f.Add("\"a\",b\n\"1\n\xff\x00,\"\"\"\n")
	fuzz(f, "*.csv", &decode.Spec{Format: decode.CSV}, "charges", "b")
}

func FuzzTSV(f *testing.F) {
	f.Add("a\tb\n1\t\n")
	fuzz(f, "*.txt", &decode.Spec{Format: decode.TSV, Split: decode.Split{Begin: "a", Section: "b"}}, "a", "b")
}

func FuzzFixed(f *testing.F) {
	fuzz(f, "offenders*.txt", &decode.Spec{Format: decode.Fixed, Charset: "latin1", EndMarker: "#", Spans: map[string]decode.Span{"a": {Start: 1, Length: 3}, "b": {Start: 9, Length: 18}}}, "a", "b")
}

func FuzzTagged(f *testing.F) {
	fuzz(f, "delta.txt", &decode.Spec{Format: decode.Tagged, Kinds: map[string]decode.Columns{"CA": {{"a", "-", "b"}}, "DE": {{"a"}}}}, "a", "b")
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"r":[{"a":"{\"b\":[[1]]}"}]}`)
	fuzz(f, "*.json", &decode.Spec{Format: decode.JSON, Rows: document.Texts{"r", "data", "records"}, Embedded: []string{"a", "detailsJson"}, Total: "totalCount"}, "a.b", "detailsJson.charges.0.description", "name")
}

func FuzzJSONLines(f *testing.F) {
	f.Add("{\"a\":1}\n[2]\n")
	fuzz(f, "*.json", &decode.Spec{Format: decode.JSON, Lines: true}, "a", "0")
}

func FuzzHTML(f *testing.F) {
	f.Add("<table><tr><td>A<td>B<tr><td colspan=9>x<td>y</table><div>")
	fuzz(f, "*.html", &decode.Spec{Format: decode.HTML, Rows: document.Texts{"table", "div"}, Total: "h1 + p", Split: decode.Split{Group: document.Texts{"Name"}, Blank: "same"}},
		"Name", "label:Booked", "raw:td", "a@href", "outer.title")
}

func FuzzXML(f *testing.F) {
	f.Add(`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>`)
	fuzz(f, "*.xml", &decode.Spec{Format: decode.XML, Rows: document.Texts{"//Inmate", "/*"}, Total: "/*/@count"}, "Name/Last", "@a", "outer./*/@b")
}

func FuzzOpen(f *testing.F) {
	packed := gzipped(f, "a,b\n1,2\n")
	f.Add(packed)
	f.Add(zipped(f, map[string]string{"a.csv": "a,b\n", "__MACOSX/._a.csv": "\x00"}))
	f.Add(packed[:len(packed)-4])
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 1 << 16
		total := int64(0)
		_ = decode.Open("x", bytes.NewReader(data), limit, func(_ string, _ bool, r io.Reader) error {
			n, err := io.Copy(io.Discard, r)
			total += n
			return err
		})
		require.LessOrEqual(t, total, int64(limit))
	})
}

// FuzzCharset reads text of every character set that a source may name.
func FuzzCharset(f *testing.F) {
	f.Add("a,b\n\xd1,\x93\n", "iso-8859-1")
	f.Add("\xff\xfea\x00,\x00b\x00\n\x00", "utf-16le")
	f.Fuzz(func(t *testing.T, text, charset string) {
		s := &decode.Spec{Format: decode.CSV, Charset: charset}
		var problems document.Problems
		if s.Check("decode", &problems); problems.Err() != nil {
			return
		}
		got, _, _ := read(t, s, text, decode.Limits{Row: 4096}, "a", "b")
		require.LessOrEqual(t, len(got), strings.Count(text, "\n")+len(text)+1)
	})
}
