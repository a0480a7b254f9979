package record_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
	"rollcall/models/source"
)

// drawn gives one of the values.
func drawn[T any](r *rapid.T, what string, values ...T) T {
	return rapid.SampledFrom(values).Draw(r, what)
}

// bookingFacts are the published facts of a booking that history tells about.
func bookingFacts(b *models.Booking) string {
	return fmt.Sprint(b.Name, b.Dob, modelstest.Deref(b.BirthYear), b.BookingDate.UTC(), utc(b.ReleaseDate), b.ReleaseInferred, b.Charges, modelstest.Deref(b.BondCents), b.Status)
}

func utc(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().String()
}

// drawBookings draws what a jail lists in run number i of a trial.
func drawBookings(r *rapid.T, county int16, trial, i int, at time.Time) (rows []*snapshot.RosterRow) {
	booked := at.Truncate(24*time.Hour).AddDate(0, 0, -trial) // of no other trial
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"1", "2", "3"}), 0, 3, rapid.ID).Draw(r, "listed") {
		bond := int64(1000*(i+1) + trial) // of no other run
		row := &snapshot.RosterRow{
			Key: key, CountyID: county, Name: drawn(r, "name", "ROE, RAY", "ROE, RAYMOND") + " " + key, BookedAt: booked.Add(drawn(r, "booked", 0, time.Minute)),
			Charges: drawn(r, "charges", nil, []snapshot.Charge{{Description: `THEFT "A"`}, {Description: "B, C"}}), BondCents: drawn(r, "bond", nil, &bond, &bond),
			Withheld: models.WithheldReason(drawn(r, "withheld", "", "", "juvenile")), SeenAt: at, Line: 1, Fingerprint: fmt.Append(nil, i, key),
		}
		if rapid.Bool().Draw(r, "born") {
			row.DOB, row.BirthYear = &models.Date{Year: 1990, Month: 5, Day: 17}, 1990
		}
		if drawn(r, "released", false, false, true) {
			released := at.Add(-time.Minute)
			row.ReleasedAt, row.ReleaseInferred = &released, rapid.Bool().Draw(r, "inferred")
		}
		rows = append(rows, row)
	}
	return rows
}

// moment is what callers could read after a run.
type moment struct {
	at    time.Time
	facts map[string]string // of published bookings, by id
}

// look notes the published bookings of a source, and adds their bonds to those that were ever published.
func (b *bundle) look(t require.TestingT, source string, at time.Time, bonds map[string]bool) moment {
	m := moment{at: at, facts: map[string]string{}}
	for _, id := range b.idsOf(t, source) {
		k, err := b.Store.BookingByID(b.Ctx, id)
		if models.CodeOf(err) == models.CodeNotFound {
			continue
		}
		require.NoError(t, err)
		m.facts[id] = bookingFacts(k)
		if k.BondCents != nil {
			bonds[fmt.Sprintf("%s %d.%02d", id, *k.BondCents/100, *k.BondCents%100)] = true
		}
	}
	return m
}

// idsOf gives the ids of a source's bookings, withheld ones too.
func (b *bundle) idsOf(t require.TestingT, source string) []string {
	rows, err := b.Pool.Query(b.Ctx, `select id from bookings where source_id = $1`, source)
	require.NoError(t, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return ids
}

// TestABookingAsOfEachRunIsWhatWasPublishedThen runs random snapshots over the tables, notes after each
// what callers could read, and asks for all of it again at the end.
func TestABookingAsOfEachRunIsWhatWasPublishedThen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	start := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	trial := 0
	property.Check(t, 20, func(r *rapid.T) {
		trial++
		id := fmt.Sprintf("jail-%d", trial)
		_, err := b.Store.PutSource(b.Ctx, source.Entry{ID: id, Title: id, Kind: "roster"})
		require.NoError(r, err)
		var moments []moment
		bonds := map[string]bool{}
		for i := range rapid.IntRange(2, 6).Draw(r, "runs") {
			at := start.Add(time.Duration(i) * time.Hour)
			rows := drawBookings(r, fulton.ID, trial, i, at)
			_, _, err := b.Store.ReconcileRoster(b.Ctx, b.Reconciler(r, id, at, len(rows) > 0 && rapid.Bool().Draw(r, "complete")), modelstest.Each(rows))
			require.NoError(r, err)
			moments = append(moments, b.look(r, id, at, bonds))
		}
		now := moments[len(moments)-1]
		for _, id := range b.idsOf(r, id) {
			for _, m := range moments {
				at := m.at.Add(drawn(r, "later", 0, 59*time.Minute))
				then, err := b.Store.BookingAsOf(b.Ctx, id, at)
				if now.facts[id] == "" || m.facts[id] == "" { // what is withheld today has no past either
					require.Equal(r, models.CodeNotFound, models.CodeOf(err), id)
					continue
				}
				require.NoError(r, err)
				require.Equal(r, m.facts[id], bookingFacts(then))
				require.False(r, then.LastChange.After(at) || then.LastSeen.After(at))
			}
			_, err = b.Store.BookingAsOf(b.Ctx, id, start.Add(-time.Hour))
			require.Equal(r, models.CodeNotFound, models.CodeOf(err), "before it was first seen")
			for _, c := range b.History(r, models.Roster, id) {
				require.NotContains(r, []string{"withheld", "planned_release", "plannedRelease"}, c.Field)
				for _, amount := range []*string{c.Before, c.After} {
					if c.Field == "bondAmount" && amount != nil {
						require.True(r, bonds[id+" "+*amount], "%s was never published", *amount)
					}
				}
			}
		}
	})
}
