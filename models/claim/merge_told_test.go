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

// TestWhatACourtTellsUnderTheNumberThatWentIsShownOnTheCaseThatStayed tells of two cases, merges the second into the
// first, and goes on under the number that went.
func TestWhatACourtTellsUnderTheNumberThatWentIsShownOnTheCaseThatStayed(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	hour := 0
	row := func(number string) *snapshot.CourtRow {
		return &snapshot.CourtRow{CaseKey: snapshot.CaseKey{CountyID: fulton.ID, CourtType: "superior", Number: number, Party: "1"}, Line: 1, Fingerprint: fmt.Append(nil, number, hour)}
	}
	hearing := func(event string, day int) snapshot.HearingFacts {
		return snapshot.HearingFacts{Event: event, Date: models.Date{Year: 2026, Month: 12, Day: day}, Time: "09:45", StartsAt: time.Date(2026, 12, day, 9, 45, 0, 0, models.Georgia)}
	}
	with := func(number string, hearings ...snapshot.HearingFacts) *snapshot.CourtRow {
		r := row(number)
		r.Hearings = hearings
		return r
	}
	tell := func(rows ...*snapshot.CourtRow) {
		hour++
		at := b.Now.Add(time.Duration(hour) * time.Hour)
		for _, r := range rows {
			r.SeenAt = at
		}
		_, _, err := b.Store.ReconcileCourts(b.Ctx, b.Reconciler(t, "court", at, false), modelstest.Each(rows))
		require.NoError(t, err)
	}
	found := func(number string) *models.CourtCase {
		cases, err := b.Store.CourtCasesByNumber(b.Ctx, number, nil, nil)
		require.NoError(t, err)
		require.Len(t, cases, 1)
		return cases[0]
	}
	shown := func() string {
		c := found("26-CR-10")
		require.Equal(t, "26-cr-10", c.CaseNumber)
		hearings, err := b.Store.HearingsOf(b.Ctx, []int64{c.Key})
		require.NoError(t, err)
		calendar, err := b.Store.CalendarOf(b.Ctx, c)
		require.NoError(t, err)
		var days []string
		for _, h := range hearings[c.Key] {
			days = append(days, strconv.Itoa(h.StartsAt.Day()))
		}
		live := 0
		for _, e := range calendar {
			if !e.Cancelled {
				live++
			}
		}
		require.Len(t, days, live, "the calendar is that of the case")
		return strings.Join(days, " ")
	}
	for _, number := range []string{"26-cr-10", "26-CR-10"} {
		r := row(number)
		r.Case = &snapshot.CaseFacts{Defendant: "ROE, RAY", Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: "pending"}
		tell(r)
	}
	tell(with("26-cr-10", hearing("1", 1)), with("26-CR-10", hearing("2", 2), hearing("3", 1)))
	kept, gone := found("26-cr-10").ID(), found("26-CR-10").ID()
	require.NoError(t, b.Store.MergeCases(b.Ctx, kept, gone))
	require.Equal(t, "1 2", shown(), "hearings of one time are one")

	tell(with("26-CR-10", hearing("77", 15)))
	require.Equal(t, "1 2 15", shown())
	tell(with("26-CR-10", hearing("77", 16), hearing("2", 5), hearing("3", 1)))
	require.Equal(t, "1 5 16", shown(), "also what was there at the merge moves")
	r := row("26-CR-10")
	r.Removed = []string{"2"}
	tell(r)
	require.Equal(t, "1 16", shown())
	var hidden int
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select count(*) from hearings h join court_cases c on c.id = h.case_id where c.case_number = '26-CR-10' and h.event <> '3'`).Scan(&hidden))
	require.Zero(t, hidden, "nothing is told to nobody")

	t.Log("what it tells anew of the case itself is that of the case that stayed, which keeps what its own number says")
	of := func(number, status, judge string, outcomes ...string) *snapshot.CourtRow {
		r := row(number)
		r.Case = &snapshot.CaseFacts{Defendant: "ROE, RAY", Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: status, Judge: judge}
		for i, o := range outcomes {
			r.Dispositions = append(r.Dispositions, snapshot.DispositionFacts{Seq: int16(i + 1), Date: models.Date{Year: 2026, Month: 2, Day: 1 + i}, Outcome: o})
		}
		return r
	}
	facts := func() string {
		c := found("26-CR-10")
		require.Equal(t, kept, c.ID(), "the id still resolves")
		dispositions, err := b.Store.DispositionsOf(b.Ctx, []int64{c.Key})
		require.NoError(t, err)
		said := []string{string(c.Status), modelstest.Deref(c.Judge)}
		for _, d := range dispositions[c.Key] {
			said = append(said, d.Outcome)
		}
		return strings.Join(said, " ")
	}
	tell(of("26-cr-10", "pending", "HALE", "PLEA"))
	require.Equal(t, "pending HALE PLEA", facts())
	tell(of("26-CR-10", "closed", "", "PLEA", "FINED"))
	require.Equal(t, "closed HALE PLEA FINED", facts())
	tell(of("26-CR-10", "closed", "", "PLEA", "FREED"))
	require.Equal(t, "closed HALE PLEA FREED", facts(), "an outcome that is told anew takes the place of the one before")
	tell(of("26-cr-10", "closed", "HALE", "TRIAL"))
	require.Equal(t, "closed HALE TRIAL PLEA FREED", facts(), "each number has its own list")
	again, err := b.Store.CourtCaseByID(b.Ctx, gone)
	require.NoError(t, err)
	require.Equal(t, kept, again.ID())
	young := of("26-CR-10", "closed", "", "PLEA", "FREED")
	young.Case.Withheld = models.WithheldJuvenile
	tell(young)
	cases, err := b.Store.CourtCasesByNumber(b.Ctx, "26-CR-10", nil, nil)
	require.NoError(t, err)
	require.Empty(t, cases, "who may not be shown under one number is not under the other")
}
