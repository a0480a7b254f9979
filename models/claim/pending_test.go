package claim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

// message is what a jail that reports only changes says of one booking at an hour.
type message struct {
	hour int
	row  snapshot.RosterRow // without its instant
}

// drawMessages draws what a jail reports of two bookings: bookings with changed bonds, releases that name only a number, and
// corrections of these, in any order of instants: where only changes are reported, a booking message says nothing of a release.
func drawMessages(r *rapid.T, county int16, booked time.Time) (all []message) {
	hour := 0
	for p := range 2 {
		key := fmt.Sprintf("K%d", p)
		for range rapid.IntRange(1, 2).Draw(r, "bookings") {
			hour++
			bond := int64(rapid.IntRange(1, 3).Draw(r, "bond")) * 10000
			agency := rapid.SampledFrom([]string{"GSP", "GBI"}).Draw(r, "agency")
			all = append(all, message{hour, snapshot.RosterRow{
				Key: key, CountyID: county, Name: fmt.Sprintf("MOONSAIL %c, ORLA", 'A'+p), BookedAt: booked.Add(time.Duration(p) * time.Hour),
				BondCents: &bond, Agency: agency, Changes: true, Line: 1, Fingerprint: fmt.Append(nil, key, bond, agency),
			}})
		}
		for range rapid.IntRange(0, 2).Draw(r, "releases") {
			hour++
			at := booked.Add(time.Duration(rapid.IntRange(5, 9).Draw(r, "released")) * time.Hour)
			all = append(all, message{hour, snapshot.RosterRow{Key: key, KeyOnly: true, ReleasedAt: &at, Line: 1, Fingerprint: fmt.Append(nil, key, at)}})
		}
	}
	hours := rapid.Permutation(all).Draw(r, "instants")
	for i := range all {
		all[i].hour = hours[i].hour
	}
	slices.SortFunc(all, func(a, b message) int { return a.hour - b.hour })
	return all
}

// reports applies messages of a source, each as a file of its own.
func (b *records) reports(t require.TestingT, source string, at time.Time, messages ...message) (pending, resolved int) {
	for _, m := range messages {
		when := at.Add(time.Duration(m.hour) * time.Hour)
		row := m.row
		row.SeenAt = when
		rec := b.Reconciler(t, source, when, false)
		rec.Tracks, rec.Releases = false, false
		applied, _, err := b.Store.ReconcileRoster(b.Ctx, rec, modelstest.Each([]*snapshot.RosterRow{&row}))
		require.NoError(t, err)
		pending, resolved = pending+applied.Pending, resolved+applied.Resolved
	}
	return pending, resolved
}

// Messages of a jail come in any order: a release that comes before its booking waits for it, and both together say what they
// say in the order of their instants.
func TestAnyOrderOfBookingsAndReleasesLeadsToTheSameBookings(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	cobb, err := b.Store.Counties().BySlug("cobb")
	require.NoError(t, err)
	trial, waited := 0, 0
	property.Check(t, 30, func(r *rapid.T) {
		trial++
		begin := time.Date(2000, 1, 1, 15, 0, 0, 0, time.UTC).AddDate(0, 0, 7*trial)
		ordered, mixed := fmt.Sprintf("o%d", trial), fmt.Sprintf("m%d", trial)
		b.changing(r, ordered)
		b.changing(r, mixed)
		series := drawMessages(r, fulton.ID, begin)
		b.reports(r, ordered, begin.AddDate(0, 0, 1), series...)
		elsewhere := make([]message, len(series)) // of another county, or the two would be one jail's
		for i, m := range series {
			if elsewhere[i] = m; !m.row.KeyOnly {
				elsewhere[i].row.CountyID = cobb.ID
			}
		}
		order := rapid.Permutation(append(elsewhere, rapid.SliceOfN(rapid.SampledFrom(elsewhere), 0, 2).Draw(r, "again")...)).Draw(r, "order")
		pending, resolved := b.reports(r, mixed, begin.AddDate(0, 0, 1), order...)
		waited += min(pending, resolved)
		require.Equal(r, b.told(r, ordered), b.told(r, mixed))
		counts, err := b.Store.PendingCounts(b.Ctx, mixed)
		require.NoError(r, err)
		require.Empty(r, counts, "both bookings came")
		rebuilt, err := b.Store.Rebuild(b.Ctx, models.Roster, true)
		require.NoError(r, err)
		require.Empty(r, rebuilt.Changes, "to resolve anew changes nothing")
	})
	require.NotZero(t, waited, "some release came before its booking")
}
