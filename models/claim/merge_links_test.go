package claim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

// A case whose booking is a juvenile's stays withheld, whichever of the two was merged and set free.
func TestALinkedCaseIsWithheldWithABookingThatWasMerged(t *testing.T) {
	t.Parallel()
	for name, merge := range map[string]bool{"never merged": false, "merged and set free": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := withJailFiles(t)
			j.Now = j.at(3)
			kase := &snapshot.CourtRow{
				CaseKey: snapshot.CaseKey{CountyID: j.county, CourtType: "state", Number: "C1", Party: "1"}, Whole: true, Line: 1,
				Fingerprint: []byte("C1"), SeenAt: j.at(3),
				Case: &snapshot.CaseFacts{Defendant: tolliver, Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 3, Day: 1}, Status: "pending"},
			}
			_, _, err := j.Store.ReconcileCourts(j.Ctx, j.Reconciler(t, "court", j.at(3), false), modelstest.Each([]*snapshot.CourtRow{kase}))
			require.NoError(t, err)
			one, two := j.row("K1", orla, 2, 0, 500), j.row("K2", tolliver, 2, 0, 500)
			j.reads(lists, 3, one, two)
			j.Exec(t, `insert into court_links (case_id, rid, confidence, probability, origin, linked_at)
 select c.id, b.rid, 'high', 0.99, 'matched', $1 from court_cases c, bookings b where b.name = $2`, j.at(3), tolliver)
			if merge {
				j.Now = j.at(4)
				unmerge := j.merges(orla, tolliver)
				j.Now = j.at(5)
				unmerge()
			}
			two.Withheld, two.Fingerprint = models.WithheldJuvenile, []byte("juvenile")
			j.Now = j.at(6)
			j.reads(lists, 6, one, two)
			var booking, court string
			require.NoError(t, j.Pool.QueryRow(j.Ctx, `select coalesce(withheld::text, '') from bookings where name = $1`, tolliver).Scan(&booking))
			require.Equal(t, string(models.WithheldJuvenile), booking)
			require.NoError(t, j.Pool.QueryRow(j.Ctx, `select coalesce(withheld::text, '') from court_cases`).Scan(&court))
			require.NotEmpty(t, court, "the case names the juvenile")
		})
	}
}

func TestALinkOfACaseThatWasMergedIsItsOwnAgain(t *testing.T) {
	t.Parallel()
	for name, merge := range map[string]bool{"never merged": false, "merged and set free": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, id, _ := twoCases(t)
			fulton, err := b.Store.Counties().BySlug("fulton")
			require.NoError(t, err)
			b.roster(t, "linkjail")
			jail := func(hour int, withheld models.WithheldReason) {
				at := b.Now.Add(time.Duration(hour) * time.Hour)
				row := snapshot.RosterRow{Key: "K", CountyID: fulton.ID, Name: orla, BookedAt: b.Now.Add(-time.Hour), Line: 1, SeenAt: at, Withheld: withheld, Fingerprint: []byte("K" + string(withheld))}
				_, _, err := b.Store.ReconcileRoster(b.Ctx, b.Reconciler(t, "linkjail", at, true), modelstest.Each([]*snapshot.RosterRow{&row}))
				require.NoError(t, err)
			}
			jail(1, "")
			a, gone := id("A"), id("B")
			b.Exec(t, `insert into court_links (case_id, rid, confidence, probability, origin, linked_at)
 select c.id, b.rid, 'high', 0.99, 'matched', $1 from court_cases c, bookings b where c.case_number = 'B' and b.name = $2`, b.Now, orla)
			if merge {
				require.NoError(t, b.Store.Merge(b.Ctx, models.Courts, a, gone, "desk"))
				require.NoError(t, b.Store.Unmerge(b.Ctx, models.Courts, gone, "desk", "looked at"))
			}
			jail(2, models.WithheldJuvenile)
			var s string
			require.NoError(t, b.Pool.QueryRow(b.Ctx, `select string_agg(case_number || ' ' || coalesce(withheld::text, 'shown'), '; ' order by case_number) from court_cases`).Scan(&s))
			require.Equal(t, "A shown; B maybe juvenile", s)
		})
	}
}

// Somebody is found to be a juvenile while merged: the case names the one who is set free.
func TestTheCaseOfAJuvenileWhoIsSetFreeStaysWithheld(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	j.Now = j.at(3)
	row := &snapshot.CourtRow{
		CaseKey: snapshot.CaseKey{CountyID: j.county, CourtType: "state", Number: "C1", Party: "1"}, Whole: true, Line: 1,
		Fingerprint: []byte("C1"), SeenAt: j.at(3),
		Case: &snapshot.CaseFacts{Defendant: tolliver, Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 3, Day: 1}, Status: "pending"},
	}
	_, _, err := j.Store.ReconcileCourts(j.Ctx, j.Reconciler(t, "court", j.at(3), false), modelstest.Each([]*snapshot.CourtRow{row}))
	require.NoError(t, err)
	one, two := j.row("K1", orla, 2, 0, 500), j.row("K2", tolliver, 2, 0, 500)
	j.reads(lists, 3, one, two)
	j.Exec(t, `insert into court_links (case_id, rid, confidence, probability, origin, linked_at)
 select c.id, b.rid, 'high', 0.99, 'matched', $1 from court_cases c, bookings b where b.name = $2`, j.at(3), tolliver)
	j.Now = j.at(4)
	unmerge := j.merges(orla, tolliver)
	two.Withheld, two.Fingerprint = models.WithheldJuvenile, []byte("juvenile")
	j.Now = j.at(5)
	j.reads(lists, 5, one, two)
	j.Now = j.at(6)
	unmerge()
	var shown string
	require.NoError(t, j.Pool.QueryRow(j.Ctx, `
select string_agg(coalesce(withheld::text, 'shown'), '; ' order by rid) || '; ' || (select coalesce(withheld::text, 'shown') from court_cases)
from bookings`).Scan(&shown))
	require.Equal(t, "shown; juvenile; maybe juvenile", shown)
}

// Each record has the links again that it had: those that the merge moved, and those that it dropped, because the other
// record had one.
func TestAnUnmergePutsLinksBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ kept, gone string }{
		"both are linked":             {"1000412", "1000999"},
		"with the same record":        {"1000412", "1000412"},
		"only the one that stayed is": {"1000412", ""},
		"only the one that went is":   {"", "1000999"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := withJailFiles(t)
			j.Now = j.at(3)
			for i, id := range []string{"1000412", "1000999"} {
				o := modelstest.Offender("LEE", "incarcerated", "", j.at(3))
				o.GDCID, o.Line = id, int64(i+1)
				_, _, err := j.Store.ReconcileCorrections(j.Ctx, j.Reconciler(t, "prison", j.at(3), false), modelstest.Each([]*snapshot.CorrectionsRow{o}))
				require.NoError(t, err)
			}
			j.reads(lists, 3, j.row("K1", orla, 2, 0, 500), j.row("K2", tolliver, 2, 0, 500))
			for booking, id := range map[string]string{orla: c.kept, tolliver: c.gone} {
				j.Exec(t, `insert into gdc_links (rid, cid, confidence, probability, reasons, origin, pinned, linked_at)
 select b.rid, o.cid, 'high', 0.97, '{name}', 'operator', true, $1 from bookings b, corrections_records o where b.name = $2 and o.gdc_id = $3`, j.at(3), booking, id)
			}
			links := func() (s string) {
				require.NoError(t, j.Pool.QueryRow(j.Ctx, `select string_agg(l::text, '; ' order by rid) from gdc_links l`).Scan(&s))
				return s
			}
			before := links()
			j.Now = j.at(4)
			ofBookings := j.merges(orla, tolliver)
			require.NotContains(t, links(), ";", "one booking has one")
			require.NoError(t, j.Store.Merge(j.Ctx, models.Corrections, "1000412", "1000999", "desk"))
			j.Now = j.at(5)
			require.NoError(t, j.Store.Unmerge(j.Ctx, models.Corrections, "1000999", "desk", "looked at"))
			ofBookings()
			require.Equal(t, before, links())
			j.Now = j.at(6)
			require.NoError(t, j.Store.Merge(j.Ctx, models.Corrections, "1000412", "1000999", "desk"))
			require.NoError(t, j.Store.Unmerge(j.Ctx, models.Corrections, "1000999", "desk", "looked at"))
			require.Equal(t, before, links())
			var left int
			require.NoError(t, j.Pool.QueryRow(j.Ctx, `select count(*) from merged_links`).Scan(&left))
			require.Zero(t, left)
		})
	}
}
