package link_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/link"
)

const (
	janes = "fulton-2026-000001" // the booking of Jane Doe
	johns = "cobb-2026-000001"   // that of John Roe, in another county
)

// bundle is a store with two bookings, three corrections records and two cases.
type bundle struct {
	*modelstest.Bundle
	bookings map[string]int64 // keys by id
	records  map[string]int64
	cases    map[string]int64 // by number
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{Bundle: modelstest.Setup(t)}
	b.Add(
		t,
		testdb.Booking{ID: janes, Name: "DOE, JANE", DOB: "1980-03-04", Charges: []string{"BURGLARY"}},
		testdb.Booking{ID: johns, Name: "ROE, JOHN", BirthYear: 1975, County: "cobb"},
		testdb.Booking{ID: "fulton-2026-000002", Name: "POE, MINOR", Withheld: "juvenile"},
		testdb.Offender{GdcID: "G1", Name: "DOE, JANE E", DOB: "1980-03-04"},
		testdb.Offender{GdcID: "G2", Name: "DOE, JANET"},
		testdb.Offender{GdcID: "G3", Name: "POE, MINOR", Withheld: "juvenile"},
		testdb.Case{Number: "C1", Defendant: "JANE DOE", Offense: "BURGLARY", Booking: "B77", DOB: "1980-03-04"},
		testdb.Case{Number: "C2", Defendant: "JOHN ROE", Offense: "DUI", County: "cobb"},
	)
	b.Exec(t, `update generations set gen = 1`) // that of the records above
	b.bookings = keyed(t, b, `select id, rid from bookings`)
	b.records = keyed(t, b, `select gdc_id, cid from corrections_records`)
	b.cases = keyed(t, b, `select case_number, id from court_cases`)
	return b
}

func keyed(t *testing.T, b *bundle, sql string) map[string]int64 {
	t.Helper()
	rows, err := b.Pool.Query(b.Ctx, sql)
	require.NoError(t, err)
	defer rows.Close()
	out := map[string]int64{}
	for rows.Next() {
		var id string
		var key int64
		require.NoError(t, rows.Scan(&id, &key))
		out[id] = key
	}
	require.NoError(t, rows.Err())
	return out
}

// run begins a link run that ends with the test.
func (b *bundle) run(t *testing.T, full bool) *link.Run {
	t.Helper()
	r, err := b.Store.BeginLinkRun(b.Ctx, full)
	require.NoError(t, err)
	t.Cleanup(r.Close)
	return r
}

// finished runs to the end without a look at anything: all that is there now is linked.
func (b *bundle) finished(t *testing.T) {
	t.Helper()
	r, err := b.Store.BeginLinkRun(b.Ctx, false)
	require.NoError(t, err)
	require.NoError(t, r.Finish(b.Ctx))
	r.Close()
}

// caseID is the public id of the case with a number.
func (b *bundle) caseID(number, county string) string {
	return "case-" + county + "-" + strconv.FormatInt(b.cases[number], 10)
}

// links are those of bookings, as "booking record confidence origin".
func (b *bundle) links(t *testing.T) []string {
	t.Helper()
	var out []string
	require.NoError(t, b.Store.Gorm().WithContext(b.Ctx).Table("gdc_links l").
		Joins("join bookings b on b.rid = l.rid").Joins("join corrections_records o on o.cid = l.cid").
		Order("b.id").Pluck("concat_ws(' ', b.id, o.gdc_id, l.confidence, l.origin)", &out).Error)
	return out
}

// courtLinks are those of cases, as "case person confidence origin".
func (b *bundle) courtLinks(t *testing.T) []string {
	t.Helper()
	var out []string
	require.NoError(t, b.Store.Gorm().WithContext(b.Ctx).Table("court_links l").Joins("join court_cases c on c.id = l.case_id").
		Joins("left join bookings b on b.rid = l.rid").Joins("left join corrections_records o on o.cid = l.cid").
		Pluck("concat_ws(' ', c.case_number, coalesce(b.id, o.gdc_id), l.confidence, l.origin)", &out).Error)
	slices.Sort(out)
	return out
}

// change writes to a family as a run of a source does, under a new generation, which is $1 of the statement.
func (b *bundle) change(t *testing.T, f models.Family, sql string) {
	t.Helper()
	var gen int64
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `update generations set gen = gen + 1 where family = $1 returning gen`, f).Scan(&gen))
	b.Exec(t, sql, gen)
}

func requireCode(t *testing.T, want models.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, models.CodeOf(err), err)
}

func TestStatementsAreUnderstoodAndUsed(t *testing.T) {
	t.Parallel()
	sqltest.Check(t, testdb.New(t).Pool, link.Statements(), "stage_imported", "make_changed", "make_found", "make_staged", "make_found_of_cases", "make_staged_of_cases")
}
