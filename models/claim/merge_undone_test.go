package claim_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

// id is the public id of the booking of a name.
func (j *jailFiles) id(name string) (id string) {
	j.t.Helper()
	require.NoError(j.t, j.Pool.QueryRow(j.Ctx, `select id from bookings where name = $1 order by merged_into is not null, rid limit 1`, name).Scan(&id))
	return id
}

// merges makes the booking of one name that of another.
func (j *jailFiles) merges(kept, gone string) (unmerge func()) {
	j.t.Helper()
	id := j.id(gone)
	require.NoError(j.t, j.Store.MergeBookings(j.Ctx, j.id(kept), id))
	return func() {
		j.t.Helper()
		require.NoError(j.t, j.Store.Unmerge(j.Ctx, models.Roster, id, "desk", "two people"))
	}
}

// attached is how each claim is attached to its booking.
func (j *jailFiles) attached() (s string) {
	j.t.Helper()
	require.NoError(j.t, j.Pool.QueryRow(j.Ctx, `
select string_agg(concat_ws(' ', c.source_id, c.key, c.how, extract(epoch from c.how_at - $1)::int, b.id), '; ' order by c.source_id, c.key)
from roster_claims c
join bookings b on b.rid = c.record`, j.begin).Scan(&s))
	return s
}

func TestAnUnmergeReturnsClaimsAsTheyWereAttached(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	j.roster(t, "other")
	j.reads(lists, 3, j.row("K1", orla, 2, 0, 500), j.row("G", tolliver, 2, 0, 500))
	j.reads(lists, 4, j.row("K2", orla, 2, 0, 500), j.row("G", tolliver, 2, 0, 500))
	j.reads("other", 4, j.row("M", orla, 2, 0, 500))
	before := j.attached()
	require.Contains(t, before, "K2 rekeyed")
	require.Contains(t, before, "M matched")
	unmerge := j.merges(tolliver, orla)
	require.NotContains(t, j.attached(), "rekeyed")
	unmerge()
	require.Equal(t, before, j.attached())

	t.Log("keys that are listed together are two bookings, merged in between or not")
	j.reads(lists, 5, j.row("K1", orla, 2, 0, 500), j.row("K2", orla, 2, 0, 700), j.row("G", tolliver, 2, 0, 500))
	require.Equal(t, 2, strings.Count(j.bookings(), orla), j.bookings())
}

// A claim that comes while a booking is merged belongs to the booking as which it was recognised.
func TestAnUnmergeReturnsTheBookingsThatOtherSourcesRecognised(t *testing.T) {
	t.Parallel()
	fill, first, second := "THISTLEDOWN, PIP", orla, tolliver
	for name, c := range map[string]struct {
		listed [2]bool // whether the list has them, before the other source reports the one that went
		merged string  // what is shown then
	}{
		"both are listed":               {[2]bool{true, true}, first + " 2 booked 500"},
		"the one that went":             {[2]bool{false, true}, second + " 2 booked 900"},
		"nobody but the one that stays": {[2]bool{true, false}, first + " 2 booked 500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := withJailFiles(t)
			row := j.row("F", fill, 1, 0, 1)
			one, two := j.row("K1", first, 2, 0, 500), j.row("K2", second, 2, 0, 500)
			j.reads(lists, 3, row, one, two)
			unmerge := j.merges(first, second)
			rows := []snapshot.RosterRow{row}
			if c.listed[0] {
				rows = append(rows, one)
			}
			if c.listed[1] {
				rows = append(rows, two)
			}
			j.reads(lists, 4, rows...)
			j.reads(changed, 4, j.row("M", second, 2, 0, 900))
			require.Contains(t, j.bookings(), c.merged)
			require.Equal(t, 1, strings.Count(j.bookings(), ";"), "no third booking: %s", j.bookings())
			unmerge()
			require.Contains(t, j.attached(), "changed M matched")
			require.Contains(t, j.bookings(), second+" 2 booked 900")
			require.Contains(t, j.bookings(), first+" 2")
			require.NotContains(t, j.bookings(), first+" 2 booked 900")
			j.reads(changed, 6, j.row("M", second, 2, 0, 1000))
			require.Contains(t, j.bookings(), second+" 2 booked 1000")
			rebuilt, err := j.Store.Rebuild(j.Ctx, models.Roster, true)
			require.NoError(t, err)
			require.Empty(t, rebuilt.Changes)
		})
	}
}

// A key may be corrected while its booking is merged, and the other booking's key is still listed.
func TestAMergedBookingIsRecognisedUnderACorrectedKey(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	one := j.row("K1", orla, 2, 0, 500)
	j.reads(lists, 3, one, j.row("K2", tolliver, 5, 0, 500))
	unmerge := j.merges(orla, tolliver)
	j.reads(lists, 6, one, j.row("K3", tolliver, 5, 0, 500))
	require.Equal(t, orla+" 2 booked 500", j.bookings())
	unmerge()
	require.Equal(t, orla+" 2 booked 500; "+tolliver+" 5 booked 500", j.bookings())
	j.reads(lists, 7, one)
	require.Equal(t, orla+" 2 booked 500; "+tolliver+" 5 released 7 500", j.bookings())
}

func TestAnUnmergeReturnsWhatOtherSourcesSaidOfAnOffender(t *testing.T) {
	t.Parallel()
	b, tell := prison(t)
	tell(true, "1000412 LEE", "1000999 HAYS")
	b.Now = b.Now.Add(90 * time.Minute)
	require.NoError(t, b.Store.MergeCorrections(b.Ctx, "1000412", "1000999"))
	b.Exec(t, `insert into sources (id, title, kind, enabled) values ('prison2', 'Prison 2', 'corrections', true)`)
	other := func(hour int, institution string) {
		at := b.Now.Add(time.Duration(hour) * time.Hour)
		o := modelstest.Offender(institution, "incarcerated", "", at)
		o.GDCID = "1000999"
		rec := b.Reconciler(t, "prison2", at, false)
		rec.Tracks = false
		_, _, err := b.Store.ReconcileCorrections(b.Ctx, rec, modelstest.Each([]*snapshot.CorrectionsRow{o}))
		require.NoError(t, err)
	}
	of := func(ids ...string) (all []string) {
		for _, id := range ids {
			o, err := b.Store.CorrectionsByGdcID(b.Ctx, id)
			require.NoError(t, err)
			all = append(all, o.GdcID+" "+*o.Institution)
		}
		return all
	}
	other(1, "SMITH")
	require.Equal(t, []string{"1000412 SMITH", "1000412 SMITH"}, of("1000412", "1000999"), "what it says anew counts as ever")
	b.Now = b.Now.Add(2 * time.Hour)
	require.NoError(t, b.Store.Unmerge(b.Ctx, models.Corrections, "1000999", "desk", "looked at"))
	require.Equal(t, []string{"1000412 LEE", "1000999 SMITH"}, of("1000412", "1000999"))
	other(3, "COFFEE")
	require.Equal(t, []string{"1000412 LEE", "1000999 COFFEE"}, of("1000412", "1000999"))
}

// twoCases are two cases of one court, A and B; file has a court report a judge and a hearing under a number.
func twoCases(t *testing.T) (b *records, id func(number string) string, file func(source string, hour int, number, judge string, day int)) {
	t.Helper()
	b = withRecords(t)
	c, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	begin := b.Now
	b.Exec(t, `insert into sources (id, title, kind, enabled) values ('court2', 'Court 2', 'courts', true)`)
	file = func(source string, hour int, number, judge string, day int) {
		t.Helper()
		row := &snapshot.CourtRow{
			CaseKey: snapshot.CaseKey{CountyID: c.ID, CourtType: "state", Number: number, Party: "1"}, Whole: true, Line: 1,
			Fingerprint: fmt.Append(nil, number, judge), SeenAt: begin.Add(time.Duration(hour) * time.Hour),
			Case: &snapshot.CaseFacts{
				Defendant: orla, Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: "pending", Judge: judge,
			},
			Hearings: []snapshot.HearingFacts{{
				Event: strconv.Itoa(day), Date: models.Date{Year: 2027, Month: 4, Day: day}, Time: "09:30",
				StartsAt: time.Date(2027, 4, day, 9, 30, 0, 0, models.Georgia),
			}},
		}
		_, _, err := b.Store.ReconcileCourts(b.Ctx, b.Reconciler(t, source, row.SeenAt, false), modelstest.Each([]*snapshot.CourtRow{row}))
		require.NoError(t, err)
		b.Now = row.SeenAt.Add(time.Minute)
	}
	file("court", 1, "A", "ONE", 1)
	file("court", 1, "B", "TWO", 2)
	id = func(number string) string {
		t.Helper()
		cases, err := b.Store.CourtCasesByNumber(b.Ctx, number, nil, nil)
		require.NoError(t, err)
		require.Len(t, cases, 1)
		return cases[0].ID()
	}
	return b, id, file
}

func TestAnUnmergeReturnsWhatOtherCourtsSaidOfACase(t *testing.T) {
	t.Parallel()
	b, id, file := twoCases(t)
	a, gone := id("A"), id("B")
	require.NoError(t, b.Store.MergeCases(b.Ctx, a, gone))
	file("court2", 3, "B", "THREE", 3)
	shown := func(id string) string {
		t.Helper()
		c, err := b.Store.CourtCaseByID(b.Ctx, id)
		require.NoError(t, err)
		hearings, err := b.Store.HearingsOf(b.Ctx, []int64{c.Key})
		require.NoError(t, err)
		var days []string
		for _, h := range hearings[c.Key] {
			days = append(days, strconv.Itoa(h.StartsAt.Day()))
		}
		return fmt.Sprint(c.CaseNumber, " ", modelstest.Deref(c.Judge), " ", strings.Join(days, ","))
	}
	require.Equal(t, "A THREE 1,2,3", shown(a), "what a court says anew counts as ever")
	require.NoError(t, b.Store.Unmerge(b.Ctx, models.Courts, gone, "desk", "looked at"))
	require.Equal(t, []string{"A ONE 1", "B THREE 2,3"}, []string{shown(a), shown(gone)})
	file("court2", 5, "B", "FOUR", 4)
	require.Equal(t, []string{"A ONE 1", "B FOUR 2,4"}, []string{shown(a), shown(gone)})
}

func TestACalendarOfAMergedCaseIsItsOwnAgain(t *testing.T) {
	t.Parallel()
	b, id, _ := twoCases(t)
	a, gone := id("A"), id("B")
	account := &models.Account{Name: "Desk", Email: "desk@example.org", Plan: models.Enterprise}
	require.NoError(t, b.Store.CreateAccount(b.Ctx, account))
	kase, err := b.Store.CourtCaseByID(b.Ctx, gone)
	require.NoError(t, err)
	token := make([]byte, 32)
	_, err = b.Store.CreateCalendarSubscription(b.Ctx, account.ID, kase, "", token)
	require.NoError(t, err)
	shown := func() string {
		t.Helper()
		c, _, err := b.Store.CaseOfSubscription(b.Ctx, token)
		require.NoError(t, err)
		list, err := b.Store.CalendarSubscriptions(b.Ctx, account.ID)
		require.NoError(t, err)
		require.Equal(t, []string{c.ID(), c.CaseNumber}, []string{list[0].CaseID, list[0].CaseNumber})
		return c.CaseNumber
	}
	require.Equal(t, "B", shown())
	require.NoError(t, b.Store.MergeCases(b.Ctx, a, gone))
	require.Equal(t, "A", shown())
	require.NoError(t, b.Store.Unmerge(b.Ctx, models.Courts, gone, "desk", "looked at"))
	require.Equal(t, "B", shown())
}

// Of two merges the later one is undone first, and what was merged before follows.
func TestMergesAreUndoneOneAfterTheOther(t *testing.T) {
	t.Parallel()
	b, tell := prison(t)
	tell(true, "1000412 LEE", "1000999 HAYS", "1000555 WARE")
	require.NoError(t, b.Store.MergeCorrections(b.Ctx, "1000999", "1000412"))
	b.Now = b.Now.Add(time.Hour)
	require.NoError(t, b.Store.MergeCorrections(b.Ctx, "1000555", "1000999"))
	b.Now = b.Now.Add(time.Hour)
	led := func() (ids []string) {
		for _, id := range []string{"1000412", "1000999", "1000555"} {
			o, err := b.Store.CorrectionsByGdcID(b.Ctx, id)
			require.NoError(t, err)
			ids = append(ids, o.GdcID+" "+*o.Institution)
		}
		return ids
	}
	require.Equal(t, []string{"1000555 WARE", "1000555 WARE", "1000555 WARE"}, led())
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(b.Store.Unmerge(b.Ctx, models.Corrections, "1000412", "desk", "looked at")))
	require.NoError(t, b.Store.Unmerge(b.Ctx, models.Corrections, "1000999", "desk", "looked at"))
	require.Equal(t, []string{"1000999 HAYS", "1000999 HAYS", "1000555 WARE"}, led())
	require.NoError(t, b.Store.Unmerge(b.Ctx, models.Corrections, "1000412", "desk", "looked at"))
	require.Equal(t, []string{"1000412 LEE", "1000999 HAYS", "1000555 WARE"}, led())
}
