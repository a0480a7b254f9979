package claim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// A jail publishes whole lists, and sends what changed besides. A message may be sent again as it was after a list lacked the
// person, which opens nothing; a changed one does. To resolve anew never says otherwise.
func TestAListAndMessagesOfOneJailResolveAnewToTheSame(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	trial, reopened := 0, 0
	property.Check(t, 30, func(r *rapid.T) {
		trial++
		begin := time.Date(2000, 1, 1, 15, 0, 0, 0, time.UTC).AddDate(0, 0, 7*trial)
		whole, changes := fmt.Sprintf("w%d", trial), fmt.Sprintf("c%d", trial)
		b.roster(r, whole)
		b.changing(r, changes)
		var parts []func()
		for _, l := range drawLists(r, fulton.ID, begin) {
			l.hour *= 2
			parts = append(parts, func() { b.list(r, whole, begin.AddDate(0, 0, 1), l) })
		}
		messages := drawMessages(r, fulton.ID, begin)
		again := rapid.SliceOfN(rapid.SampledFrom(messages), 0, 3).Draw(r, "again")
		for i := range again {
			again[i].hour = 10 + i
		}
		for _, m := range append(messages, again...) {
			parts = append(parts, func() { b.reports(r, changes, begin.AddDate(0, 0, 1), m) })
		}
		for _, part := range rapid.Permutation(parts).Draw(r, "order") {
			part()
			rebuilt, err := b.Store.Rebuild(b.Ctx, models.Roster, true)
			require.NoError(r, err)
			require.Empty(r, rebuilt.Changes, "to resolve anew changes nothing")
		}
		var open int
		require.NoError(r, b.Pool.QueryRow(b.Ctx, `select count(*) from record_changes v join roster_claims c on c.record = v.record
 where c.source_id = $1 and v.family = 'roster' and v.field = 'released_at' and v.after is null`, changes).Scan(&open))
		reopened += open
	})
	if trial >= 300 { // few of the ordinary run may be without one
		require.NotZero(t, reopened, "some booking was open again")
	}
}

// A file of changes whose hours overlap says the same again and again. It does not open a booking each time that the list of the
// jail lacks the person.
func TestAMessageThatIsSentAgainOpensNothing(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	b.roster(t, "list")
	b.changing(t, "changes")
	begin := time.Date(2026, 3, 1, 15, 0, 0, 0, time.UTC)
	row := func(key, name string) snapshot.RosterRow {
		bond := int64(50000)
		return snapshot.RosterRow{Key: key, CountyID: fulton.ID, Name: name, BookedAt: begin, BondCents: &bond, Line: 1, Fingerprint: []byte(key)}
	}
	stays, orla := row("F", "THISTLEDOWN, PIP"), row("L", "MOONSAIL, ORLA")
	again := row("K", "MOONSAIL, ORLA")
	again.Changes = true
	b.list(t, "list", begin, list{hour: 1, complete: true, rows: []snapshot.RosterRow{stays, orla}})
	for hour := 2; hour < 10; hour++ {
		b.list(t, "list", begin, list{hour: hour, complete: true, rows: []snapshot.RosterRow{stays}})
		b.reports(t, "changes", begin.Add(30*time.Minute), message{hour, again})
	}
	var releases int
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select count(*) from changes where kind = 'release'`).Scan(&releases))
	require.Equal(t, 2, releases, "the list lacked her, a source that never reported her did, and the list lacked her again")
}
