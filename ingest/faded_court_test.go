package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

const fadingCases = `id: county-court
title: A clerk who answers in JSON
kind: courts
county: ben-hill
publish: {policy: POLICY, absence: ABSENCE}
decode: {format: json}
fields:
  case: {court_type: {const: state}, number: number, defendant: name, filed: {from: filed, layouts: ['2006-01-02']}, status: {from: status, values: {P: pending, C: closed}},
    judge: judge, link: video, disposition: verdict, disposition_date: {from: judged, layouts: ['2006-01-02']}, sentence: sentence}
  charge: {court_type: {const: state}, number: number, each: {rows: charges}, description: text, statute: law, disposition: result}
  hearing: {court_type: {const: state}, number: number, each: {rows: hearings}, event: id, date: {from: day, layouts: ['2006-01-02']}, time: {from: clock, layouts: ['15:04']}, kind: kind, cancelled: {from: off}}
`

// toldCase is a case as the clerk tells it whole.
const toldCase = `"status": "C", "judge": "HON. A. FERN", "video": "https://court.example/1", "verdict": "GUILTY PLEA", "judged": "2026-02-20", "sentence": "12 MONTHS", ` +
	`"charges": [{"text": "DUI", "law": "40-6-391", "result": "GUILTY"}], "hearings": [{"id": "E1", "day": "2026-04-01", "clock": "09:30", "kind": "MOTION", "off": "N"}, {"id": "E2", "day": "2026-04-02", "clock": "10:00", "kind": "PLEA", "off": "Y"}]`

// cases writes three cases.
func cases(facts string) string {
	rows := make([]string, 3)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"number": "26-CR-%d", "name": "QUILLFEATHER%c, WREN", "filed": "2026-01-0%d", %s}`, 1+i, 'A'+rune(i), 1+i, facts)
	}
	return "[" + strings.Join(rows, ",") + "]"
}

func TestGuarantee9AKeyThatIsGoneWipesNothingOfCourtCases(t *testing.T) {
	t.Parallel()
	const known = "closed HON. A. FERN https://court.example/1; 2026-02-20 GUILTY PLEA 12 MONTHS; DUI 40-6-391 GUILTY; E1 2026-04-01 09:30 MOTION, E2 2026-04-02 10:00 PLEA off"
	for name, c := range map[string]struct{ from, to, gone string }{
		"the judge":               {`"judge"`, `"official"`, "case.judge"},
		"the link":                {`"video"`, `"zoom"`, "case.link"},
		"the status":              {`"status"`, `"state"`, "case.status"},
		"the dispositions":        {`"verdict"`, `"outcome"`, "case.disposition"},
		"their dates":             {`"judged"`, `"closed"`, "case.disposition_date"},
		"their sentences":         {`"sentence"`, `"terms"`, "case.sentence"},
		"all charges":             {`"charges"`, `"counts"`, "charge.description"},
		"the statutes":            {`"law"`, `"code"`, "charge.statute"},
		"what became of charges":  {`"result"`, `"finding"`, "charge.disposition"},
		"all hearings":            {`"hearings"`, `"calendar"`, "hearing.date"},
		"the numbers of hearings": {`"id"`, `"event"`, "hearing.event"},
		"the times of hearings":   {`"clock"`, `"time"`, "hearing.time"},
		"the kinds of hearings":   {`"kind"`, `"type"`, "hearing.kind"},
		"that hearings are off":   {`"off"`, `"cancelled"`, "hearing.cancelled"},
		"numbers and times":       {`"id": "E`, `"nr": "E`, "hearing.event"},
	} {
		for _, policy := range [][2]string{{"full_roster", "unknown"}, {"delta", "nothing"}} {
			t.Run(name+", "+policy[0], func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				s, err := ingest.Parse([]byte(strings.NewReplacer("POLICY", policy[0], "ABSENCE", policy[1]).Replace(fadingCases)))
				require.NoError(t, err)
				state := func() string {
					return one[string](b, `select string_agg(distinct concat_ws(' ', c.status, c.judge, c.hearing_link) || '; '
 || coalesce((select string_agg(concat_ws(' ', d.date, d.outcome, d.sentence), ', ') from dispositions d where d.case_id = c.id), '') || '; '
 || coalesce((select string_agg(concat_ws(' ', x.description, x.statute, x.disposition), ', ') from case_charges x where x.case_id = c.id), '') || '; '
 || coalesce((select string_agg(concat_ws(' ', h.event, h.date, h.time, h.kind, case when h.cancelled then 'off' end), ', ' order by h.event) from hearings h where h.case_id = c.id), ''), ' | ') from court_cases c`)
				}
				at := func(day int) time.Time { return time.Date(2026, 3, day, 6, 0, 0, 0, time.UTC) }
				b.runSource(s, "a.json", cases(toldCase), at(1))
				require.Equal(t, known, state())
				renamed := strings.ReplaceAll(toldCase, c.from, c.to)
				if name == "numbers and times" {
					renamed = strings.ReplaceAll(renamed, `"clock"`, `"at"`)
				}
				for i := range 2 {
					r := b.runSource(s, "b.json", cases(renamed), at(2+i))
					require.Contains(t, []source.RunState{source.RunOK, source.RunPartial}, r.State, r.String())
					require.Contains(t, strings.Join(r.Drift, "\n"), c.gone+" is no longer in any row", r.String())
					require.Equal(t, known, state(), "in snapshot %d: %s", i, r.String())
					if i > 0 {
						require.Zero(t, r.Changed, "nothing is news: %s", r.String())
					}
				}
				require.Zero(t, one[int](b, `select count(*) from record_changes`))

				t.Log("what is told again counts")
				emptied := strings.NewReplacer(`"HON. A. FERN"`, `""`, `"GUILTY PLEA"`, `""`, `"MOTION"`, `""`, `"40-6-391"`, `""`).Replace(toldCase)
				b.runSource(s, "c.json", cases(emptied), at(6))
				require.Equal(t, "closed https://court.example/1; ; DUI GUILTY; E1 2026-04-01 09:30, E2 2026-04-02 10:00 PLEA off", state())
			})
		}
	}
}

func TestADeltaThatHappensToLackAFieldOfFewCasesIsBelieved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(strings.NewReplacer("POLICY", "delta", "ABSENCE", "nothing").Replace(fadingCases)))
	require.NoError(t, err)
	at := func(day int) time.Time { return time.Date(2026, 3, day, 6, 0, 0, 0, time.UTC) }
	row := func(n int, facts string) string {
		return fmt.Sprintf(`{"number": "26-CR-%d", "name": "MOONSAIL, ORLA", "filed": "2026-01-01", "status": "P"%s}`, n, facts)
	}
	rows := []string{row(0, `, "judge": "HON. A. FERN"`)}
	for n := range 9 {
		rows = append(rows, row(1+n, ""))
	}
	b.runSource(s, "a.json", "["+strings.Join(rows, ",")+"]", at(1))
	judges := func() int { return one[int](b, `select count(*) from court_cases where judge is not null`) }
	require.Equal(t, 1, judges())
	r := b.runSource(s, "b.json", "["+row(0, "")+"]", at(2))
	require.Equal(t, []any{0, 0, 1}, []any{judges(), len(r.Drift), r.Changed}, r.String())
}
