package claim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/claim"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

// followed is a booking that a court names by its number, and the hours since it.
type followed struct {
	*records
	t      *testing.T
	county int16
	booked time.Time
}

func withNumber(t *testing.T) *followed {
	t.Helper()
	b := withRecords(t)
	b.roster(t, "list")
	c, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	return &followed{b, t, c.ID, time.Date(2026, 1, 5, 17, 0, 0, 0, time.UTC)}
}

// after is an instant so many days after the booking.
func (f *followed) after(days int) time.Time { return f.booked.AddDate(0, 0, days) }

// jail applies a list that has the booking.
func (f *followed) jail(days int) {
	f.t.Helper()
	row := snapshot.RosterRow{
		Key: "K1", Number: "K1", CountyID: f.county, Name: "MOONSAIL, ORLA", BookedAt: f.booked, Line: 1, Fingerprint: []byte("K1"),
	}
	f.list(f.t, "list", f.after(days), list{complete: true, rows: []snapshot.RosterRow{row}})
}

// court applies a file of cases.
func (f *followed) court(days int, cases ...*snapshot.CourtRow) {
	f.t.Helper()
	for _, c := range cases {
		c.SeenAt = f.after(days)
	}
	_, _, err := f.Store.ReconcileCourts(f.Ctx, f.Reconciler(f.t, "court", f.after(days), false), modelstest.Each(cases))
	require.NoError(f.t, err)
}

// kase is a case that names a booking or none, of somebody born in June of a year; 0: it does not say.
func (f *followed) kase(number, booking string, born int) *snapshot.CourtRow {
	c := &snapshot.CourtRow{
		CaseKey: snapshot.CaseKey{CountyID: f.county, CourtType: "state", Number: number, Party: "1"}, Whole: true, Line: 1,
		Fingerprint: fmt.Append(nil, number, born),
		Case: &snapshot.CaseFacts{
			Defendant: "MOONSAIL, ORLA", Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 7, Day: 1}, Status: "pending", BookingKey: booking,
		},
	}
	if born != 0 {
		c.Case.DOB, c.Case.BirthYear = &models.Date{Year: born, Month: 6, Day: 1}, int16(born)
	}
	return c
}

// id is the id of the case with a number.
func (f *followed) id(number string) string {
	f.t.Helper()
	cases, err := f.Store.CourtCasesByNumber(f.Ctx, number, nil, nil)
	require.NoError(f.t, err)
	require.Len(f.t, cases, 1)
	return cases[0].ID()
}

// withheld is why the booking is withheld; empty: it is published.
func (f *followed) withheld() (reason string) {
	f.t.Helper()
	require.NoError(f.t, f.Pool.QueryRow(f.Ctx, `select coalesce(withheld::text, '') from bookings`).Scan(&reason))
	return reason
}

// sound holds that to resolve anew changes nothing.
func (f *followed) sound() {
	f.t.Helper()
	for _, family := range claim.Families() {
		rebuilt, err := f.Store.Rebuild(f.Ctx, family, true)
		require.NoError(f.t, err)
		require.Empty(f.t, rebuilt.Changes, family)
	}
}

// One case names the booking, and another one says that the person was 16. Once they are one case, the booking is withheld.
func TestABookingFollowsCasesThatAreMerged(t *testing.T) {
	t.Parallel()
	f := withNumber(t)
	f.jail(1)
	f.court(200, f.kase("A", "K1", 0), f.kase("B", "", 2009))
	require.Empty(t, f.withheld())
	kept, gone := f.id("A"), f.id("B")
	f.Now = f.after(201)
	require.NoError(t, f.Store.MergeCases(f.Ctx, kept, gone))
	require.Equal(t, "maybe juvenile", f.withheld())
	f.sound()
	f.Now = f.after(202)
	require.NoError(t, f.Store.Unmerge(f.Ctx, models.Courts, gone, "desk", "looked at"))
	require.Empty(t, f.withheld())
	f.sound()
}

// What a merged case said of the birth before its court corrected it withholds nobody.
func TestAMergedCaseIsNoCause(t *testing.T) {
	t.Parallel()
	f := withNumber(t)
	f.court(200, f.kase("A", "", 0), f.kase("B", "K1", 2009))
	kept, gone := f.id("A"), f.id("B")
	f.Now = f.after(201)
	require.NoError(t, f.Store.MergeCases(f.Ctx, kept, gone))
	f.Now = f.after(202)
	f.court(202, f.kase("B", "K1", 2008)) // 17 at the booking
	f.jail(203)
	require.Empty(t, f.withheld())
}
