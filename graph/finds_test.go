package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

func TestANameThatFindsNobodyIsRefusedByEachField(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	kept := b.data(t, `mutation { createAlert(input: {name: "J Smith", level: WIDE, label: "desk"}) { id } }`, nil)
	id := strings.Split(kept, `"`)[5]
	for members, says := range map[string]string{
		`name: "Smith A"`:                               "or add the year of birth, or add the birth date, or choose level wide",
		`name: "J Smith"`:                               "name is not enough at level normal",
		`name: "J Smith", level: STRICT`:                "write first and last name in full, or add the birth date",
		`name: "Иван Петров", birthYear: 1980`:          "write it in Latin letters",
		`name: "김 민수", county: "fulton", level: NORMAL`: "write it in Latin letters",
		`name: "Lisa F", birthYear: 1980`:               "write the last name in full",
		`name: "Brown", level: STRICT`:                  "matches everyone who has it",
	} {
		changed := members
		if !strings.Contains(members, "level") {
			changed += ", level: NORMAL" // the watcher that is changed has another
		}
		for _, query := range []string{
			`mutation { createAlert(input: {` + members + `}) { id } }`, `{ previewAlert(` + members + `) { people } }`,
			`{ previewAlert(` + members + `) { year { byName } } }`, `mutation { updateAlert(id: "` + id + `", input: {` + changed + `}) { id } }`,
		} {
			a := b.post(t, query, nil)
			require.Equal(t, "INVALID_PARAMETER", a.code(t), query)
			require.Contains(t, a.body, says, query)
			require.Contains(t, a.body, `"field":"name"`)
		}
	}
	for _, change := range []string{
		`updateAlert(id: "` + id + `", input: {level: NORMAL}) { id }`, `changeAlerts(label: "desk", input: {level: NORMAL})`, `changeAlerts(ids: ["` + id + `"], input: {level: STRICT})`,
	} {
		a := b.post(t, `mutation { `+change+` }`, nil)
		require.Equal(t, "INVALID_PARAMETER", a.code(t), change)
	}
	require.JSONEq(t, `{"changeAlerts": 1}`, b.data(t, `mutation { changeAlerts(label: "desk", input: {paused: true, level: WIDE}) }`, nil))
	require.JSONEq(t, `{"alerts": {"alerts": [{"name": "J Smith", "level": "WIDE"}]}}`, b.data(t, `{ alerts { alerts { name level } } }`, nil))

	lines := "name,level,county,birth_year\nSmith A,,,\nJ Smith,normal,fulton,\nJ Smith,strict,,1980\nИван Петров,,fulton,\nJ Smith,wide,ben-hill,\nJ Smith,,,1980\n"
	out := b.imported(t, lines, true, false)
	require.Contains(t, out, `"new":2,"folded":0,"refused":4`)
	require.Equal(t, 3, strings.Count(out, "name is not enough at level"))
}

// That such a watcher fires is shown in package notifier, at every level.
func TestASingleWordIsTakenAtEveryLevel(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, testdb.Booking{ID: "fulton-2026-000777", Name: "WASHINGTON, DEMETRIUS", DOB: "1990-05-17", At: "2026-03-08T06:30:00Z"})
	lines := "name,level,county,dob,birth_year\n"
	for _, level := range []string{"STRICT", "NORMAL", "WIDE"} {
		for _, narrowed := range []string{`county: "fulton"`, `dob: "1990-05-17"`, `birthYear: 1990`, `age: 35`} {
			members := `name: "Washington", level: ` + level + `, ` + narrowed
			require.JSONEq(t, `{"previewAlert": {"people": 1}}`, b.data(t, `{ previewAlert(`+members+`) { people } }`, nil), members)
			require.Contains(t, b.data(t, `mutation { createAlert(input: {`+members+`}) { name } }`, nil), "Washington")
		}
		for _, narrowed := range []string{"fulton,,", ",1990-05-17,", ",,1990"} {
			dry := b.imported(t, lines+"Washington-Teague,"+level+","+narrowed+"\nWashington,"+level+","+narrowed+"\n", true, false)
			require.Contains(t, dry, `"refused":0`, level+narrowed)
		}
	}
	dry := b.imported(t, lines+"WASHINGTON JR,wide,fulton,,\nwashingtón,strict,,1990-05-17,\nWashington,strict,ben-hill,,1990\n", true, true)
	require.Contains(t, dry, `"refused":0`)
}
