package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/ingest"
	"rollcall/internal/property"
	"rollcall/models"
	"rollcall/models/source"
)

// courtFile is one of a clerk's files of a day: its name and its lines.
type courtFile struct{ name, text string }

// dailyCase is a case of the clerks' second set of columns: without a day of filing.
func dailyCase(number, party, first, last, born, bail, disposed, outcome string) string {
	return clerkLine("CA", party, number, first, last, disposed, "", bail, "", born, "W", "F", outcome, "")
}

func dailyCharge(number, party, sequence, text, arrested string) string {
	return clerkLine("CH", party, number, sequence, "16-8-2", "M", "0.00", "", text, "", arrested, "12/31/3095")
}

func dailyHearing(number, party, day, clock, code string) string {
	return clerkLine("CE", party, number, day, clock, code, "1A", "", "01/01/2026", "12/31/3095")
}

func dailyRemoval(number, day, clock, code string) string {
	return clerkLine("DE", number, day, clock, code)
}

func dailyJudge(number, party, name string) string { return clerkLine("JU", party, number, name) }

// readTogether reads files of a clerk in one run.
func (b *bundle) readTogether(id string, files ...courtFile) *ingest.Report {
	b.Helper()
	s, err := ingest.Load("court-delta")
	require.NoError(b, err)
	s.ID = id
	var paths []string
	for _, f := range files {
		path := filepath.Join(b.dir, f.name)
		require.NoError(b, os.WriteFile(path, []byte(f.text), 0o600))
		paths = append(paths, path)
	}
	report, err := b.runner.Run(b.Context(), s, ingest.Input{Files: paths})
	require.NoError(b, err)
	require.Equal(b, source.RunOK, report.State, report.String())
	return report
}

// courtsOf lists what the tables have of the cases whose numbers begin with a prefix.
func (b *bundle) courtsOf(prefix string) (out []string) {
	b.Helper()
	const query = `select coalesce(string_agg(concat_ws(' ', case_number, party, defendant, offense, filed_date, filed_inferred, bail_cents, status, judge,
 (select string_agg(concat_ws(' ', h.date, h.time, h.kind), ', ' order by starts_at, kind) from hearings h where h.case_id = c.id),
 (select string_agg(concat_ws(' ', seq, x.description, x.arrest_date), ', ' order by seq) from case_charges x where x.case_id = c.id),
 (select string_agg(concat_ws(' ', d.date, d.outcome), ', ' order by seq) from dispositions d where d.case_id = c.id)), e'\n' order by case_number, party), '')
 from court_cases c where starts_with(case_number, $1)`
	return strings.Split(strings.ReplaceAll(one[string](b, query, prefix), prefix, ""), "\n")
}

func TestADayOfFourFilesIsReadAsTheClerkMeansIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Load("court-delta")
	require.NoError(t, err)
	var day []courtFile
	for _, kind := range []string{"cases", "charges", "events", "judges"} {
		name := kind + "_20260109_060000.txt"
		day = append(day, courtFile{name, b.sample("court-delta", name)})
	}
	r := b.readTogether(s.ID, day...)
	require.Equal(t, []any{16, 16, 4, 0}, []any{r.Fetched, r.Parsed, r.New, r.Quarantined}, r.String())
	require.Equal(t, []string{
		"2025R-0417 001 QUILLFEATHER, MARLOWE BURGLARY 1ST DEGREE 2025-12-30 t 250000 pending HON. WINTERBOURNE " +
			"2026-02-10 09:00 ARR, 2026-02-10 09:00 BND 1 BURGLARY 1ST DEGREE 2025-12-30",
		"2025R-0417 002 O'BRANNIGAN, WREN BURGLARY 1ST DEGREE 2025-12-31 t pending HON. WINTERBOURNE 2026-02-10 09:00 ARR 1 BURGLARY 1ST DEGREE 2025-12-31",
		"ST-26-MS-12 001 MOONSAIL, ORLA THEFT BY TAKING 2025-11-02 t closed HON. LARKSPUR 2026-01-08 13:30 PLEA 1 THEFT BY TAKING 2025-11-02 2026-01-08 NOLLE PROSEQUI",
		"W-26-88 001 THISTLEDOWN, PIP  2026-01-09 t warrant 2026-03-02 13:30 WRT",
	}, b.courtsOf(""))
}

// The files of a clerk's days may be read in any order, together or one by one, and again: the cases are the same.
func TestGuarantee5AnyOrderOfAClerksFourFilesADayConverges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trial := 0
	property.Check(t, 8, func(r *rapid.T) {
		trial++
		straight, mixed := fmt.Sprintf("s%d-", trial), fmt.Sprintf("m%d-", trial)
		draws := drawDays(r)
		order := rapid.Permutation(indexes(len(draws))).Draw(r, "order")
		order = append(order, rapid.SliceOfN(rapid.SampledFrom(order), 0, 2).Draw(r, "again")...)
		cut := rapid.IntRange(0, len(order)).Draw(r, "together until")
		of := func(prefix string, i int) courtFile {
			return courtFile{draws[i].name, strings.ReplaceAll(draws[i].text, "@", prefix)}
		}
		for i := range draws {
			b.readTogether(straight, of(straight, i))
		}
		var first []courtFile
		for _, i := range order[:cut] {
			if f := of(mixed, i); !slices.Contains(first, f) {
				first = append(first, f)
			}
		}
		if len(first) > 0 {
			b.readTogether(mixed, first...)
		}
		for _, i := range order[cut:] {
			b.readTogether(mixed, of(mixed, i))
		}
		require.Equal(r, b.courtsOf(straight), b.courtsOf(mixed))
		rebuilt, err := b.store.Rebuild(b.Context(), models.Courts, true)
		require.NoError(r, err)
		require.Empty(r, rebuilt.Changes)
	})
}

// drawDays draws the files of some days; @ stands where numbers begin.
func drawDays(r *rapid.T) (files []courtFile) {
	pick := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(r, label) }
	for n := range rapid.IntRange(1, 3).Draw(r, "days") {
		byKind := map[string]string{}
		for range rapid.IntRange(1, 8).Draw(r, "rows") {
			number, party := "@"+pick("number", "1", "2"), pick("party", "001", "002")
			person := map[string][2]string{"001": {"WREN", "QUILLFEATHER"}, "002": {"ORLA", "MOONSAIL"}}[party]
			at, clock, code := pick("day", "01/02/2026", "04/02/2026"), pick("clock", "09:00", "13:30"), pick("code", "ARR", "BND")
			switch kind := pick("kind", "cases", "charges", "events", "events", "removals", "judges"); kind {
			case "cases":
				byKind[kind] += dailyCase(number, party, person[0], person[1], "", pick("bail", "", "500.00", "NO BOND"), pick("disposed", "", "02/02/2026"), "PLEA")
			case "charges":
				byKind[kind] += dailyCharge(number, party, pick("sequence", "1", "2"), pick("text", "THEFT", "DUI"), pick("arrested", "", "12/30/2025", "01/04/2026"))
			case "events":
				byKind[kind] += dailyHearing(number, party, at, clock, code)
			case "removals":
				byKind["events"] += dailyRemoval(number, at, clock, code)
			case "judges":
				byKind[kind] += dailyJudge(number, pick("of", "001", "002", ""), pick("judge", "HON. A", "HON. B"))
			}
		}
		for _, kind := range []string{"cases", "charges", "events", "judges"} {
			if byKind[kind] != "" {
				files = append(files, courtFile{fmt.Sprintf("%s_2026010%d_060000.txt", kind, n+5), byKind[kind]})
			}
		}
	}
	return files
}

func TestDeletesAndCreatesOfOneInstantFollowTheOrderOfTheFile(t *testing.T) {
	t.Parallel()
	kase := courtFile{"cases_20260109_060000.txt", dailyCase("MG-1", "1", "WREN", "QUILLFEATHER", "", "", "", "")}
	create, remove := dailyHearing("MG-1", "1", "04/02/2026", "09:00", "ARR"), dailyRemoval("MG-1", "04/02/2026", "09:00", "ARR")
	stands, gone := []string{"1 09:00 next 09:00"}, []string{"1"}
	for name, c := range map[string]struct {
		parts []string // of the file of events
		want  []string
	}{
		"taken back and set again in one file":                   {[]string{remove + create}, stands},
		"set and taken back in one file":                         {[]string{create + remove}, gone},
		"set, taken back and set again":                          {[]string{create + remove + create}, stands},
		"taken back in the first part, set in the second":        {[]string{clerkLine("JU", "1", "MG-2", "HON. A") + remove, create}, stands},
		"set late in the first part, taken back in the second":   {[]string{clerkLine("JU", "1", "MG-2", "HON. A") + create, remove}, gone},
		"the second of ten parts, and the tenth":                 {[]string{"", create, "", "", "", "", "", "", "", remove}, gone},
		"set for every party, and taken back in the same moment": {[]string{dailyHearing("MG-1", "*", "04/02/2026", "09:00", "ARR") + remove}, gone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			files := []courtFile{kase}
			for i, text := range c.parts {
				if text != "" {
					files = append(files, courtFile{fmt.Sprintf("events-%d-of-%d_20260109_060000.txt", i+1, len(c.parts)), text})
				}
			}
			b.readTogether("together", files...)
			require.Equal(t, c.want, b.calendar("MG-1"), "in one run")

			b = setup(t)
			runs := map[int64]bool{}
			for _, f := range slices.Backward(files) {
				runs[b.readTogether("backwards", f).Run] = true
			}
			require.Equal(t, c.want, b.calendar("MG-1"), "one by one, the last first")
			s, err := ingest.Load("court-delta")
			require.NoError(t, err)
			s.ID = "backwards"
			for run := range runs {
				_, err := b.runner.Replay(t.Context(), s, run)
				require.NoError(t, err)
				require.Equal(t, c.want, b.calendar("MG-1"), "after a replay")
			}
		})
	}
}

func TestACaseWithoutADayOfFilingShowsTheEarliestDayKnownOfIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		number string
		lines  string
		want   string
	}{
		"a hearing to come says nothing of the past": {"MG-1", dailyHearing("MG-1", "1", "04/02/2026", "09:00", "ARR"), "2026-01-09 true"},
		"an arrest":                   {"MG-2", dailyCharge("MG-2", "1", "1", "DUI", "12/30/2025"), "2025-12-30 true"},
		"an arrest before any memory": {"MG-3", dailyCharge("MG-3", "1", "1", "DUI", "12/30/1901"), "2026-01-09 true"},
		"an arrest of the future":     {"MG-4", dailyCharge("MG-4", "1", "1", "DUI", "12/30/2026"), "2026-01-09 true"},
		"a first hearing":             {"MG-5", dailyHearing("MG-5", "1", "01/02/2026", "09:00", "ARR"), "2026-01-02 true"},
	} {
		t.Run(name, func(t *testing.T) {
			text := dailyCase(c.number, "1", "WREN", "QUILLFEATHER", "", "", "", "") + c.lines
			b.readTogether("court-delta", courtFile{c.number + "_20260109_060000.txt", text})
			page, err := b.store.ListCourtCases(t.Context(), models.CourtFilter{CaseNumber: &c.number}, models.Page{Limit: 1})
			require.NoError(t, err)
			require.Equal(t, c.want, fmt.Sprint(page.Records[0].FiledDate, " ", page.Records[0].FiledDateInferred))
		})
	}
}

func TestADayOfFilingThatIsStatedLaterReplacesTheEarliestDayKnown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	shown := func() string {
		number := "MG-1"
		page, err := b.store.ListCourtCases(t.Context(), models.CourtFilter{CaseNumber: &number}, models.Page{Limit: 1})
		require.NoError(t, err)
		return fmt.Sprint(page.Records[0].FiledDate, " ", page.Records[0].FiledDateInferred)
	}
	b.readTogether("court-delta", courtFile{"cases_20260209_060000.txt", dailyCase("MG-1", "1", "WREN", "QUILLFEATHER", "", "", "", "")})
	require.Equal(t, "2026-02-09 true", shown())
	at := b.now
	b.now = b.now.Add(time.Hour)
	b.readTogether("court-delta", courtFile{"charges_20260208_060000.txt", dailyCharge("MG-1", "1", "1", "DUI", "01/30/2026")})
	require.Equal(t, "2026-01-30 true", shown())
	b.now = b.now.Add(time.Hour)
	b.readTogether("court-delta", courtFile{"delta_20260210_060000.txt", clerkCase("MG-1", "1", "")})
	require.Equal(t, "2026-02-01 false", shown())
	past, err := b.store.CourtCasesByNumber(t.Context(), "MG-1", nil, &at)
	require.NoError(t, err)
	require.Equal(t, "2026-02-09 true", fmt.Sprint(past[0].FiledDate, " ", past[0].FiledDateInferred), "as it was shown then")
	require.Equal(t, 3, one[int](b, `select count(*) from record_changes where field in ('filed_date', 'filed_inferred')`))
}

// With the birth of the defendant, days that are known later can show that somebody was under 17.
func TestTheEarliestDayKnownOfACaseDecidesWhetherItIsAJuveniles(t *testing.T) {
	t.Parallel()
	b := setup(t)
	kase := dailyCase("MG-1", "1", "WREN", "QUILLFEATHER", "01/15/2009", "", "", "")
	charge := dailyCharge("MG-1", "1", "1", "DUI", "01/05/2026")
	b.readTogether("court-delta", courtFile{"cases_20260209_060000.txt", kase})
	require.Empty(t, one[string](b, `select coalesce(withheld::text, '') from court_cases`), "17 when it was first seen")
	b.readTogether("court-delta", courtFile{"charges_20260209_060000.txt", charge})
	require.Equal(t, "juvenile", one[string](b, `select coalesce(withheld::text, '') from court_cases`))
}

const codefendants = `
id: pages
title: Pages of cases
kind: courts
county: clarke
publish: {policy: delta, absence: nothing}
decode: {format: json, rows: cases, split: {nested: defendants}}
fields:
  case:
    court_type: {const: superior}
    number: outer.number
    party: name
    defendant: name
    dob: {from: born, layouts: ['2006-01-02']}
    bail: bail
    judge: outer.judge
    status: {const: pending}
  charge: {each: {rows: charges}, court_type: {const: superior}, number: outer.number, description: text, offense_date: {from: on, layouts: ['2006-01-02']}}
  hearing: {each: {rows: outer.calendar}, court_type: {const: superior}, number: outer.number, date: {from: day, layouts: ['2006-01-02']}, time: {from: clock, layouts: ['15:04']}}
`

func TestSeveralDefendantsOfOnePageAreCasesOfTheirOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(codefendants))
	require.NoError(t, err)
	wren := `{"name": "QUILLFEATHER, WREN", "born": "1986-02-03", "bail": "$2,500.00", "charges": [{"text": "BURGLARY", "on": "2025-12-30"}, {"text": "THEFT"}]}`
	orla := `{"name": "MOONSAIL, ORLA", "bail": "NO BOND", "charges": [{"text": "BURGLARY"}]}`
	read := func(at time.Time, defendants ...string) {
		r := b.runSource(s, "page.json", `{"cases": [{"number": "25-R-1", "judge": "HON. LARKSPUR", "calendar": [{"day": "2026-04-02", "clock": "09:00"}], "defendants": [`+
			strings.Join(defendants, ",")+`]}]}`, at)
		require.Equal(t, source.RunOK, r.State, r.String())
	}
	read(day, wren, orla)
	want := []string{
		"25-R-1 MOONSAIL, ORLA MOONSAIL, ORLA BURGLARY 2026-02-01 t pending HON. LARKSPUR 2026-04-02 09:00 1 BURGLARY",
		"25-R-1 QUILLFEATHER, WREN QUILLFEATHER, WREN BURGLARY 2025-12-30 t 250000 pending HON. LARKSPUR 2026-04-02 09:00 1 BURGLARY, 2 THEFT",
	}
	require.Equal(t, want, b.courtsOf(""))
	read(day.AddDate(0, 0, 1), orla, wren)
	require.Equal(t, want, b.courtsOf(""), "in whatever order the page lists them")
}
