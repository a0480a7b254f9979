package record_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

func TestCorrectionsHistoryHidesWhatHappenedWhileARecordWasWithheld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	for hour, row := range []*snapshot.CorrectionsRow{
		modelstest.Offender("LEE", "incarcerated", "", at(0)),
		modelstest.Offender("HAYS", "incarcerated", "", at(1)),
		modelstest.Offender("SECRET", "incarcerated", "juvenile", at(2)),
		modelstest.Offender("SECRET TOO", "paroled", "juvenile", at(3)),
		modelstest.Offender("MACON", "released", "", at(4)),
	} {
		row.DOB, row.BirthYear = &models.Date{Year: 1980, Month: time.May, Day: 5}, 1980
		_, _, err := b.Store.ReconcileCorrections(b.Ctx, b.Reconciler(t, "prison", at(hour), false), modelstest.Each([]*snapshot.CorrectionsRow{row}))
		require.NoError(t, err)
		if row.Withheld != "" {
			require.Empty(t, b.History(t, models.Corrections, "1000412"))
		}
	}
	require.Equal(t, []string{"institution: LEE -> HAYS", "institution: HAYS -> MACON", "status: INCARCERATED -> RELEASED"}, modelstest.Lines(b.History(t, models.Corrections, "1000412")))

	for hour, want := range map[int]string{0: "LEE", 1: "HAYS", 2: "", 3: "", 4: "MACON"} {
		for _, when := range []time.Time{at(hour), at(hour).Add(59 * time.Minute)} {
			o, err := b.Store.CorrectionsAsOf(b.Ctx, "1000412", when)
			if want == "" {
				require.Equal(t, models.CodeNotFound, models.CodeOf(err), when)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, want, *o.Institution, when)
			require.Equal(t, at(hour), o.LastChange, when)
		}
	}
	_, err := b.Store.CorrectionsAsOf(b.Ctx, "1000412", at(0).Add(-time.Second))
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestARecordThatWasWithheldFromTheStartBeginsWhenItIsPublished(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	for hour, row := range []*snapshot.CorrectionsRow{modelstest.Offender("LEE", "incarcerated", "juvenile", at(0)), modelstest.Offender("HAYS", "incarcerated", "", at(1)), modelstest.Offender("HAYS", "paroled", "", at(2))} {
		row.DOB, row.BirthYear = &models.Date{Year: 1980, Month: time.May, Day: 5}, 1980
		_, _, err := b.Store.ReconcileCorrections(b.Ctx, b.Reconciler(t, "prison", at(hour), false), modelstest.Each([]*snapshot.CorrectionsRow{row}))
		require.NoError(t, err)
	}
	require.Equal(t, []string{"status: INCARCERATED -> PAROLED"}, modelstest.Lines(b.History(t, models.Corrections, "1000412")))
	_, err := b.Store.CorrectionsAsOf(b.Ctx, "1000412", at(0))
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), "it was not published then")
	o, err := b.Store.CorrectionsAsOf(b.Ctx, "1000412", at(1))
	require.NoError(t, err)
	require.Equal(t, models.Incarcerated, o.Status)
}

func TestCasesHaveAHistoryWithTheirHearings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	hearing := func(day int) []snapshot.HearingFacts {
		return []snapshot.HearingFacts{{Event: "7", Date: models.Date{Year: 2026, Month: 4, Day: day}, Time: "09:30", StartsAt: time.Date(2026, 4, day, 9, 30, 0, 0, models.Georgia)}}
	}
	key := snapshot.CaseKey{CountyID: fulton.ID, CourtType: "state", Number: "26-CR 1/A", Party: "1"}
	facts := func(status, judge string) *snapshot.CaseFacts {
		return &snapshot.CaseFacts{Defendant: "ROE, RAY", Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: status, Judge: judge}
	}
	plea := []snapshot.DispositionFacts{{Seq: 1, Date: models.Date{Year: 2026, Month: 3, Day: 1}, Outcome: "PLEA", Sentence: "1 YEAR"}}
	for hour, row := range []*snapshot.CourtRow{
		{CaseKey: key, Case: facts("pending", "Hon. A"), Whole: true, Hearings: hearing(1)},
		{CaseKey: key, Case: facts("pending", "Hon. B"), Whole: true, Hearings: hearing(2)},
		{CaseKey: key, Case: facts("closed", "Hon. B"), Whole: true, Dispositions: plea},
	} {
		row.SeenAt, row.Line, row.Fingerprint = at(hour), 1, []byte{byte(hour)}
		_, _, err := b.Store.ReconcileCourts(b.Ctx, b.Reconciler(t, "court", at(hour), false), modelstest.Each([]*snapshot.CourtRow{row}))
		require.NoError(t, err)
	}
	require.Equal(t, []string{
		"judge: Hon. A -> Hon. B", "hearings: 2026-04-01T09:30:00-04:00 -> 2026-04-02T09:30:00-04:00",
		"status: PENDING -> CLOSED", "hearings: 2026-04-02T09:30:00-04:00 -> -", `dispositions: - -> [{"date" : "2026-03-01", "outcome" : "PLEA", "sentence" : "1 YEAR"}]`,
	}, modelstest.Lines(b.History(t, models.Courts, "26-CR 1/A")))

	for hour, want := range []string{"pending Hon. A", "pending Hon. B", "closed Hon. B"} {
		when := at(hour)
		cases, err := b.Store.CourtCasesByNumber(b.Ctx, "26-CR 1/A", nil, &when)
		require.NoError(t, err)
		require.Len(t, cases, 1)
		require.Equal(t, want, string(cases[0].Status)+" "+*cases[0].Judge)
		if hour < 2 {
			require.Equal(t, []*models.Disposition{}, cases[0].PastDispositions, "it had none yet")
		} else {
			require.Nil(t, cases[0].PastDispositions, "they are those of today")
		}
	}
	later := &snapshot.CourtRow{CaseKey: key, Case: facts("closed", "Hon. B"), Whole: true, SeenAt: at(3), Line: 1, Fingerprint: []byte{3}}
	_, _, err = b.Store.ReconcileCourts(b.Ctx, b.Reconciler(t, "court", at(3), false), modelstest.Each([]*snapshot.CourtRow{later}))
	require.NoError(t, err)
	closed := at(2)
	cases, err := b.Store.CourtCasesByNumber(b.Ctx, "26-CR 1/A", nil, &closed)
	require.NoError(t, err)
	require.Equal(t, []*models.Disposition{{Date: models.Date{Year: 2026, Month: 3, Day: 1}, Outcome: "PLEA", Sentence: new("1 YEAR")}}, cases[0].PastDispositions)
	before := at(0).Add(-time.Second)
	cases, err = b.Store.CourtCasesByNumber(b.Ctx, "26-CR 1/A", nil, &before)
	require.NoError(t, err)
	require.Empty(t, cases)
}
