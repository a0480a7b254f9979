package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

func TestARowThatStampsItselfWithTheFutureIsQuarantinedAndReleasesNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "county-a", "[id, name, booked, bond]", "[id, name, booked, bond, seen]", "bond: bond", "bond: bond, observed_at: {from: seen, layouts: ['2006-01-02 15:04']}")
	list := func(stamp string) string {
		text := strings.ReplaceAll(roster(4), "$500.00\n", "$500.00,2026-03-09 07:00\n")
		return strings.Replace(strings.Replace(text, "bond\n", "bond,seen\n", 1), "2026-03-09 07:00", stamp, 1)
	}
	b.runSource(s, "roster.csv", list("2026-03-09 07:00"), b.now)
	b.now = b.now.Add(time.Hour)
	r := b.runSource(s, "roster.csv", list("2099-03-09 07:00"), b.now)
	require.Equal(t, map[string]int{"booking.observed_at: lies in the future": 1}, r.Reasons, r.String())
	require.Equal(t, []any{true, 0}, []any{r.Complete, r.Closed}, r.String())
	require.Zero(t, one[int](b, `select count(*) from roster_claims where said_at > $1`, b.now))
}

// The clock of the machine was wrong once: what was read then is newer than all that comes until 2099.
func TestASourceThatKnowsTheFutureFailsUntilItIsHealed(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*ingest.Source{"a source of one county": rosterSource(t, "county-a", 1), "a county of a source": many(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			list := func(n int, bond string) string {
				if name == "a source of one county" {
					return strings.ReplaceAll(roster(n), "$500.00", bond)
				}
				return manyColumns + rowsOf(n, bond, "Appling") + "#end\n"
			}
			b.runSource(s, "roster.csv", list(5, "$500.00"), b.now)
			_, err := b.db.Pool.Exec(t.Context(), `with a as (update sources set last_complete = '2099-01-01'), c as (update runs set snapshot_at = '2099-01-01') update roster_claims set said_at = '2099-01-01'`)
			require.NoError(t, err)
			b.now = b.now.Add(time.Hour)
			file := filepath.Join(b.dir, "next.csv")
			require.NoError(t, os.WriteFile(file, []byte(list(4, "$700.00")), 0o600))
			read := func() (*ingest.Report, error) {
				return b.runner.Run(t.Context(), s, ingest.Input{Files: []string{file}, At: b.now})
			}
			failed := fmt.Sprint(read())
			require.Contains(t, failed, "rollcall sources heal "+s.ID)
			require.Equal(t, 5, one[int](b, `select count(*) from bookings where status = 'booked'`))
			healed, err := b.store.HealSource(t.Context(), s.ID, b.now, ingest.Ahead)
			require.NoError(t, err)
			require.NotEmpty(t, healed)
			r, err := read()
			require.NoError(t, err)
			require.Equal(t, []any{source.RunOK, 0, 1, 4}, []any{r.State, r.Older, r.Closed, r.Changed}, r.String())
		})
	}
}

func TestChangedColumnsAreInDoubtUntilTheyAreAsBeforeOrAccepted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "county-a", "bond], end", "bond], optional: [note], end")
	load := func(text string) bool {
		b.now = b.now.Add(time.Hour)
		return b.runSource(s, "roster.csv", text, b.now).Complete
	}
	more := func(column, text string) string {
		return strings.ReplaceAll(strings.Replace(text, "bond\n", "bond,"+column+"\n", 1), "$500.00\n", "$500.00,x\n")
	}
	require.True(t, load(roster(5)))
	require.True(t, load(more("note", roster(5))), "an optional column may come")
	require.True(t, load(roster(5)), "and go")
	for range 3 {
		require.False(t, load(more("wing", roster(5, 1))))
	}
	require.Contains(t, one[string](b, `select note from sources`), "rollcall sources accept")
	require.Equal(t, 5, one[int](b, `select count(*) from bookings where status = 'booked'`))
	require.True(t, load(roster(5)), "as before")
	require.False(t, load(more("wing", roster(5, 1))))
	require.NoError(t, b.store.AcceptColumns(t.Context(), s.ID))
	require.True(t, load(more("wing", roster(5, 1))))
	require.True(t, load(more("wing", roster(5, 1))))
	require.Equal(t, 4, one[int](b, `select count(*) from bookings where status = 'booked'`))
}

// What another source reports while the clock is wrong, or after it, is not older than what was read by that clock.
func TestAHealedSourceClaimsNothingFromTheFuture(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]bool{"reported before the source was healed": true, "reported after it": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			a, other := sourceWith(t, "county-a"), sourceWith(t, "county-b")
			read := func(s *ingest.Source, key, bond string) {
				b.runSource(s, s.ID+".csv", "id,name,booked,bond\n"+key+`,"MOONSAIL, ORLA",2026-01-05 10:00,`+bond+"\n#end\n", b.now)
			}
			read(a, "K1", "$100.00")
			read(other, "Z1", "$100.00")
			now := b.now
			b.now = now.AddDate(4, 0, 0)
			read(a, "K1", "$200.00")
			b.now = now.Add(2 * time.Hour)
			if before {
				read(other, "Z1", "$300.00")
			}
			healed, err := b.store.HealSource(t.Context(), a.ID, b.now, ingest.Ahead)
			require.NoError(t, err)
			require.NotEmpty(t, healed)
			b.now = now.Add(3 * time.Hour)
			read(a, "K1", "$200.00")
			b.now = now.Add(4 * time.Hour)
			read(other, "Z1", "$300.00")
			require.Zero(t, one[int](b, `select count(*) from roster_claims where source_id = 'county-a' and (since::text like '%2030%' or evidence::text like '%2030%' or facts::text like '%2030%' or first_at > '2027-01-01')`))
			if !before {
				require.Equal(t, 30_000, one[int](b, `select bond_cents from bookings`))
			}
			r, err := b.store.Rebuild(t.Context(), "roster", true)
			require.NoError(t, err)
			require.Empty(t, r.Changes)
		})
	}
}

// A release that is stated without its time is dated by the file, so by the clock that was wrong.
func TestAHealedSourceReleasedNobodyInTheFuture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "county-a", "[id, name, booked, bond]", "[id, name, booked, bond, held]", "bond: bond", "bond: bond, released: {from: held, values: {IN: no, OUT: yes}}")
	list := func(held string) string {
		return "id,name,booked,bond,held\nK1,\"MOONSAIL, ORLA\",2026-01-05 10:00,$1.00," + held + "\nK2,\"THISTLEDOWN, PIP\",2026-01-05 11:00,$1.00,IN\n#end\n"
	}
	now := b.now
	b.runSource(s, "a.csv", list("IN"), b.now)
	b.now = now.AddDate(0, 0, 10)
	b.runSource(s, "a.csv", list("OUT"), b.now)
	b.now = now.Add(2 * time.Hour)
	_, err := b.store.HealSource(t.Context(), s.ID, b.now, ingest.Ahead)
	require.NoError(t, err)
	released := func() time.Time { return one[time.Time](b, `select released_at from bookings where name like 'MOON%'`) }
	require.False(t, released().After(b.now), "released at %s, and it is %s", released(), b.now)
	healed := released()
	b.now = now.Add(3 * time.Hour)
	b.runSource(s, "a.csv", list("OUT"), b.now)
	require.Equal(t, healed, released())
}

func TestAHealedSourceSawNobodyInTheFuture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "county-a", "[id, name, booked, bond]", "[id, name, booked, bond, juvenile]", "bond: bond", "bond: bond, juvenile: juvenile")
	list := func(bond, flag, more string) string {
		return "id,name,booked,bond,juvenile\nK1,\"MOONSAIL, ORLA\",2026-01-05 10:00," + bond + ",N\nK2,\"THISTLEDOWN, PIP\",2026-01-05 11:00,$1.00," + flag + "\n" + more + "#end\n"
	}
	now := b.now
	b.runSource(s, "a.csv", list("$1.00", "N", ""), b.now)
	b.now = now.AddDate(0, 0, 10)
	b.runSource(s, "a.csv", list("$2.00", "Y", "K3,\"BRACKENRIDGE, TOLLIVER\",2026-03-08 11:00,$1.00,N\n"), b.now)
	b.now = now.Add(2 * time.Hour)
	_, err := b.store.HealSource(t.Context(), s.ID, b.now, ingest.Ahead)
	require.NoError(t, err)
	require.Zero(t, one[int](b, `select count(*) from bookings where first_seen > $1 or last_seen > $1 or withheld_since > $1`, b.now))
	for name, at := range b.seen(models.Roster, "bookings", "rid", "name") {
		require.False(t, at.After(b.now), "%s was last seen at %s, and it is %s", name, at, b.now)
	}
	t.Log("what is decided now counts")
	b.now = now.Add(3 * time.Hour)
	b.runSource(s, "a.csv", list("$2.00", "N", ""), b.now)
	require.Contains(t, b.hiding(), "THISTLEDOWN, PIP maybe juvenile")
	b.now = b.now.Add(time.Hour)
	require.NoError(t, b.store.Review(t.Context(), one[string](b, `select id from bookings where name like 'THIS%'`), models.ReviewLifted, "desk", "of age"))
	require.Contains(t, b.hiding(), "THISTLEDOWN, PIP public")
	b.runSource(s, "a.csv", list("$2.00", "N", ""), b.now.Add(time.Hour))
	require.False(t, one[time.Time](b, `select max(last_seen) from bookings`).After(b.now.Add(time.Hour)))
	r, err := b.store.Rebuild(t.Context(), models.Roster, true)
	require.NoError(t, err)
	require.Empty(t, r.Changes)
}
