package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/graph/lookback"
	"rollcall/internal/testdb"
	"rollcall/internal/turn"
	"rollcall/match"
	"rollcall/models"
)

func TestSimilarNamesAreThoseThatASearchDoesNotFind(t *testing.T) {
	t.Parallel()
	match.Parse("Tess Marlowe") // loads the table of names, which takes longer on a busy machine than an operation may
	const at = "2026-02-01T12:00:00Z"
	b := setup(
		t, nil,
		testdb.Booking{ID: "fulton-2026-000001", Name: "SMITH, JOHN", At: at},
		testdb.Booking{ID: "fulton-2026-000002", Name: "SMYTH, JON", At: at},
		testdb.Booking{ID: "dade-2026-000003", County: "dade", Name: "SMYTHE, JOHN ALLEN", At: at},
		testdb.Booking{ID: "fulton-2026-000004", Name: "JONES, ORTRUD", At: at},
		testdb.Booking{ID: "fulton-2026-000005", Name: "SMITH, JOHN", At: "2024-02-01T12:00:00Z"}, // before the year
		testdb.Booking{ID: "fulton-2026-000006", Name: "SMITH, JON", At: at, Withheld: "juvenile"},
	)
	require.JSONEq(t, `{"similarNames": {"total": 2, "days": 365, "names": [{"record": {"name": "SMYTHE, JOHN ALLEN"}}, {"record": {"name": "SMITH, JOHN"}}]}}`,
		b.data(t, `{ similarNames(name: "Smyth, Jon") { total days names { record { name } } } }`, nil))
	require.JSONEq(t, `{"similarNames": {"total": 1}}`, b.data(t, `{ similarNames(name: "Jon Smyth", county: "dade") { total } }`, nil))
	require.JSONEq(t, `{"similarNames": {"total": 0, "names": []}}`, b.data(t, `{ similarNames(name: "Wilhelmina Stormcrow") { total names { reasons } } }`, nil))
	require.Contains(t, b.data(t, `{ similarNames(name: "Jon Smyth", county: "dade") { names { reasons probability } } }`, nil), `"reasons":["`)

	t.Log("a last name alone needs a county, where a search finds SMYTHE by itself, and what is no name is refused")
	require.JSONEq(t, `{"similarNames": {"total": 0}}`, b.data(t, `{ similarNames(name: "Smyth", county: "dade") { total } }`, nil))
	for _, asked := range []string{`name: "Smyth"`, `name: "J"`, `name: ""`, `name: "Jon Smyth", county: "nowhere"`} {
		require.NotEmpty(t, b.post(t, `{ similarNames(`+asked+`) { total } }`, nil).Errors, asked)
	}

	t.Log("one operation holds one of them")
	a := b.post(t, `{ similarNames(name: "Jon Smyth") { total } a: similarNames(name: "Jon Smith") { total } }`, nil)
	require.Len(t, a.Errors, 1)
	require.Contains(t, a.Errors[0].Message, "the limit is 120000")
}

func TestSimilarNamesRespectABirth(t *testing.T) {
	t.Parallel()
	match.Parse("Tess Marlowe") // loads the table of names, which takes longer on a busy machine than an operation may
	const at = "2026-02-01T12:00:00Z"
	b := setup(
		t, nil,
		testdb.Booking{ID: "fulton-2026-000001", Name: "SMYTHE, JOHN", At: at, DOB: "1995-03-08"},
		testdb.Booking{ID: "fulton-2026-000002", Name: "SMYTHE, JOHN", At: at, DOB: "1995-10-10"},
		testdb.Booking{ID: "fulton-2026-000003", Name: "SMYTHE, JOHN", At: at, DOB: "1998-03-08"},
		testdb.Booking{ID: "fulton-2026-000004", Name: "SMYTHE, JOHN", At: at},
	)
	look := lookback.New(b.store, turn.New(1, 1))
	for day, ids := range map[string][]string{
		"":           {"fulton-2026-000004", "fulton-2026-000003", "fulton-2026-000002", "fulton-2026-000001"},
		"1995":       {"fulton-2026-000004", "fulton-2026-000002", "fulton-2026-000001"},
		"1995-03-08": {"fulton-2026-000004", "fulton-2026-000001"},
	} {
		asked := models.SimilarAsked{Name: "Jon Smith", Born: match.ParseBirth(day), Limit: 3}
		var got []string
		for asked.Skip < len(ids) {
			found, err := look.Similar(t.Context(), b.mine.ID, asked)
			require.NoError(t, err)
			require.Equal(t, len(ids), found.Total)
			for _, n := range found.Names {
				got = append(got, n.Record.ID)
			}
			asked.Skip += asked.Limit
		}
		require.Equal(t, ids, got, day)
	}
}

func TestBookingsAreFilteredAndSortedInGraphQL(t *testing.T) {
	t.Parallel()
	b := setup(
		t, nil,
		testdb.Booking{ID: "fulton-2026-000001", Name: "ASH, AMY", DOB: "1980-03-04", Charges: []string{"AGGRAVATED ASSAULT"}, BondCents: 250_000, At: "2026-03-01T12:00:00Z"},
		testdb.Booking{
			ID: "fulton-2026-000002", Name: "BIRCH, BEN", DOB: "1990-03-04", Charges: []string{"THEFT"}, BondCents: 50_000, At: "2026-03-02T12:00:00Z",
			Agency: "Fulton County Sheriff's Office",
		},
		testdb.Booking{
			ID: "fulton-2026-000003", Name: "CEDAR, HID", DOB: "1990-03-04", Charges: []string{"THEFT"}, BondCents: 50_000, Withheld: "restricted",
			Agency: "Fulton County Sheriff's Office",
		},
		testdb.Case{Number: "26-CR-00076", Defendant: "ASH, AMY"},
	)
	for arguments, names := range map[string]string{
		`filter: {charge: "assault"}`:                                   `{"name": "ASH, AMY"}`,
		`filter: {agency: "sheriff's fulton"}`:                          `{"name": "BIRCH, BEN"}`,
		`filter: {agency: "state patrol"}`:                              ``,
		`filter: {bondTo: 500}`:                                         `{"name": "BIRCH, BEN"}`,
		`filter: {birthYearFrom: 1985, birthYearTo: 1995}`:              `{"name": "BIRCH, BEN"}`,
		`filter: {releasedFrom: "2026-01-01"}`:                          ``,
		`filter: {severity: FELONY}`:                                    ``,
		`order: BOND_HIGHEST`:                                           `{"name": "ASH, AMY"}, {"name": "BIRCH, BEN"}`,
		`order: NAME_DESC`:                                              `{"name": "BIRCH, BEN"}, {"name": "ASH, AMY"}`,
		`order: NEWEST`:                                                 `{"name": "BIRCH, BEN"}, {"name": "ASH, AMY"}`,
		`filter: {name: "amy ash", charge: "assault"} order: RELEVANCE`: `{"name": "ASH, AMY"}`,
	} {
		require.JSONEq(t, `{"roster": {"records": [`+names+`]}}`, b.data(t, `{ roster(`+arguments+`) { records { name } } }`, nil), arguments)
	}
	require.JSONEq(t, `{"roster": {"records": [{"agency": "Fulton County Sheriff's Office"}, {"agency": null}]}}`, b.data(t, `{ roster { records { agency } } }`, nil))
	require.JSONEq(t, `{"courts": {"total": 1}}`, b.data(t, `{ courts(filter: {caseNumberPart: "0076"}) { total } }`, nil))
	require.JSONEq(t, `{"courts": {"total": 0}}`, b.data(t, `{ courts(filter: {caseNumberPart: "%%%%"}) { total } }`, nil), "a sign of a pattern means itself")
	require.Len(t, b.post(t, `{ courts(filter: {caseNumberPart: "076"}) { total } }`, nil).Errors, 1, "too short")
	require.Len(t, b.post(t, `{ roster(filter: {bondFrom: 2, bondTo: 1}) { total } }`, nil).Errors, 1)
}
