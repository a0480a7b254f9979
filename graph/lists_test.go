package graph_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/graph/limit"
	"rollcall/internal/badlist"
	"rollcall/models"
)

const importNames = `mutation Import($csv: String!, $dry: Boolean, $skip: Boolean) { importAlerts(csv: $csv, dryRun: $dry, skipErrors: $skip) {
	created new folded refused ignoredColumns since days countiesLater countiesCovered lines { line result name field message sameLine alertId differs byName byVariant } } }`

// imported imports a list by GraphQL, and returns the answer with the ids of watchers taken out.
func (b *bundle) imported(t *testing.T, csv string, dry, skip bool) string {
	t.Helper()
	out := b.data(t, importNames, map[string]any{"csv": csv, "dry": dry, "skip": skip})
	var v struct {
		ImportAlerts struct{ Lines []struct{ AlertID *string } }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &v))
	for _, l := range v.ImportAlerts.Lines {
		if l.AlertID != nil {
			out = strings.ReplaceAll(out, *l.AlertID, "ID")
		}
	}
	return out
}

func TestAListIsTriedAndImported(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	const list = "\ufeffName;Label;Birth year\nTess Marlowe;desk;\nTESS  MARLOWE;;\nTessa Marlowe;;\nMarlowe;;\n;;\nZeb Nobody;;2031\n"
	const problems = `{"line": 5, "result": "ERROR", "name": "Marlowe", "field": "name", "message": "one word is read as a last name, which matches everyone who has it: add the first name, or a county, dob, birth_year or age", "sameLine": null, "alertId": null, "differs": [], "byName": null, "byVariant": null},
		{"line": 6, "result": "ERROR", "name": null, "field": "name", "message": "the name is empty; write one, or remove the line", "sameLine": null, "alertId": null, "differs": [], "byName": null, "byVariant": null},
		{"line": 7, "result": "ERROR", "name": "Zeb Nobody", "field": "birth_year", "message": "birth_year must be a year from 1900 to this one", "sameLine": null, "alertId": null, "differs": [], "byName": null, "byVariant": null}`
	require.JSONEq(t, `{"importAlerts": {"created": 0, "new": 2, "folded": 1, "refused": 3, "ignoredColumns": [], "since": "2025-03-10T15:00:00Z", "days": 0, "countiesLater": 0, "countiesCovered": 0, "lines": [
		{"line": 2, "result": "NEW", "name": "Tess Marlowe", "field": null, "message": null, "sameLine": null, "alertId": null, "differs": [], "byName": 1, "byVariant": 0},
		{"line": 3, "result": "REPEATED", "name": "TESS  MARLOWE", "field": null, "message": null, "sameLine": 2, "alertId": null, "differs": [], "byName": null, "byVariant": null},
		{"line": 4, "result": "NEW", "name": "Tessa Marlowe", "field": null, "message": null, "sameLine": null, "alertId": null, "differs": [], "byName": 0, "byVariant": 1},
		`+problems+`]}}`, b.imported(t, list, true, false))
	_, err := b.db.Pool.Exec(t.Context(), `update bookings set first_seen = '2026-01-29T15:00:00Z'`)
	require.NoError(t, err)
	require.Contains(t, b.imported(t, list, true, false), `"days":40,"countiesLater":0`, "what the hits rest on: the jail is read since then")
	require.Contains(t, b.imported(t, list, false, false), `"created":0`, "a line that cannot be taken keeps all of them out")
	require.JSONEq(t, `{"alerts": {"total": 0}}`, b.data(t, `{ alerts { total } }`, nil))
	require.Contains(t, b.imported(t, list, false, true), `"created":2,"new":2,"folded":1,"refused":3,"ignoredColumns":[],"since":null,"days":null`)
	require.JSONEq(t, `{"importAlerts": {"created": 0, "new": 0, "folded": 1, "refused": 0, "ignoredColumns": [], "since": null, "days": null, "countiesLater": null, "countiesCovered": null, "lines": [
		{"line": 2, "result": "WATCHED", "name": "Tess Marlowe", "field": null, "message": null, "sameLine": null, "alertId": "ID", "differs": ["level wide (it has normal)", "label courts (it has desk)"], "byName": null, "byVariant": null}]}}`,
		b.imported(t, "name,label,level\nTess Marlowe,courts,wide\n", false, false), "what a line that is left out states besides is named")
	trail, err := b.store.AccountEvents(t.Context(), b.mine.ID, 0, 5)
	require.NoError(t, err)
	require.Equal(t, []string{"alerts imported", "2 alerts"}, []string{trail[0].Action, trail[0].Subject})
}

func TestColumnsOfAListThatAreNotReadAreNamed(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	const query = `mutation($csv: String!, $dry: Boolean) { importAlerts(csv: $csv, dryRun: $dry) { created new ignoredColumns lines { name } } }`
	csv := "Last Name,First Name,Case No\nMoonsail,Wren,7\n"
	for _, dry := range []bool{true, false} {
		created := map[bool]string{true: "0", false: "1"}[dry]
		require.JSONEq(t, `{"importAlerts": {"created": `+created+`, "new": 1, "ignoredColumns": ["Case No"], "lines": [{"name": "Moonsail, Wren"}]}}`,
			b.data(t, query, map[string]any{"csv": csv, "dry": dry}))
	}
	require.Contains(t, b.imported(t, "name\nIda Stormcrow\n", true, false), `"ignoredColumns":[]`)
}

func TestALineThatLooksLikeAnotherSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	require.JSONEq(t, `{"importAlerts": {"lines": [{"result": "NEW", "alike": null}, {"result": "NEW", "alike": "looks like line 2 in another order"}, {"result": "REPEATED", "alike": null}]}}`,
		b.data(t, `mutation { importAlerts(csv: "name\nTom Bolton\nBOLTON TOM\n\"Bolton, Tom\"\n", dryRun: true) { lines { result alike } } }`, nil))
}

func TestAListThatIsTooLongOrNoneIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for csv, want := range map[string]string{
		strings.Repeat("x", limit.ImportBytes+1):              "csv holds more than 512 KiB: import it on the page or with: rollcall watchers import",
		"name\n" + strings.Repeat("A\n", limit.ImportLines+1): "csv holds more than 5000 names",
		"":                               "the file is empty",
		"Wren Moonsail\nIda Stormcrow\n": "line 1 names no column name or last: its titles are",
	} {
		a := b.post(t, importNames, map[string]any{"csv": csv})
		require.Equal(t, "INVALID_PARAMETER", a.code(t), a.body)
		require.Contains(t, a.body, want)
	}
	b.mine.Plan = models.Pro
	require.Equal(t, "FORBIDDEN", b.post(t, importNames, map[string]any{"csv": "name\nA Moonsail\n"}).code(t))
}

func TestTheMutationSaysWhyAFileIsNoList(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for _, f := range badlist.Files() {
		switch {
		case f.Name == "mixed encodings", f.Name == "UTF-16 cut off":
			continue // no JSON holds them
		case f.Long:
			require.Equal(t, "PAYLOAD_TOO_LARGE", b.post(t, importNames, map[string]any{"csv": f.CSV}).code(t))
			continue
		case f.Lines:
			out := b.imported(t, f.CSV, true, false)
			require.Contains(t, out, `"new":0,"folded":0,"refused":1`, f.Name)
			require.Contains(t, out, `"line":2,"result":"ERROR"`, f.Name)
			require.Contains(t, out, f.Says, f.Name)
			continue
		}
		a := b.post(t, importNames, map[string]any{"csv": f.CSV})
		require.Equal(t, "INVALID_PARAMETER", a.code(t), f.Name)
		var said struct{ Errors []struct{ Message string } }
		require.NoError(t, json.Unmarshal([]byte(a.body), &said))
		require.Contains(t, said.Errors[0].Message, f.Says, f.Name)
	}
}

func TestAnImportWithAnIdempotencyKeyHappensOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	body, err := json.Marshal(map[string]any{"query": importNames, "variables": map[string]any{"csv": "name\nWren Moonsail\n"}})
	require.NoError(t, err)
	first := b.send(t, request{body: string(body), once: []string{"list-1"}})
	again := b.send(t, request{body: string(body), once: []string{"list-1"}})
	require.Equal(t, http.StatusOK, again.status)
	require.Contains(t, first.body, `"created":1`)
	require.Equal(t, first.body, again.body)
}

func TestWatchersAreListedAndChangedByLabelOrId(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.imported(t, "name,label\nWren Moonsail,desk\nIda Stormcrow,desk\nPip Thistledown,court\nZeb Nobody,\n", false, false)
	ask := func(query, want string) {
		t.Helper()
		require.JSONEq(t, want, b.data(t, query, nil))
	}
	ask(`{ alertLabels { label alerts paused } }`, `{"alertLabels": [{"label": "desk", "alerts": 2, "paused": 0}, {"label": "court", "alerts": 1, "paused": 0}]}`)
	ask(`{ alerts(label: "desk") { total alerts { name hitCount } } }`, `{"alerts": {"total": 2, "alerts": [{"name": "Wren Moonsail", "hitCount": 0}, {"name": "Ida Stormcrow", "hitCount": 0}]}}`)
	ask(`{ alerts(name: "moonsail") { total alerts { name } } none: alerts(name: "moonsail", label: "none") { total } }`, `{"alerts": {"total": 1, "alerts": [{"name": "Wren Moonsail"}]}, "none": {"total": 0}}`)
	ask(`{ alerts(label: "none") { total alerts { name } } }`, `{"alerts": {"total": 0, "alerts": []}}`)
	ask(`mutation { changeAlerts(label: "desk", input: {paused: true, level: WIDE}) }`, `{"changeAlerts": 2}`)
	ask(`mutation { changeAlerts(label: "desk", input: {paused: true}) }`, `{"changeAlerts": 0}`)
	ask(`{ alertLabels { label alerts paused } }`, `{"alertLabels": [{"label": "desk", "alerts": 2, "paused": 2}, {"label": "court", "alerts": 1, "paused": 0}]}`)
	var v struct {
		Alerts struct{ Alerts []struct{ ID string } }
	}
	require.NoError(t, json.Unmarshal([]byte(b.data(t, `{ alerts(limit: 1) { alerts { id } } }`, nil)), &v))
	id := v.Alerts.Alerts[0].ID
	ask(`mutation { changeAlerts(ids: ["`+id+`", "alrt_none"], input: {label: "court"}) }`, `{"changeAlerts": 1}`)
	ask(`mutation { deleteAlerts(label: "court") }`, `{"deleteAlerts": 2}`)
	ask(`{ alerts { total } }`, `{"alerts": {"total": 2}}`)
	for query, code := range map[string]string{
		`mutation { deleteAlerts(label: "court") }`:                             "NOT_FOUND",
		`mutation { deleteAlerts(ids: ["` + id + `"]) }`:                        "NOT_FOUND",
		`mutation { deleteAlerts }`:                                             "INVALID_PARAMETER",
		`mutation { deleteAlerts(ids: []) }`:                                    "INVALID_PARAMETER",
		`mutation { deleteAlerts(label: "desk", ids: ["a"]) }`:                  "INVALID_PARAMETER",
		`mutation { changeAlerts(label: "desk", input: {}) }`:                   "INVALID_PARAMETER",
		`mutation { deleteAlerts(ids: [` + strings.Repeat(`"a",`, 201) + `]) }`: "INVALID_PARAMETER",
	} {
		require.Equal(t, code, b.post(t, query, nil).code(t), query)
	}
	b.mine = b.newAccount(t, "other@example.org", models.Enterprise)
	require.Equal(t, "NOT_FOUND", b.post(t, `mutation { deleteAlerts(label: "desk") }`, nil).code(t), "another account's")
	ask(`{ alertLabels { label } alerts(label: "desk") { total } }`, `{"alertLabels": [], "alerts": {"total": 0}}`)
}
