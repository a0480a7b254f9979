package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// harderManual is what docs/sources-harder.md shows: documents by their id, and samples by the file names that the page states.
func harderManual(t *testing.T) (documents, samples map[string]string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "sources-harder.md"))
	require.NoError(t, err)
	documents, samples = map[string]string{}, map[string]string{}
	var files []string
	for _, part := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$|`([a-z]+_[\\w-]+\\.\\w+)`").FindAllStringSubmatch(string(page), -1) {
		id := regexp.MustCompile(`^id: (\S+)\n`).FindStringSubmatch(part[2])
		switch {
		case part[3] != "":
			files = append(files, part[3])
		case id != nil:
			documents[id[1]] = part[2]
		case part[1] != "sh":
			require.NotEmpty(t, files, "each sample has a name")
			samples[files[0]], files = part[2], files[1:]
		}
	}
	return documents, samples
}

// TestTheHarderFilesOfTheManualAreReadAsTheyStand checks, enables and reads each document of docs/sources-harder.md with its
// samples, and compares what callers see with what the samples say.
func TestTheHarderFilesOfTheManualAreReadAsTheyStand(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	documents, samples := harderManual(t)
	require.Len(t, documents, 3)
	require.Len(t, samples, 4)
	root, _ := x.Serve("Newsroom")
	key := text(t, x.Fields("key", "create", "--account", x.FirstAccount(), "--label", "manual", "--json")["key"])
	for _, id := range []string{"tamarack", "altamaha", "fenwick"} {
		document := x.put(id+".yaml", documents[id])
		check, ingest := []string{"sources", "check", document}, []string{"ingest", "--source", id, "--json"}
		for name, sample := range samples {
			if strings.HasPrefix(name, id) {
				file := x.put(name, sample)
				check, ingest = append(check, "--sample", file), append(ingest, "--file", file)
			}
		}
		out := x.OK(check...)
		require.Contains(t, out, " rows, 0 to quarantine\n", id)
		x.OK("sources", "enable", document)
		report := x.Fields(ingest...)
		require.InDelta(t, 0, report["quarantined"], 0, id)
		require.Equal(t, id != "fenwick", report["complete"], "%s: %v", id, report)
	}

	type person struct {
		Name    string   `json:"name"`
		Charges []string `json:"charges"`
		Bond    *float64 `json:"bond_amount"`
		Born    string   `json:"dob"`
		Booked  string   `json:"booking_date"`
	}
	people := func(county string) (all []person) {
		var list struct{ Records []person }
		require.NoError(t, json.Unmarshal(asKey(t, root+"/v1/roster?county="+county, key), &list))
		return list.Records
	}
	bond := func(dollars float64) *float64 { return &dollars }
	require.ElementsMatch(t, []person{
		{"QUILLFEATHER, MARLOWE TEAGAN", []string{"DUI", "BATTERY", "CRIMINAL TRESPASS"}, bond(5000), "", "2026-11-02T14:14:00-05:00"},
		{"MOONSAIL, ORLA", []string{"THEFT BY TAKING"}, nil, "", "2026-11-01T11:05:00-05:00"},
	}, people("crisp"), "one is under 17")
	require.ElementsMatch(t, []person{
		{"Quillfeather, Marlowe T", []string{"BATTERY", "DUI"}, bond(500), "1986-02-03", "2026-10-18T01:30:00-04:00"},
		{"Brackenridge, Tolliver Jr", []string{"FRAUD"}, nil, "1987-05-10", "2026-11-02T16:55:00-05:00"},
	}, people("jeff-davis"))
	require.Equal(t, []person{{"Moonsail, Orla", []string{"THEFT"}, bond(2500), "", "2026-11-01T23:05:00-05:00"}}, people("mcintosh"))

	var courts struct {
		Data struct {
			Courts struct {
				Records []struct {
					CaseNumber, Defendant, CourtType string
					BailAmount                       *float64
					Hearings                         []struct{ Date, Time, Location string }
				}
			}
		}
	}
	query := `{"query":"{ courts(filter: {county: \"lowndes\"}) { records { caseNumber defendant courtType bailAmount hearings { date time location } } } }"}`
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodPost, root+"/graphql", strings.NewReader(query))
	require.NoError(t, err)
	ask.Header.Set("Content-Type", "application/json")
	require.NoError(t, json.Unmarshal(answered(t, ask, key), &courts))
	require.Len(t, courts.Data.Courts.Records, 2)
	for _, c := range courts.Data.Courts.Records {
		if c.CaseNumber != "26CR00101" {
			require.Equal(t, []any{"26ST00108", "MOONSAIL, ORLA", "STATE"}, []any{c.CaseNumber, c.Defendant, c.CourtType})
			require.Nil(t, c.BailAmount, "0.00 says that none is set")
			continue
		}
		require.Equal(t, []any{"QUILLFEATHER, MARLOWE T", "SUPERIOR", 1500.0}, []any{c.Defendant, c.CourtType, *c.BailAmount})
		require.Equal(t, []struct{ Date, Time, Location string }{{"2026-11-18", "09:00", "ROOM 9"}}, c.Hearings, "the later line counts")
	}
}
