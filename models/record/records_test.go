package record_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/record"
)

// A read has one definition. Whether GORM or pgx executes its statement, the records are equal, and so is the number beside them.
func TestGormAndPgxReadTheSame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	b.Exec(t, `update bookings set release_after = released_at where release_inferred`) // the person is absent
	since, one := at(t, "2000-01-01T00:00:00Z"), models.Page{Limit: 1}
	bookings, err := b.Store.ListBookings(b.Ctx, models.RosterFilter{}, one)
	require.NoError(t, err)
	equal(t, b, bookings.PageInfo, record.BookingList, map[string]models.RosterFilter{
		"all bookings":         {},
		"booked in a county":   {County: new("fulton"), Status: new(models.Booked)},
		"bookings of a day":    {FromDate: modelstest.Day(t, "2026-03-01"), ToDate: modelstest.Day(t, "2026-03-01")},
		"bookings changed":     {UpdatedSince: &since},
		"bookings by a name":   {Name: new("doe")},
		"bookings by names":    {Name: new("jane doe"), County: new("fulton")},
		"bookings by letters":  {Name: new("j a n e")},
		"bookings of nobody":   {Name: new("mallory"), FromDate: modelstest.Day(t, "2026-03-01")},
		"bookings of no place": {County: new("cobb")},
	})
	courts, err := b.Store.ListCourtCases(b.Ctx, models.CourtFilter{}, one)
	require.NoError(t, err)
	equal(t, b, courts.PageInfo, record.CourtList, map[string]models.CourtFilter{
		"all cases":             {},
		"cases of a county":     {County: new("fulton"), CourtType: new(models.StateCourt), Status: new(models.PendingCase)},
		"cases changed":         {KnownStatus: true, UpdatedSince: &since},
		"cases of a number":     {CaseNumber: new(" C1 ")},
		"cases by their number": {CaseNumberStart: new("C1-"), County: new("cobb")},
		"cases by a name":       {Name: new("jane")},
	})
	offenders, err := b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{}, one)
	require.NoError(t, err)
	equal(t, b, offenders.PageInfo, record.CorrectionsList, map[string]models.CorrectionsFilter{
		"all offenders":       {},
		"offenders of a kind": {Category: new(models.Offender), Status: new(models.Incarcerated), KnownStatus: true},
		"an offender":         {GdcID: new("G1"), UpdatedSince: &since},
		"offenders by a name": {Name: new("doe jane")},
	})
	s := record.New(b.Store.DB, 0)
	for _, keys := range [][]int64{{1, 2, 3, 99}, {99}, {}} {
		read := record.BookingsByKeys(b.Ctx, s, keys)
		executed(t, read)
		found, _, err := read.Gorm()
		require.NoError(t, err)
		for _, each := range found {
			require.Equal(t, each.ReleaseInferred, each.ReleaseAbsent, each.ID)
		}
		executed(t, record.CasesByKeys(b.Ctx, s, keys))
		executed(t, record.CorrectionsByKeys(b.Ctx, s, keys))
	}
}

// equal compares the two executions of a list: of its first pages, one that begins behind the first record of all, and one
// past the end.
func equal[R, F any](t *testing.T, b *bundle, first models.PageInfo, list func(context.Context, *record.Store, F, models.Page) (record.Read[R], error), filters map[string]F) {
	t.Helper()
	cursor, err := first.End()
	require.NoError(t, err)
	s := record.New(b.Store.DB, 0)
	for name, f := range filters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, p := range []models.Page{{Limit: 10}, {Limit: 1, Offset: 1}, {Limit: 1, After: cursor}, {Limit: 1, Offset: 9}} {
				read, err := list(b.Ctx, s, f, p)
				require.NoError(t, err)
				executed(t, read)
			}
		})
	}
}

// executed compares the two executions of one statement.
func executed[R any](t *testing.T, read record.Read[R]) {
	t.Helper()
	byGorm, beside, err := read.Gorm()
	require.NoError(t, err)
	byPgx, n, err := read.Pgx()
	require.NoError(t, err)
	require.Equal(t, byGorm, byPgx)
	if len(byGorm) > 0 { // without a record GORM does not know the number
		require.Equal(t, n, beside)
	}
}
