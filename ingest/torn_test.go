package ingest_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/internal/race"
	"rollcall/models/source"
)

// torn is a roster without any word on its end; the bond stands last.
const torn = `id: torn
title: A list without an end
kind: roster
county: clarke
publish: {policy: full_roster, absence: released}
decode: {format: csv}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: [2006-01-02]}, bond: bond}
  person: {name: name, dob: {from: dob, layouts: [01/02/2006]}}
identity:
  booking: [{of: [booking.number], strength: source}]
`

// tornShapes are the same list in formats of which a half may look whole.
var tornShapes = map[string]struct{ decode, text string }{
	"csv":                          {"{format: csv}", "id,name,booked,dob,bond\nK1,\"MOONSAIL, ORLA\",2026-03-01,02/03/1986,$1500\nK2,\"O'BRANNIGAN, WREN\",2026-03-02,11/30/1979,$50000\n"},
	"csv in another character set": {"{format: csv, charset: utf-16le}", string(utf16le("id,name,booked,dob,bond\nK1,\"MOONSAIL, ORLA\",2026-03-01,02/03/1986,$1500\nK2,\"O'BRANNIGAN, WREN\",2026-03-02,11/30/1979,$50000\n"))},
	"tsv":                          {"{format: tsv}", "id\tname\tbooked\tdob\tbond\nK1\tMOONSAIL, ORLA\t2026-03-01\t02/03/1986\t$1500\nK2\tO'BRANNIGAN, WREN\t2026-03-02\t11/30/1979\t$50000\n"},
	"fixed":                        {"{format: fixed, spans: {id: '1,4', name: '5,20', booked: '25,12', dob: '37,12', bond: '49,10'}}", "K1  MOONSAIL, ORLA      2026-03-01  02/03/1986  $1500     \nK2  O'BRANNIGAN, WREN   2026-03-02  11/30/1979  $50000\n"},
	"tagged":                       {"{format: tagged, kinds: {P: [id, name, booked, dob, bond]}}", "P\tK1\tMOONSAIL, ORLA\t2026-03-01\t02/03/1986\t$1500\t\nP\tK2\tO'BRANNIGAN, WREN\t2026-03-02\t11/30/1979\t$50000\n"},
	"a table": {"{format: html, rows: table}", "<html><body><h1>Inmates</h1><table><tr><th>id</th><th>name</th><th>booked</th><th>dob</th><th>bond</th></tr>" +
		"<tr><td>K1</td><td>MOONSAIL, ORLA</td><td>2026-03-01</td><td>02/03/1986</td><td>$1500</td></tr>\n" +
		"<tr><td>K2</td><td>O'BRANNIGAN, WREN</td><td>2026-03-02</td><td>11/30/1979</td><td>$50000</td></tr></table><script>var a = '<b'</script></body></html>"},
	"a table whose rows and cells are not closed": {"{format: html, rows: table}", "<table><tr><th>id<th>name<th>booked<th>dob<th>bond" +
		"<tr><td>K1<td>MOONSAIL, ORLA<td>2026-03-01<td>02/03/1986<td>$1500\n<tr><td>K2<td>O'BRANNIGAN, WREN<td>2026-03-02<td>11/30/1979<td>$50000</table>"},
	"a table with rows that belong together": {"{format: html, rows: table, split: {group: id, blank: same}}", "<table><tr><th>id</th><th>name</th><th>booked</th><th>dob</th><th>bond</th></tr>" +
		"<tr><td>K1</td><td>MOONSAIL, ORLA</td><td>2026-03-01</td></tr><tr><td></td><td></td><td></td><td>02/03/1986</td></tr><tr><td></td><td></td><td></td><td></td><td>$1500</td></tr></table>"},
}

func utf16le(text string) (out []byte) {
	for i := range len(text) {
		out = append(out, text[i], 0)
	}
	return out
}

func tornSource(t *testing.T, decode string) *ingest.Source {
	t.Helper()
	s, err := ingest.Parse([]byte(strings.Replace(torn, "{format: csv}", decode, 1)))
	require.NoError(t, err)
	return s
}

// wholeRows asserts that every row of every beginning of a document is one of the whole document, as the whole tells it.
// It gives how many cuts left a row to quarantine.
func wholeRows(t *testing.T, s *ingest.Source, name, text string, skip func(cut int) bool) (bad int) {
	t.Helper()
	said := func(text string) (rows []string, bad int) {
		p, err := s.Preview(name, []byte(text), someCounties(), seen)
		if err != nil {
			return nil, 0 // nothing of it is taken
		}
		for _, row := range p.Rows {
			delete(row, "row")
			rows = append(rows, fmt.Sprint(row))
		}
		return rows, len(p.Bad)
	}
	whole, _ := said(text)
	for cut := range len(text) {
		if skip(cut) {
			continue
		}
		rows, n := said(text[:cut])
		if n > 0 {
			bad++
		}
		for _, row := range rows {
			require.Contains(t, whole, row, "cut at %d: ...%s", cut, text[max(0, cut-60):cut])
		}
	}
	return bad
}

func TestGuarantee4HalfARowIsNeverTaken(t *testing.T) {
	t.Parallel()
	for name, shape := range tornShapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := tornSource(t, shape.decode)
			p, err := s.Preview("list", []byte(shape.text), someCounties(), seen)
			require.NoError(t, err)
			require.Empty(t, p.Bad, "the whole document is taken")
			require.NotEmpty(t, p.Rows)
			require.Positive(t, wholeRows(t, s, "list", shape.text, func(int) bool { return false }))
		})
	}
}

// TestGuarantee4HalfARowOfAShippedSourceIsNeverTaken cuts the samples as files whose transport vouches for nothing. Rows of
// text that make one record together show no end of it: between lines it can not be seen that others are missing.
func TestGuarantee4HalfARowOfAShippedSourceIsNeverTaken(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("sources", "*", "samples", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	tail := 1500
	if race.On {
		tail = 150
	}
	for _, file := range files {
		id := strings.Split(file, string(filepath.Separator))[1]
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			s, err := ingest.Load(id)
			require.NoError(t, err)
			s.Transport.Kind = "folder"
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			first := max(0, len(text)-tail)
			wholeRows(t, s, filepath.Base(file), string(text), func(cut int) bool {
				return cut < first || s.Decode.Format.Lined() && s.Decode.Split.Splits() && cut > 0 && text[cut-1] == '\n'
			})
		})
	}
}

func TestGuarantee4AFileCutWithinItsLastRowChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := tornSource(t, "{format: csv}")
	whole := tornShapes["csv"].text
	require.Equal(t, source.RunOK, b.runSource(s, "list.csv", whole, b.now).State)
	for i, cut := range []int{1, 3, 6} { // $50000 without its line break, $500, $ alone
		b.now = b.now.Add(time.Hour)
		r := b.runSource(s, "list.csv", whole[:len(whole)-cut], b.now)
		require.Equal(t, []any{source.RunPartial, false, 1, 0, 0}, []any{r.State, r.Complete, r.Quarantined, r.Changed, r.Closed}, "%d: %s", i, r)
		require.Equal(t, map[string]int{"the document ends within this row, which may be cut off; if whole documents of this source end so, say decode.ends_unterminated: true": 1}, r.Reasons)
	}
	require.Zero(t, one[int](b, `select count(*) from changes where kind = 'bond_change'`))
	require.Equal(t, []int64{5000000}, []int64{one[int64](b, `select bond_cents from bookings where name like 'O''BR%'`)})
	b.now = b.now.Add(time.Hour)
	s = tornSource(t, "{format: csv, ends_unterminated: true}")
	r := b.runSource(s, "list.csv", strings.TrimSuffix(strings.Replace(whole, "$50000", "$700", 1), "\n"), b.now)
	require.Equal(t, []any{source.RunOK, 1}, []any{r.State, r.Changed}, r.String())
	require.Equal(t, 1, one[int](b, `select count(*) from changes where kind = 'bond_change'`), "what ends so by itself is taken")
}

// TestGuarantee4WhatVouchesForAWholeDocumentIsBelieved asks a server whose answer has no line break at its end, and unpacks one.
func TestGuarantee4WhatVouchesForAWholeDocumentIsBelieved(t *testing.T) {
	t.Parallel()
	text := strings.TrimSuffix(tornShapes["csv"].text, "\n")
	cases := []struct {
		name  string
		write func(w http.ResponseWriter)
		taken int
	}{
		{"its length", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", strconv.Itoa(len(text)))
			say(w, "%s", text)
		}, 2},
		{"its last chunk", func(w http.ResponseWriter) {
			say(w, "%s", text[:80])
			_ = http.NewResponseController(w).Flush()
			say(w, "%s", text[80:])
		}, 2},
		{"the end of the connection", func(w http.ResponseWriter) {
			conn, to, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			say(to, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n%s", text)
			_ = to.Flush()
			_ = conn.Close()
		}, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { c.write(w) }))
			defer server.Close()
			s, err := ingest.Parse([]byte(torn + "transport: {kind: http, pause: 1ms, steps: [{url: '" + server.URL + "/list', keep: true}]}\n"))
			require.NoError(t, err)
			r, err := b.runner.Run(t.Context(), s, ingest.Input{})
			require.NoError(t, err)
			require.Equal(t, []any{c.taken, 2 - c.taken}, []any{r.New, r.Quarantined}, r.String())
			again, err := b.runner.Replay(t.Context(), s, r.Run)
			require.NoError(t, err)
			require.Equal(t, 2-c.taken, again.Quarantined, "a replay knows what the answer showed: %s", again)
		})
	}
	t.Run("what it is packed in", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		say(z, "%s", text)
		require.NoError(t, z.Close())
		r := b.runSource(tornSource(t, "{format: csv}"), "list.csv.gz", packed.String(), b.now)
		require.Equal(t, []any{2, 0}, []any{r.New, r.Quarantined}, r.String())
	})
}

func TestGuarantee11ACaseWhoseLineIsCutBeforeTheBirthDateIsNotPublished(t *testing.T) {
	t.Parallel()
	line := func(number, dob string) string {
		return "CA\tClarke\tSU\t1\t" + number + "\tTHISTLEDOWN\tPIP\t\t01/05/2026\t\t\t\t\t" + dob + "\tW\tM\t\t\t\n"
	}
	text := line("26-CR-1", "02/03/1986") + line("26-CR-2", "02/03/2012")
	before := strings.Index(text, "02/03/2012")
	for name, c := range map[string]struct{ text, reason string }{
		"nothing vouches":           {text[:before], "the document ends within this row, which has 14 fields where"},
		"its fields are too few":    {text[:before-1], "which has 13 fields where those of CA before it have 19 at least"},
		"within the birth date":     {text[:before+4], "the document ends within this row"},
		"the birth date is a whole": {text[:before+10], "the document ends within this row"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s, err := ingest.Load("court-delta")
			require.NoError(t, err)
			s.Decode.OpenEnded = strings.Contains(c.reason, "13 fields")
			r := b.runSource(s, "delta.txt", c.text, b.now)
			require.Equal(t, []int{1, 1}, []int{r.New, r.Quarantined}, r.String())
			for reason := range r.Reasons {
				require.Contains(t, reason, c.reason)
			}
			require.Equal(t, 1, one[int](b, `select count(*) from court_cases`))
		})
	}
}

// TestAPageThatEndsBeforeWhatStandsAroundItsRowsGivesNone has the birth date of all rows below them.
func TestAPageThatEndsBeforeWhatStandsAroundItsRowsGivesNone(t *testing.T) {
	t.Parallel()
	s, err := ingest.Parse([]byte(strings.NewReplacer("{format: csv}", "{format: html, rows: table}", "from: dob", "from: 'outer.label:Born'").Replace(torn)))
	require.NoError(t, err)
	text := "<html><body><table><tr><th>id</th><th>name</th><th>booked</th><th>bond</th></tr><tr><td>K1</td><td>MOONSAIL, ORLA</td><td>2026-03-01</td><td>$1500</td></tr></table><p><b>Born:</b> 02/03/1986</p></body></html>"
	require.Positive(t, wholeRows(t, s, "page.html", text, func(int) bool { return false }))
}

func TestADocumentThatShowsItsEndSaysNothingOfAnOpenOne(t *testing.T) {
	t.Parallel()
	for _, decode := range []string{"{format: csv, end_marker: '#'}", "{format: csv, total: '^#(\\d+)'}", "{format: json}", "{format: html, rows: table, end_marker: '</html>'}"} {
		_, err := ingest.Parse([]byte(strings.Replace(torn, "{format: csv}", strings.Replace(decode, "}", ", ends_unterminated: true}", 1), 1)))
		require.ErrorContains(t, err, "decode.ends_unterminated: is for documents that nothing ends", decode)
	}
	require.True(t, tornSource(t, "{format: tsv, ends_unterminated: true}").Decode.OpenEnded)
}
