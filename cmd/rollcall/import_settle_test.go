package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
)

// A clerk's file came before rollcall took over what an earlier system knew: its hearings wait for cases that only the
// takeover brings. The import itself takes them, as of their own instant.
func TestAnImportTakesWhatWaitedForTheCasesThatItBrings(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	root, _ := x.Serve("Newsroom")
	key := text(t, x.Fields("key", "create", "--account", x.FirstAccount(), "--label", "import", "--json")["key"])
	clerk := func(kind string, fields ...string) string {
		return kind + "\tClarke\tMG\t" + strings.Join(fields, "\t") + "\t\n"
	}
	hearing := func(number, event, clock, judge string) string {
		return clerk("CE", "1", number, event, "04/02/2026", clock, "ARR", "1A", judge, "https://court.example.org/"+event, "", "")
	}
	deltas := func(name, data string) map[string]any {
		t.Helper()
		return x.Fields("ingest", "--source", "court-delta", "--file", x.put(name, data), "--json")
	}
	report := deltas("clerk_20260301_060000.txt", hearing("MG-1", "5", "09:00", "HON. A. FERN")+clerk("CH", "1", "MG-1", "1", "16-8-2", "M", "", "", "THEFT BY TAKING", "", "", "")+hearing("MG-2", "6", "10:00", "HON. B. FERN"))
	require.Equal(t, []any{"ok", 3.0, 0.0}, []any{report["state"], report["awaiting"], report["quarantined"]}, "%v", report)

	dir := filepath.Join(x.Data, "before")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "courts.jsonl"), []byte(`{"case_number":"MG-1","defendant":"QUILLFEATHER, WREN","offense":"DUI","court_type":"Magistrate","county":"Clarke","filed_date":"2026-02-01",`+
		`"status":"pending","judge":"HON. OLD","next_hearing":null,"hearing_link":null,"hearings":[{"date":"2026-03-20","time":"11:00","judge":"HON. OLD","location":"2B","zoom_link":null}],"dispositions":[]}`+"\n"), 0o600))
	type hearings []struct {
		Date, Time, Judge, Location string
		ZoomLink                    *string `json:"zoom_link"`
	}
	type courtCase struct {
		Offense  string   `json:"offense"`
		Judge    string   `json:"judge"`
		Hearings hearings `json:"hearings"`
	}
	link := "https://court.example.org/5"
	want := courtCase{Offense: "THEFT BY TAKING", Judge: "HON. A. FERN", Hearings: hearings{
		{Date: "2026-03-20", Time: "11:00", Judge: "HON. OLD", Location: "2B"},
		{Date: "2026-04-02", Time: "09:00", Judge: "HON. A. FERN", Location: "1A", ZoomLink: &link},
	}}
	for _, time := range []string{"the first import", "the same once more"} {
		x.OK("import", dir)
		var got courtCase
		require.NoError(t, json.Unmarshal(asKey(t, root+"/v1/courts/MG-1", key), &got))
		require.Equal(t, want, got, time)
	}

	t.Log("what the waiting rows told is there from the beginning of the case")
	var answer struct {
		Data struct {
			CourtCases []struct {
				History []struct {
					Field, After string
					Source       struct{ ID string }
				}
			}
		}
	}
	query := `{"query":"{ courtCases(caseNumber: \"MG-1\") { history { field after source { id } } } }"}`
	require.NoError(t, json.Unmarshal(asKeyTo(t, root+"/graphql", key, query), &answer))
	require.Len(t, answer.Data.CourtCases, 1)
	told := map[string]int{}
	for _, h := range answer.Data.CourtCases[0].History {
		told[h.Field+" by "+h.Source.ID]++
	}
	require.Empty(t, told)

	t.Log("the other hearing waits on, for its own case")
	report = deltas("clerk_20260302_060000.txt", clerk("CA", "1", "MG-2", "MOONSAIL", "ORLA", "", "02/01/2026", "", "", "", "", "", "", "", "", ""))
	require.Equal(t, []any{1.0, 1.0}, []any{report["new"], report["resolved"]}, "%v", report)
}

// asKeyTo posts JSON as asKey gets.
func asKeyTo(t *testing.T, address, key, body string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	return answered(t, req, key)
}

// Invented people are never mixed with real ones: the demo would not start again, and keys for tests would open real records.
func TestNothingIsImportedIntoADemo(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	dir := filepath.Join(x.Data, "before")
	require.NoError(t, os.Mkdir(dir, 0o700))
	document, err := os.ReadFile(filepath.Join("..", "..", "ingest", "sources", "common-csv", "source.yaml"))
	require.NoError(t, err)
	own := x.put("demo-jail.yaml", strings.Replace(string(document), "id: common-csv", "id: demo-jail", 1))
	then := time.Now().Add(-time.Hour)
	x.OK("ingest", "--source", own, "--file", cmdtest.Snapshot(t, x.Data, []string{"QUILL, WREN"}, then, then, 500))
	code, _ := x.Run("import", dir)
	require.Equal(t, 1, code)
	require.Contains(t, x.Stderr, "this is the database of a demo")
	require.Contains(t, x.Stderr, "ROLLCALL_DATA_DIR")
}
