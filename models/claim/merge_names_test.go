package claim_test

import (
	"cmp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

// An operator said that two people of different names are one, so either name is that person's.
func TestAMergedPersonHasTheNamesOfBothKeys(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stayed, went string // the names under the two keys; empty: the key is not listed
	}{
		"both keys are listed":                    {orla, tolliver},
		"the key that went":                       {"", tolliver},
		"the key that stayed":                     {orla, ""},
		"the key that went, under the other name": {"", orla},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := withJailFiles(t)
			rows := func(bond int64, stayed, went string) []snapshot.RosterRow {
				list := []snapshot.RosterRow{j.row("F", "THISTLEDOWN, PIP", 1, 0, 1)}
				if stayed != "" {
					list = append(list, j.row("K1", stayed, 2, 0, bond))
				}
				if went != "" {
					list = append(list, j.row("K2", went, 5, 0, bond))
				}
				return list
			}
			j.reads(lists, 6, rows(500, orla, tolliver)...)
			j.merges(orla, tolliver)
			require.Empty(t, j.reads(lists, 7, rows(600, c.stayed, c.went)...).Rejected)
			require.Contains(t, j.bookings(), "booked 600")
			require.NotContains(t, j.bookings(), "500")
			second := cmp.Or(c.went, tolliver)
			require.Empty(t, j.reads(lists, 8, rows(700, orla, second)...).Rejected)
			require.Contains(t, j.bookings(), orla+" 2 booked 700", "its own key leads again")
			require.Len(t, j.reads(lists, 9, rows(800, "LANTERNWOOD, AZ", second)...).Rejected, 1, "somebody else is not the person")
		})
	}
}

// Of two merged bookings the later one is no booking of somebody else under its number, though the earlier one is over.
func TestTheKeyOfAMergedBookingIsNotUsedAgain(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	over := j.row("K1", orla, 2, 4, 500)
	j.reads(lists, 6, over, j.row("K2", orla, 5, 0, 500))
	require.Equal(t, orla+" 2 released 4 500; "+orla+" 5 booked 500", j.bookings())
	var ids []string
	require.NoError(t, j.Pool.QueryRow(j.Ctx, `select array_agg(id order by booked_at) from bookings`).Scan(&ids))
	require.NoError(t, j.Store.MergeBookings(j.Ctx, ids[0], ids[1]))
	j.reads(lists, 7, over, j.row("K2", orla, 5, 0, 600))
	require.Equal(t, orla+" 2 released 4 500", j.bookings())
	require.NoError(t, j.Store.Unmerge(j.Ctx, "roster", ids[1], "desk", "looked at"))
	require.Equal(t, orla+" 2 released 4 500; "+orla+" 5 booked 600", j.bookings())
}

// What another source first reports under the id that went, by the name that went, is of the merged person.
func TestAnotherSourceReportsTheOffenderThatWentByItsName(t *testing.T) {
	t.Parallel()
	b, _ := prison(t)
	b.Exec(t, `insert into sources (id, title, kind, enabled) values ('prison2', 'Prison 2', 'corrections', true)`)
	offender := func(source string, hour int, id, name, institution string) snapshot.Applied {
		at := b.Now.Add(time.Duration(hour) * time.Hour)
		o := modelstest.Offender(institution, "incarcerated", "", at)
		o.GDCID, o.Name = id, name
		o.Fingerprint = append(o.Fingerprint, (id + name)...)
		rec := b.Reconciler(t, source, at, false)
		rec.Tracks = false
		a, _, err := b.Store.ReconcileCorrections(b.Ctx, rec, modelstest.Each([]*snapshot.CorrectionsRow{o}))
		require.NoError(t, err)
		return a
	}
	offender("prison", 1, "1000412", orla, "LEE")
	offender("prison", 2, "1000999", tolliver, "HAYS")
	b.Now = b.Now.Add(3 * time.Hour)
	require.NoError(t, b.Store.Merge(b.Ctx, models.Corrections, "1000412", "1000999", "desk"))
	require.Empty(t, offender("prison2", 1, "1000999", tolliver, "SMITH").Rejected)
}
