package claim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
)

// A message shows somebody whom the list of that hour lacks already. Then the next list dates the release, also where it comes late.
func TestALateListDatesAReleaseAnew(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	b.roster(t, "list")
	b.changing(t, "changes")
	begin := time.Date(2026, 3, 1, 15, 0, 0, 0, time.UTC)
	row := func(key, name string) snapshot.RosterRow {
		return snapshot.RosterRow{Key: key, CountyID: fulton.ID, Name: name, BookedAt: begin, Line: 1, Fingerprint: []byte(key)}
	}
	stays, leaves := row("F", "THISTLEDOWN, PIP"), row("L", "MOONSAIL, ORLA")
	said := leaves
	said.Changes = true
	without := func(hour int) list { return list{hour: hour, complete: true, rows: []snapshot.RosterRow{stays}} }
	b.list(t, "list", begin, list{hour: 1, complete: true, rows: []snapshot.RosterRow{stays, leaves}})
	b.reports(t, "changes", begin, message{3, said})
	b.list(t, "list", begin, without(7), without(3), without(5))
	var released time.Time
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select released_at from bookings where name = 'MOONSAIL, ORLA'`).Scan(&released))
	require.Equal(t, begin.Add(5*time.Hour), released.UTC())
	rebuilt, err := b.Store.Rebuild(b.Ctx, models.Roster, true)
	require.NoError(t, err)
	require.Empty(t, rebuilt.Changes)
}
