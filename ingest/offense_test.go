package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/snapshot"
)

const offenseDocument = `id: county-court
title: A clerk whose cases may name their offense
kind: courts
county: ben-hill
publish: {policy: delta, absence: nothing}
decode: {format: tagged, kinds: {CA: [case, name, filed, offense], CH: [case, sequence, description]}}
fields:
  case: {when: CA, court_type: {const: state}, number: case, defendant: name, filed: {from: filed, layouts: ['2006-01-02']}, offense: offense}
  charge: {when: CH, court_type: {const: state}, number: case, sequence: sequence, description: description}
`

func TestTheFirstChargeIsTheOffenseOnlyWhereTheCaseNamesNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(offenseDocument))
	require.NoError(t, err)
	hours := 0
	tell := func(lines ...string) string {
		hours++
		r := b.runSource(s, "delta.txt", strings.Join(lines, "\n")+"\n", day.Add(time.Duration(hours)*time.Hour))
		require.Zero(t, r.Quarantined, r.String())
		return one[string](b, `select string_agg(offense, ', ' order by case_number) from court_cases`)
	}
	named := func(offense string) string { return "CA\t1\tQUILLFEATHER, WREN\t2026-01-05\t" + offense }
	const unnamed = "CA\t2\tMOONSAIL, ORLA\t2026-01-05\t"
	charge := func(number, seq int, text string) string { return fmt.Sprintf("CH\t%d\t%d\t%s", number, seq, text) }

	require.Equal(t, "BURGLARY, THEFT", tell(named("BURGLARY"), unnamed, charge(1, 1, "THEFT"), charge(2, 1, "THEFT")))
	require.Equal(t, "BURGLARY, DUI", tell(charge(1, 1, "DUI"), charge(2, 1, "DUI")))
	require.Equal(t, 1, one[int](b, `select count(*) from record_changes where field = 'offense'`), "of the case that names none")
	require.Equal(t, "ROBBERY, DUI", tell(named("ROBBERY")))
	require.Equal(t, "ROBBERY, ARSON", tell(charge(1, 0, "ARSON"), charge(2, 0, "ARSON")))
	require.Equal(t, "ROBBERY, FRAUD", tell(unnamed+"FRAUD", charge(2, 0, "ARSON II")), "from now on that case names its own")
	require.Equal(t, "ROBBERY, FRAUD", tell(named(""), charge(1, 0, "DUI II"), charge(2, 0, "DUI II")), "a blank takes no offense back")
}

func TestAnOffenseOfATakeoverYieldsToTheChargesThatTheCourtTells(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(offenseDocument))
	require.NoError(t, err)
	benHill, err := b.store.Counties().BySlug("ben-hill")
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled) values ('before', 'The system before', 'courts', true)`)
	require.NoError(t, err)
	run, err := b.store.BeginRun(t.Context(), "before", b.now)
	require.NoError(t, err)
	taken := &snapshot.CourtRow{
		CaseKey: snapshot.CaseKey{CountyID: benHill.ID, CourtType: "state", Number: "2", Party: "1"}, Whole: true, SeenAt: b.now, Line: 1,
		Case: &snapshot.CaseFacts{Defendant: "MOONSAIL, ORLA", Offense: "FRAUD", Filed: models.Date{Year: 2026, Month: 1, Day: 5}, Status: "pending"},
	}
	_, _, err = b.store.ReconcileCourts(t.Context(), snapshot.Reconciler{
		Header: snapshot.Header{SourceID: "before", RunID: run, At: b.now, Now: b.now, Imported: true},
		Prove:  func(n int) snapshot.Completeness { return snapshot.Completeness{Rows: n} },
		Exempt: func() snapshot.Exempt { return snapshot.Exempt{} },
	}, func(yield func(*snapshot.CourtRow, error) bool) { yield(taken, nil) })
	require.NoError(t, err)
	for i, want := range []string{"FRAUD", "ARSON III"} {
		text := "CA\t2\tMOONSAIL, ORLA\t2026-01-05\t\n"
		if i > 0 {
			text += "CH\t2\t0\tARSON III\n"
		}
		b.runSource(s, "delta.txt", text, day.Add(time.Duration(i)*time.Hour))
		require.Equal(t, want, one[string](b, `select offense from court_cases`))
	}
}

func TestACaseToldWholeThatNamesNoOffenseShowsItsFirstCharge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(strings.NewReplacer("POLICY", "delta", "ABSENCE", "nothing").Replace(fadingCases)))
	require.NoError(t, err)
	b.runSource(s, "a.json", cases(toldCase), day)
	require.Equal(t, "DUI", one[string](b, `select string_agg(distinct offense, ', ') from court_cases`))
	require.Zero(t, one[int](b, `select count(*) from record_changes`))
}
