package record_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/record"
)

// bundle is what a test of the package works with.
type bundle struct{ *modelstest.Bundle }

func setup(t *testing.T) *bundle {
	t.Helper()
	return &bundle{modelstest.Setup(t)}
}

const janes = "fulton-2026-000001" // the booking of Jane Doe

// jane stores a booking, a corrections record and two cases of one person, linked with each other, and a withheld one of each.
func (b *bundle) jane(t *testing.T) {
	t.Helper()
	b.Add(
		t,
		testdb.Booking{ID: janes, Name: "DOE, JANE", DOB: "1980-03-04", Charges: []string{"BURGLARY"}, BondCents: 250050, At: "2026-03-01T12:00:00-05:00"},
		testdb.Booking{ID: "fulton-2026-000002", Name: "DOE, JANE", Charges: []string{}, BondCents: -1, At: "2026-03-02T12:00:00-05:00", Released: "2026-03-04T08:00:00-05:00", Inferred: true},
		testdb.Booking{ID: "fulton-2026-000003", Name: "POE, MINOR", Withheld: "juvenile"},
		testdb.Offender{GdcID: "G1", Name: "DOE, JANE", DOB: "1980-03-04", Institution: "LEE", Sentence: "5 years", Release: "2030-01-31", Projected: true},
		testdb.Offender{GdcID: "G3", Name: "POE, MINOR", Withheld: "juvenile"},
		testdb.Case{
			Number: "C1", Defendant: "DOE, JANE", Offense: "BURGLARY", Judge: "J", HearingLink: "https://own", Hearings: []testdb.Hearing{
				{Date: "2026-03-01", Time: "09:30", Judge: "K"},
				{Date: "2026-03-20", Time: "09:30", Location: "1A", Link: "https://next"},
				{Date: "2026-03-15", Time: "09:30", Cancelled: true},
			}, Dispositions: []testdb.Disposition{{Date: "2026-03-02", Outcome: "guilty", Sentence: "1 year"}, {Date: "2026-03-01", Outcome: "dismissed"}},
		},
		testdb.Case{Number: "C1", Defendant: "DOE, JANE", County: "cobb", Filed: "2026-02-02", Status: "unknown"},
		testdb.Case{Number: "C3", Defendant: "POE, MINOR", Withheld: "juvenile"},
		testdb.Link{Booking: janes, Offender: "G1"}, testdb.Link{Booking: "fulton-2026-000002", Offender: "G1", Confidence: "low"},
	)
	b.Exec(t, `update generations set gen = 1`) // that of the records above
}

// keys are the internal keys of the published records of a family, in the order in which they were stored.
func (b *bundle) keys(t *testing.T, f models.Family) (keys []int64) {
	t.Helper()
	sql := map[models.Family]string{
		models.Roster: `select array(select rid from published_bookings order by rid)`, models.Courts: `select array(select id from published_cases order by id)`,
		models.Corrections: `select array(select cid from published_corrections order by cid)`,
	}[f]
	require.NoError(t, b.Pool.QueryRow(b.Ctx, sql).Scan(&keys))
	return keys
}

// at reads an instant.
func at(t *testing.T, text string) time.Time {
	t.Helper()
	i, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return i
}

func requireCode(t *testing.T, want models.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, models.CodeOf(err), err)
}

func TestStatementsAreUnderstoodAndUsed(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for _, f := range []models.Family{models.Roster, models.Courts, models.Corrections} {
		sqltest.Check(t, db.Pool, record.Statements(f))
	}
}
