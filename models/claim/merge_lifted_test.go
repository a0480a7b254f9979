package claim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

func (j *jailFiles) readsLate(source string, hour int, rows ...snapshot.RosterRow) snapshot.Applied {
	j.t.Helper()
	list := source == lists
	rec := j.Reconciler(j.t, source, j.at(hour), list)
	rec.Tracks, rec.Releases, rec.Now = list, list, j.Now
	file := make([]*snapshot.RosterRow, len(rows))
	for i := range rows {
		r := rows[i]
		r.SeenAt, r.Changes, r.Line = j.at(hour), !list && !r.KeyOnly, int64(i+1)
		file[i] = &r
	}
	applied, _, err := j.Store.ReconcileRoster(j.Ctx, rec, modelstest.Each(file))
	require.NoError(j.t, err)
	return applied
}

func TestALiftOfAVanishedRecordEndsWhenItIsListedAgain(t *testing.T) {
	t.Parallel()
	for name, merge := range map[string]bool{"not merged": false, "merged in between": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, tell := prison(t)
			b.Exec(t, `update sources set whole_since = '2026-01-01' where id = 'prison'`)
			start := b.Now
			tell(true, "1000412 LEE", "1000999 HAYS")
			tell(true, "1000412 LEE")
			tell(true, "1000412 LEE")
			b.Now = start.Add(4 * time.Hour)
			shown := func() (s string) {
				require.NoError(t, b.Pool.QueryRow(b.Ctx, `select string_agg(concat_ws(' ', gdc_id, institution, withheld), '; ' order by gdc_id) from corrections_records`).Scan(&s))
				return s
			}
			require.Contains(t, shown(), "1000999 HAYS vanished")
			require.NoError(t, b.Store.Review(b.Ctx, "1000999", models.ReviewLifted, "desk", "looked at"))
			require.NotContains(t, shown(), "vanished")
			if merge {
				require.NoError(t, b.Store.Merge(b.Ctx, models.Corrections, "1000412", "1000999", "desk"))
			}
			b.Now = start // of which the hours of the prison are counted
			tell(true, "1000412 LEE", "1000999 HAYS")
			tell(true, "1000412 LEE")
			tell(true, "1000412 LEE")
			b.Now = start.Add(9 * time.Hour)
			if merge {
				require.NoError(t, b.Store.Unmerge(b.Ctx, models.Corrections, "1000999", "desk", "looked at"))
			}
			require.Equal(t, "1000412 LEE; 1000999 HAYS vanished", shown())
		})
	}
}

// What was lifted is reviewed again where its ground ended by itself and began anew while merged.
func TestALiftThatEndedWhileMergedStaysEnded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		merge bool
		lag   int
	}{"not merged": {false, 0}, "merged": {true, 0}, "merged, with data of two hours ago": {true, 3}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := withJailFiles(t)
			two := func(withheld models.WithheldReason, born int, more string) snapshot.RosterRow {
				r := j.row("K2", tolliver, 2, 0, 500)
				r.Withheld, r.Fingerprint = withheld, append(r.Fingerprint, (string(withheld)+more)...)
				if born != 0 {
					r.DOB, r.BirthYear = &models.Date{Year: born, Month: 5, Day: 5}, int16(born)
				}
				return r
			}
			adult := j.row("K1", orla, 2, 0, 500)
			adult.DOB, adult.BirthYear = &models.Date{Year: 1980, Month: 5, Day: 5}, 1980
			at := func(hour int) int { j.Now = j.at(hour + c.lag); return hour }
			j.readsLate(lists, at(3), adult, two("maybe juvenile", 0, ""))
			var id string
			require.NoError(t, j.Pool.QueryRow(j.Ctx, `select id from bookings where name = $1`, tolliver).Scan(&id))
			shown := func() (s string) {
				require.NoError(t, j.Pool.QueryRow(j.Ctx, `select coalesce(withheld::text, 'shown') from bookings where id = $1`, id).Scan(&s))
				return s
			}
			require.Equal(t, "maybe juvenile", shown())
			require.NoError(t, j.Store.Review(j.Ctx, id, models.ReviewLifted, "desk", "looked at"))
			require.Equal(t, "shown", shown())
			j.Now = j.Now.Add(30 * time.Minute)
			if c.merge {
				require.NoError(t, j.Store.MergeBookings(j.Ctx, j.id(orla), id))
			}
			j.readsLate(lists, at(4), adult, two("", 1985, "")) // an adult: the ground is over
			j.readsLate(lists, at(5), adult, two("maybe juvenile", 0, "again"))
			j.Now = j.at(12)
			if c.merge {
				require.NoError(t, j.Store.Unmerge(j.Ctx, models.Roster, id, "desk", "looked at"))
			}
			require.Equal(t, "maybe juvenile", shown())
		})
	}
}
