package simulator

import (
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestShapes pins what every vendor answers for a small world that stands still. The files are for people too: each is
// an example of its shape.
func TestShapes(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 4, People: 200, Still: true, Rosters: oneOfEach()})
	for _, feed := range b.Feeds() {
		t.Run(feed.ID, func(t *testing.T) {
			t.Parallel()
			text := b.fetch(t, feed.Method, feed.Path, firstBody(feed))
			golden(t, strings.ReplaceAll(feed.ID, "/", "-"), inline.ReplaceAllString(text, `"mugshot":"$1..."`))
		})
	}
	t.Run("new-world person", func(t *testing.T) {
		t.Parallel()
		golden(t, "new-world-person", b.fetch(t, "GET", "/new-world/houston/inmates/"+subjectNumber(b.InCustody("houston")[0]), ""))
	})
	t.Run("docket after half a year", func(t *testing.T) {
		t.Parallel()
		later := setup(t, Options{Seed: 4, People: 200, Still: true, Rosters: oneOfEach(), Chaos: Chaos{"docket/floyd": {Layout}}})
		golden(t, "docket-floyd-divs", later.fetch(t, "GET", "/docket/floyd/book", ""))
	})
}

// inline finds photographs in rows. Golden files have only their beginnings.
var inline = regexp.MustCompile(`"mugshot":"([^"]{12})[^"]*"`)

func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

func TestZuercherFlagsJuvenilesAndHidesMostBirthDates(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 1, People: 3000, Still: true, Rosters: []Roster{{"bartow", ShapeZuercher}}})
	truth := byName(b.InCustody("bartow"))
	juveniles, births, layouts := 0, 0, map[int]bool{}
	for start := 0; start < len(truth); start += 100 {
		for i, row := range zuercherRows(t, b, start).Records {
			require.Equal(t, truth[start+i].Juvenile(), row.IsJuvenile)
			if row.IsJuvenile {
				juveniles++
			}
			if row.Dob != "" {
				births++
			}
			layouts[len(row.ArrestDate)] = true
			require.Equal(t, len(truth[start+i].Charges), strings.Count(row.HoldReasons, "<br />")+1)
		}
	}
	require.Positive(t, juveniles)
	require.Less(t, births, len(truth)/2)
	require.Len(t, layouts, 4, "two dates of ten letters, two times, and Unknown")
}

type zuercherAnswer struct {
	Count   int              `json:"total_record_count"`
	Records []zuercherInmate `json:"records"`
}

func zuercherRows(t *testing.T, b bundle, start int) zuercherAnswer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"paging": map[string]int{"start": start, "count": 100}})
	require.NoError(t, err)
	var answer zuercherAnswer
	require.NoError(t, json.Unmarshal([]byte(b.fetch(t, "POST", "/zuercher/bartow/api/portal/inmates/load", string(body))), &answer))
	return answer
}

func TestCourtDeltaGivesWhatChangedSince(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 1, People: 3000, Pace: time.Second})
	full := b.fetch(t, "GET", "/court-delta/cases.txt", "")
	for line := range strings.Lines(full) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		want := map[string]int{"CA": 18, "CH": 14, "CE": 14, "DE": 5}[fields[0]] + 1
		require.Len(t, fields, want, "kind, columns, and nothing behind the last tab: %q", line)
		require.Empty(t, fields[want-1])
	}
	at := b.clock.now()
	b.clock.forward(15 * time.Minute)
	delta := b.fetch(t, "GET", "/court-delta/cases.txt?since="+at.UTC().Format(time.RFC3339), "")
	require.Less(t, len(delta), len(full)/5)
	for _, kind := range []string{"CA\t", "CH\t", "CE\t", "DE\t"} {
		require.Contains(t, delta, kind)
	}
	require.Equal(t, strings.Count(delta, "DE\t"), strings.Count(b.fetch(t, "GET", "/court-delta/cases.txt", ""), "DE\t"), "a full file repeats the deletions")
	empty := b.fetch(t, "GET", "/court-delta/cases.txt?since="+b.clock.now().Add(time.Second).UTC().Format(time.RFC3339), "")
	require.Empty(t, empty)
}

func TestCorrectionsLinesHaveOneWidth(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 1, Still: true})
	lines := 0
	for line := range strings.Lines(b.fetch(t, "GET", "/corrections-fixed/offenders.txt", "")) {
		require.Len(t, line, fixedWidth+1)
		require.Contains(t, "IPR", line[129:130])
		lines++
	}
	require.Greater(t, lines, len(b.Offenders()))
}

func TestXMLAndLatin1AreWellFormed(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 1, People: 6000, Still: true, Rosters: oneOfEach()})
	decoder := xml.NewDecoder(strings.NewReader(b.fetch(t, "GET", "/roster-xml/ben-hill.xml", "")))
	for {
		if _, err := decoder.Token(); err != nil {
			require.ErrorIs(t, err, io.EOF)
			break
		}
	}
	var pages strings.Builder
	for next := "/docket/floyd/book"; next != ""; {
		text := b.fetch(t, "GET", next, "")
		pages.WriteString(text)
		next = between(text, `<a href="`, `"`)
	}
	require.Contains(t, pages.String(), "\xd1", "Ñ is one byte")
}

// between cuts out the text between two others, or nothing.
func between(text, from, until string) string {
	_, rest, found := strings.Cut(text, from)
	if !found {
		return ""
	}
	inner, _, _ := strings.Cut(rest, until)
	return inner
}

func TestCitizenWantsItsTokenBack(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 1, Still: true})
	warm := b.ask(t, "GET", "/citizen/hall/", "")
	require.Contains(t, warm.Header().Get("Set-Cookie"), citizenCookie+"="+token("hall"))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/citizen/hall/api/inmates", strings.NewReader("{}"))
	require.NoError(t, err)
	r.AddCookie(&http.Cookie{Name: citizenCookie, Value: token("hall")})
	require.Equal(t, http.StatusBadRequest, b.send(r).Code, "a cookie alone is not enough")
	r.Header.Set(citizenHeader, token("hall"))
	require.Equal(t, http.StatusOK, b.send(r).Code)
}
