package record_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

// calendarFacts are what callers read of a case that has parts, at an instant.
func (b *bundle) calendarFacts(t require.TestingT, c *models.CourtCase, at time.Time) string {
	hearings, dispositions := c.PastHearings, c.PastDispositions
	if hearings == nil {
		found, err := b.Store.HearingsOf(b.Ctx, []int64{c.Key})
		require.NoError(t, err)
		hearings = found[c.Key]
	}
	if dispositions == nil {
		found, err := b.Store.DispositionsOf(b.Ctx, []int64{c.Key})
		require.NoError(t, err)
		dispositions = found[c.Key]
	}
	lines, next := []string{fmt.Sprint(c.Defendant, c.Offense, c.FiledDate, c.Status, modelstest.Deref(c.Judge))}, "-"
	for _, h := range hearings {
		lines = append(lines, fmt.Sprint(h.Date, modelstest.Deref(h.Time), h.StartsAt, modelstest.Deref(h.Judge), modelstest.Deref(h.Location), modelstest.Deref(h.ZoomLink)))
		if next == "-" && h.StartsAt.After(at) {
			next = h.StartsAt.String()
		}
	}
	for _, d := range dispositions {
		lines = append(lines, fmt.Sprint(d.Date, d.Outcome, modelstest.Deref(d.Sentence)))
	}
	if c.PastHearings != nil {
		next = "-"
		if c.NextHearing != nil {
			next = c.NextHearing.String()
		}
	}
	return strings.Join(append(lines, "next "+next), "\n")
}

// drawCase draws what a court tells in run number i: all of a case, or a delta of it.
func drawCase(r *rapid.T, key snapshot.CaseKey, i int, at time.Time) *snapshot.CourtRow {
	row := &snapshot.CourtRow{CaseKey: key, Whole: rapid.Bool().Draw(r, "whole"), SeenAt: at, Line: 1, Fingerprint: []byte{byte(i)}}
	if i == 0 || row.Whole || rapid.Bool().Draw(r, "tells the case") {
		row.Case = &snapshot.CaseFacts{
			Defendant: "ROE, RAY", Offense: drawn(r, "offense", "THEFT", "FRAUD"), Filed: models.Date{Year: 2026, Month: 2, Day: 1},
			Status: drawn(r, "status", "pending", "closed"), Judge: drawn(r, "judge", "", "Hon. A", "Hon. B"),
		}
	}
	for _, event := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"1", "2", "3"}), 0, 3, rapid.ID).Draw(r, "events") {
		if !row.Whole && drawn(r, "taken back", false, false, true) {
			row.Removed = append(row.Removed, event)
			continue
		}
		day := drawn(r, "day", 1, 2, 3)
		clock := drawn(r, "hour", 9, 13)
		row.Hearings = append(row.Hearings, snapshot.HearingFacts{
			Event: event, Date: models.Date{Year: 2026, Month: 2, Day: day}, Time: fmt.Sprintf("%02d:%s0", clock, event),
			StartsAt: time.Date(2026, 2, day, clock, 10*int(event[0]-'0'), 0, 0, models.Georgia), Kind: drawn(r, "kind", "", "PLEA"),
			Judge: drawn(r, "presides", "", "Hon. C", "Hon. D"), Location: drawn(r, "location", "", "ROOM 1"), Link: drawn(r, "link", "", "https://court.example/1"),
			Cancelled: drawn(r, "cancelled", false, false, true),
		})
	}
	if row.Case != nil && rapid.Bool().Draw(r, "decided") {
		row.Dispositions = []snapshot.DispositionFacts{{Seq: 1, Date: models.Date{Year: 2026, Month: 3, Day: 1}, Outcome: drawn(r, "outcome", "PLEA", "DISMISSED")}}
	}
	return row
}

// TestACaseAsOfEachRunShowsTheCalendarOfThen runs random tellings of cases over the tables, notes after each
// what callers could read of hearings and dispositions, and asks for all of it again at the end.
func TestACaseAsOfEachRunShowsTheCalendarOfThen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	start := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	trial := 0
	property.Check(t, 20, func(r *rapid.T) {
		trial++
		key := snapshot.CaseKey{CountyID: fulton.ID, CourtType: "state", Number: fmt.Sprintf("26-CR-%d", trial), Party: "1"}
		var then []string
		for i := range rapid.IntRange(2, 6).Draw(r, "runs") {
			at := start.Add(time.Duration(i) * 6 * time.Hour)
			_, _, err := b.Store.ReconcileCourts(b.Ctx, b.Reconciler(r, "court", at, false), modelstest.Each([]*snapshot.CourtRow{drawCase(r, key, i, at)}))
			require.NoError(r, err)
			found, err := b.Store.CourtCasesByNumber(b.Ctx, key.Number, nil, nil)
			require.NoError(r, err)
			require.Len(r, found, 1)
			then = append(then, b.calendarFacts(r, found[0], at))
		}
		for i, want := range then {
			at := start.Add(time.Duration(i) * 6 * time.Hour)
			found, err := b.Store.CourtCasesByNumber(b.Ctx, key.Number, nil, &at)
			require.NoError(r, err)
			require.Len(r, found, 1)
			require.Equal(r, want, b.calendarFacts(r, found[0], at), "as of run %d", i)
		}
	})
}

func TestTheVideoLinkOfACaseIsThatOfItsNextHearingThen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	key := snapshot.CaseKey{CountyID: fulton.ID, CourtType: "state", Number: "26-CR-9", Party: "1"}
	for hour, link := range []string{"", "https://court.example/hearing"} {
		row := &snapshot.CourtRow{
			CaseKey: key, Whole: true, SeenAt: at(hour), Line: 1, Fingerprint: []byte{byte(hour)},
			Case:     &snapshot.CaseFacts{Defendant: "ROE, RAY", Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: "pending", HearingLink: "https://court.example/own"},
			Hearings: []snapshot.HearingFacts{{Event: "7", Date: models.Date{Year: 2026, Month: 4, Day: 1}, Time: "09:30", StartsAt: time.Date(2026, 4, 1, 9, 30, 0, 0, models.Georgia), Link: link}},
		}
		_, _, err := b.Store.ReconcileCourts(b.Ctx, b.Reconciler(t, "court", at(hour), false), modelstest.Each([]*snapshot.CourtRow{row}))
		require.NoError(t, err)
	}
	for hour, want := range []string{"https://court.example/own", "https://court.example/hearing"} {
		when := at(hour)
		found, err := b.Store.CourtCasesByNumber(b.Ctx, "26-CR-9", nil, &when)
		require.NoError(t, err)
		require.Equal(t, want, *found[0].HearingLink)
	}
	passed := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	found, err := b.Store.CourtCasesByNumber(b.Ctx, "26-CR-9", nil, &passed)
	require.NoError(t, err)
	require.Nil(t, found[0].NextHearing)
	require.Equal(t, "https://court.example/own", *found[0].HearingLink, "no hearing lies ahead then")
}

func TestAHearingWithoutATimeIsTheNextOneUntilItsDayEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	row := &snapshot.CourtRow{
		CaseKey: snapshot.CaseKey{CountyID: fulton.ID, CourtType: "state", Number: "26-CR-9", Party: "1"}, Whole: true, SeenAt: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Line: 1, Fingerprint: []byte{1},
		Case:     &snapshot.CaseFacts{Defendant: "ROE, RAY", Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: "pending"},
		Hearings: []snapshot.HearingFacts{{Event: "7", Date: models.Date{Year: 2026, Month: 4, Day: 1}, StartsAt: time.Date(2026, 4, 1, 0, 0, 0, 0, models.Georgia)}},
	}
	_, _, err = b.Store.ReconcileCourts(b.Ctx, b.Reconciler(t, "court", row.SeenAt, false), modelstest.Each([]*snapshot.CourtRow{row}))
	require.NoError(t, err)
	for _, hour := range []int{-24, 0, 14, 23} {
		at := time.Date(2026, 4, 1, hour, 30, 0, 0, models.Georgia)
		found, err := b.Store.CourtCasesByNumber(b.Ctx, "26-CR-9", nil, &at)
		require.NoError(t, err)
		require.NotNil(t, found[0].NextHearing, "%s", at)
	}
	over := time.Date(2026, 4, 2, 0, 0, 0, 0, models.Georgia)
	found, err := b.Store.CourtCasesByNumber(b.Ctx, "26-CR-9", nil, &over)
	require.NoError(t, err)
	require.Nil(t, found[0].NextHearing)
}

func TestAHearingThatGetsTheCourtsNumberKeepsItsPast(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	key := snapshot.CaseKey{CountyID: fulton.ID, CourtType: "state", Number: "26-CR-8", Party: "1"}
	for hour, event := range []string{"", "2026-04-01T09:30", "7"} {
		row := &snapshot.CourtRow{
			CaseKey: key, Whole: true, SeenAt: at(hour), Line: 1, Fingerprint: []byte{byte(hour)},
			Case: &snapshot.CaseFacts{Defendant: "ROE, RAY", Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: "pending"},
		}
		if event != "" {
			row.Hearings = []snapshot.HearingFacts{{Event: event, Date: models.Date{Year: 2026, Month: 4, Day: 1}, Time: "09:30", StartsAt: time.Date(2026, 4, 1, 9, 30, 0, 0, models.Georgia)}}
		}
		_, _, err := b.Store.ReconcileCourts(b.Ctx, b.Reconciler(t, "court", at(hour), false), modelstest.Each([]*snapshot.CourtRow{row}))
		require.NoError(t, err)
	}
	require.Equal(t, []string{"hearings: - -> 2026-04-01T09:30:00-04:00"}, modelstest.Lines(b.History(t, models.Courts, "26-CR-8")))
	for hour, want := range []int{0, 1, 1} {
		when := at(hour)
		found, err := b.Store.CourtCasesByNumber(b.Ctx, "26-CR-8", nil, &when)
		require.NoError(t, err)
		require.Len(t, found[0].PastHearings, want)
	}
}

func TestChargesOneByOneAreThoseOfThen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	charges := [][]snapshot.Charge{
		{{Description: "THEFT"}},
		{{Description: "THEFT", Statute: "16-8-2", BondCents: new(int64(250050))}},
		{{Description: "THEFT", Statute: "16-8-2", BondText: "NO BOND"}, {Description: "FRAUD", Severity: "felony", Disposition: "held"}},
		{{Description: "THEFT"}},
	}
	for hour, list := range charges {
		row := &snapshot.RosterRow{Key: "1", CountyID: fulton.ID, Name: "ROE, RAY", BookedAt: at(0), Charges: list, SeenAt: at(hour), Line: 1, Fingerprint: []byte{byte(hour)}}
		_, _, err := b.Store.ReconcileRoster(b.Ctx, b.Reconciler(t, "jail", at(hour), false), modelstest.Each([]*snapshot.RosterRow{row}))
		require.NoError(t, err)
	}
	id := b.idsOf(t, "jail")[0]
	for hour, list := range charges {
		k, err := b.Store.BookingAsOf(b.Ctx, id, at(hour))
		require.NoError(t, err)
		require.False(t, k.LastChange.After(at(hour)))
		details := k.PastCharges
		if details == nil {
			details = models.PlainCharges(k.Charges)
		}
		require.Len(t, details, len(list))
		for i, c := range list {
			require.Equal(t, fmt.Sprint(c.Description, c.Statute, c.Severity, c.BondText, c.Disposition), fmt.Sprint(details[i].Description, word(details[i].Statute), word(details[i].Severity), word(details[i].BondText), word(details[i].Disposition)))
			require.Equal(t, c.BondCents, details[i].BondCents)
		}
	}
	now, err := b.Store.BookingByID(b.Ctx, id)
	require.NoError(t, err)
	require.Equal(t, at(3), now.LastChange, "a change of the details alone is a change")
	require.Contains(t, modelstest.Lines(b.History(t, models.Roster, id)), `chargeDetails: - -> [{"description":"THEFT","statute":"16-8-2","bondAmount":"2500.50"}]`)
}

// word is a text that may be missing.
func word(t *string) string {
	if t == nil {
		return ""
	}
	return *t
}
