package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"rollcall/ingest/document"
)

// separate reads a CSV and returns how many bytes were looked at, and how many rows are bad.
func separate(t *testing.T, text string) (looked, rows, bad int) {
	t.Helper()
	p := &separated{lines: newLines(strings.NewReader(text), 1<<20), comma: ',', quotes: true, want: 3}
	for {
		_, _, wrong, err := p.next()
		if errors.Is(err, io.EOF) {
			return p.looked, rows, bad
		}
		require.NoError(t, err)
		if rows++; wrong != "" {
			bad++
		}
	}
}

func TestQuotesThatAreNotClosedAreLookedForABoundedNumberOfTimes(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]string{
		"a quote opens each row":   "\"a,b,c\n",
		"an inch mark":             "a,\" 5,c\n",
		"a quote closes far below": strings.Repeat("\"a,b,c\n", 5_000) + ",\",\n",
	} {
		text := strings.Repeat(row, 700_000/len(row))
		looked, rows, bad := separate(t, text)
		require.Less(t, looked, (maxSlips+2)*len(text), name)
		require.Equal(t, strings.Count(text, "\n"), rows, name)
		require.Greater(t, bad, rows*9/10, name)
		twice, _, _ := separate(t, text+text)
		require.Less(t, twice, looked+(maxSlips+2)*(1<<20), "%s: the second half costs no more than the first", name)
	}
}

// trickle returns a text in small pieces, as a network does.
type trickle struct{ r io.Reader }

func (s trickle) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), 512)]) }

func TestALongRowIsLookedAtOnceHoweverItArrives(t *testing.T) {
	t.Parallel()
	text := "a,\"" + strings.Repeat("line \"\" of a note\n", 20_000) + "\",c\n" + "a,\"b\"\"\",c"
	p := &separated{lines: newLines(trickle{strings.NewReader(text)}, 1<<20), comma: ',', quotes: true, want: 3}
	for range 2 {
		fields, _, bad, err := p.next()
		require.NoError(t, err)
		require.Empty(t, bad)
		require.Len(t, fields, 3)
	}
	require.LessOrEqual(t, p.looked, len(text))
}

func TestFieldsSpanLinesUntilTooManyQuotesAreOpen(t *testing.T) {
	t.Parallel()
	note := "a,\"two\nlines\",c\n"
	_, rows, bad := separate(t, strings.Repeat("\"x,b,c\n", 3)+note)
	require.Equal(t, []int{4, 3}, []int{rows, bad})
	_, rows, bad = separate(t, strings.Repeat("\"x,b,c\n", maxSlips)+note)
	require.Equal(t, []int{maxSlips + 2, maxSlips + 1}, []int{rows, bad}, "the note is two lines, the second of which is no row")
}

// asked counts what is asked of fields.
type asked struct{ n int }

func (a *asked) Value(string) (string, bool) { a.n++; return "", false }
func (a *asked) Null(string) bool            { a.n++; return false }
func (a *asked) Rows(string) []Fields        { a.n++; return nil }
func (a *asked) Raw() string                 { return "" }

func TestWhatStandsAroundRowsIsReadOnce(t *testing.T) {
	t.Parallel()
	around := &asked{}
	doc := &xmlDoc{outer: remember(around)}
	page := &htmlPage{outer: remember(around)}
	rows := []Fields{&xmlRow{doc: doc}, &htmlRow{page: page}, jsonRow{page: remember(around)}, nested{plain(""), remember(around)}}
	for range 1000 {
		for _, row := range rows {
			_, ok := row.Value("outer.//nowhere")
			require.False(t, ok)
			require.Empty(t, row.Rows("outer.h1"))
		}
	}
	require.Equal(t, 2*len(rows), around.n)
}

// decodes returns how a document of one form ends.
func decodes(t *testing.T, spec, text string, limits Limits) (rows int, err error) {
	t.Helper()
	var s Spec
	var node yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(spec), &node))
	var problems document.Problems
	document.Value("decode", node.Content[0], &s, &problems)
	require.NoError(t, problems.Err())
	err = s.Each(bytes.NewReader([]byte(text)), limits, &Facts{Keys: &Keys{Labels: []string{"label:Cell 1"}}}, func(*Record) error { rows++; return nil })
	return rows, err
}

func TestADocumentOfBadRowsEndsWithAReason(t *testing.T) {
	t.Parallel()
	rows, err := decodes(t, "{format: csv}", "a,b,c\n"+strings.Repeat("\"x,b,c\n", 20_000), Limits{})
	require.ErrorIs(t, err, ErrUnreadable)
	require.ErrorContains(t, err, "10001 rows one after the other; of the last: a quote is not closed")
	require.Equal(t, 10_000, rows)
	rows, err = decodes(t, "{format: csv}", "a,b,c\n"+strings.Repeat("x,b\nx,b,c\n", 20_000), Limits{Bad: 100})
	require.NoError(t, err)
	require.Equal(t, 40_000, rows)
}

func TestPagesThatCostMoreThanTheyHoldAreRefused(t *testing.T) {
	t.Parallel()
	var formats strings.Builder
	for i := range 400 {
		fmt.Fprintf(&formats, "<b id=%d>", i)
	}
	for name, page := range map[string]string{
		"formats that are opened again in each block": formats.String() + strings.Repeat("<p>x", 50_000),
		"attributes of a page that is opened again":   strings.Repeat("<body a1 b2 c3 d4 e5>", 20_000),
		"depth": strings.Repeat("<div>", 100_000),
	} {
		_, err := decodes(t, "{format: html, rows: p}", page, Limits{})
		require.Error(t, err, name)
	}
	deep := strings.Repeat("[", 100_000)
	_, err := decodes(t, "{format: json}", deep, Limits{})
	require.ErrorContains(t, err, "nested deeper")
	rows, err := decodes(t, "{format: html, rows: tr}", "<table><tr>"+strings.Repeat("<td>Cell 1:</td><td>x</td>", 8_000)+"</tr></table>", Limits{})
	require.NoError(t, err)
	require.Equal(t, 1, rows)
	rows, err = decodes(t, "{format: html, rows: p}", "<p"+strings.Repeat(" a", 300_000)+">x</p><b><i><p>y</p></i></b>", Limits{})
	require.NoError(t, err)
	require.Equal(t, 2, rows)
}
