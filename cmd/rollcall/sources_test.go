package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pinewood is the document that docs/sources.md arrives at.
func pinewood(t *testing.T) (document, sample string) {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		return string(text)
	}
	document, sample = read("pinewood.yaml"), read("pinewood_2026-03-09_06-00-00.csv")
	page := read(filepath.Join("..", "..", "..", "docs", "sources.md"))
	require.Contains(t, page, document, "the page shows this very document")
	require.Contains(t, page, sample)
	return document, sample
}

// put writes a file into the terminal's directory and gives its name.
func (x *terminal) put(name, text string) string {
	x.T.Helper()
	file := filepath.Join(x.Data, name)
	require.NoError(x.T, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestSourcesCheckTellsMistakesPrecisely(t *testing.T) {
	t.Parallel()
	x := terminalOn(t, "postgres://nobody@127.0.0.1:1/none") // it needs no database
	document, sample := pinewood(t)
	data := x.put("sample.csv", sample)
	out := x.OK("sources", "check", x.put("good.yaml", document), "--sample", data)
	require.Contains(t, out, `"name":"QUILLFEATHER, MARLOWE TEAGAN"`)
	require.Contains(t, out, "3 rows, 0 to quarantine")

	for name, c := range map[string]struct{ from, to, says string }{
		"a layout that does not fit": {"3:04PM", "15:04", `fields.booking.booked_at: layout "01/02/2006 15:04" does not match "03/08/2026 1:30AM" in sample row 1, and 2 more rows`},
		"a column that is not there": {"number: Booking No", "number: Booking Nr", `fields.booking.number.from: there is no column "Booking Nr"; did you mean "Booking No"?`},
		"a misspelt key":             {"policy:", "polcy:", `publish.polcy: unknown key; did you mean "policy"?`},
		"a county that is none":      {"county: ware", "county: wear", `county "wear" is not a county slug`},
	} {
		require.Contains(t, document, c.from, name)
		code, out := x.Run("sources", "check", x.put("bad.yaml", strings.Replace(document, c.from, c.to, 1)), "--sample", data)
		require.NotZero(t, code, name)
		require.Contains(t, out+x.Stderr, c.says, name)
	}
	require.JSONEq(t, `{"source": "pinewood", "mistakes": []}`, x.OK("sources", "check", x.put("good.yaml", document), "--json"))
	code, _ := x.Run("sources", "check", filepath.Join(x.Data, "none.yaml"))
	require.NotZero(t, code)
	require.Contains(t, x.Stderr, "there is no shipped source and no file")
}

// checkOf gives the lines that a check of a document prints, and what it ends with.
func (x *terminal) checkOf(document, sample string) (lines []string, end string) {
	x.T.Helper()
	code, out := x.Run("sources", "check", x.put("check.yaml", document), "--sample", x.put("sample.csv", sample))
	require.NotZero(x.T, code)
	return strings.Split(strings.TrimSpace(out), "\n"), x.Stderr
}

// TestALayoutIsJudgedAgainstTheSampleToo holds the very sentence of the issue.
func TestALayoutIsJudgedAgainstTheSampleToo(t *testing.T) {
	t.Parallel()
	x := terminalOn(t, "postgres://nobody@127.0.0.1:1/none")
	document, sample := pinewood(t)
	document = strings.Replace(document, "booked_at: {from: Booked, layouts: [01/02/2006 3:04PM]}", `booked_at: {from: Booked, layouts: ["15:04"]}`, 1)
	sample = strings.NewReplacer("03/08/2026 1:30AM", "09:12", "03/08/2026 11:00PM", "13:40", "03/01/2026 4:55PM", "11:00PM").Replace(sample)
	lines, end := x.checkOf(document, sample)
	require.Equal(t, []string{
		`fields.booking.booked_at.layouts[0]: layout "15:04" names no year (the year is written 2006, the day 02, the time 15:04:05)`,
		`fields.booking.booked_at: names no year though layout "15:04" matches "09:12" in sample row 1, and 1 more row`,
		`fields.booking.booked_at: layout "15:04" does not match "11:00PM" in sample row 3`,
		`0 rows, 3 to quarantine`,
	}, lines, "and nothing of fields that every row of the sample has")
	require.Contains(t, end, "the document has 1 mistake, and 3 sample rows would go to quarantine")
}

func TestMistakesOfTheDocumentAndOfItsSampleAreToldTogether(t *testing.T) {
	t.Parallel()
	x := terminalOn(t, "postgres://nobody@127.0.0.1:1/none")
	document, sample := pinewood(t)
	slips := strings.NewReplacer("  policy:", "  polcy:", "number: Booking No\n", "number: Booking Nr\n", "booked_at: {from: Booked, layouts: [01/02/2006 3:04PM]}", "booked_at: {from: Booked, layouts: [01/02/2006 15:04]}")
	lines, end := x.checkOf(slips.Replace(document), sample)
	require.Equal(t, []string{
		`publish.polcy: unknown key; did you mean "policy"?`,
		`fields.booking.number.from: there is no column "Booking Nr"; did you mean "Booking No"?`,
		`fields.booking.booked_at: layout "01/02/2006 15:04" does not match "03/08/2026 1:30AM" in sample row 1, and 2 more rows`,
		`fields.booking.number: no sample row has a value at ["Booking Nr"]`,
		`0 rows, 3 to quarantine`,
	}, lines)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "sources.md"))
	require.NoError(t, err)
	require.Contains(t, string(page), strings.Join(lines, "\n")+"\n"+end, "the page shows this very output")

	lines, _ = x.checkOf(strings.Replace(document, "format: csv", "fromat: csv", 1), sample)
	require.Equal(t, []string{""}, lines, "without a format no sample can be read")
	require.Contains(t, x.Stderr, `decode.fromat: unknown key; did you mean "format"?`)
	require.NotContains(t, x.Stderr, "is missing", "the misspelt key explains it")
}

// TestACheckNamesWhatAnIngestWouldReportBesideTheRows: a declared number that is elsewhere, columns of lists, cuts, and names.
func TestACheckNamesWhatAnIngestWouldReportBesideTheRows(t *testing.T) {
	t.Parallel()
	x := terminalOn(t, "postgres://nobody@127.0.0.1:1/none")
	documents, samples := harderManual(t)
	tamarack, page := documents["tamarack"], samples["tamarack_20261103_0600.html"]
	altamaha, file := documents["altamaha"], samples["altamaha_2026-11-03.csv"]
	for name, c := range map[string]struct {
		document, from, to, sample, called, says string
		bad                                      bool
	}{
		"a total that is another number":      {tamarack, "p.count b", "p.count", page, "tamarack_20261103_0600.html", "decode.total: the sample declares 5 rows and has 3 (such a file is not complete)", false},
		"a total at no place":                 {tamarack, "p.count b", "'(\\d+) inmates'", page, "tamarack_20261103_0600.html", `decode.total: there is no number at "(\\d+) inmates" in the sample`, false},
		"a cut that is nowhere":               {tamarack, `"\n"`, "'<br>'", page, "tamarack_20261103_0600.html", `fields.charge.each.parallel.on: no sample row has ["<br>"] in "Charge(s)"`, false},
		"a column of a list that is nowhere":  {tamarack, "Statute]", "Law]", page, "tamarack_20261103_0600.html", `fields.charge.each.parallel.columns: no sample row has a value at "Law"`, false},
		"a column of a list that is misspelt": {altamaha, "{from: Charges,", "{from: Charge,", file, "altamaha_2026-11-03.csv", `fields.charge.each.segments.from: there is no column "Charge"; did you mean "Charges"?`, true},
		"a column that the document lacks":    {altamaha, ", Booking]", ", Booking]", strings.ReplaceAll(file, "\n", ";Pod\n"), "altamaha_2026-11-03.csv", `decode.columns: column "Pod" is not known`, false},
		"a name without an instant":           {altamaha, "", "", file, "altamaha.csv", `transport.observed: the name "altamaha.csv" does not state the instant, so an ingest needs --at`, false},
		"texts that are left out":             {altamaha, "", "", strings.NewReplacer("CASH ONLY 2,500", "SEE 0THER").Replace(file), "altamaha_2026-11-03.csv", `is neither an amount nor a known word "SEE 0THER" in sample row 2, and 1 more row ("5000/10000 10%") (left out; the row stays)`, false},
		"a word for no county":                {altamaha, "Jeff Davis}", "Jef Davs}", file, "altamaha_2026-11-03.csv", `fields.booking.county.values.JD: "Jef Davs" is not a county of Georgia; did you mean "jeff-davis"?`, true},
		"one county for all other words":      {altamaha, "{JD: Jeff Davis}", "{JD: Jeff Davis, '*': Wayne}", file, "altamaha_2026-11-03.csv", `fields.booking.county.values: '*' would place every other row in one county; list the words that are not spellings of it`, true},
		"a constant for a county":             {altamaha, "county: {from: ", "county: {const: wayne, from: ", file, "altamaha_2026-11-03.csv", `fields.booking.county.const: a constant here checks nothing; write county: at the top of the document`, true},
		"a row of no county":                  {altamaha, "", "", strings.NewReplacer("MC INTOSH CO", "Baccon").Replace(file), "altamaha_2026-11-03.csv", `fields.booking.county: "Baccon" is not a county of Georgia; did you mean "bacon"? in sample row 2`, true},
		"a row of another county":             {altamaha, "kind: roster ", "county: jeff-davis\nkind: roster ", file, "altamaha_2026-11-03.csv", `fields.booking.county: "MC INTOSH CO" names another county than the document in sample row 2`, true},
	} {
		require.Contains(t, c.document, c.from, name)
		code, out := x.Run("sources", "check", x.put("check.yaml", strings.Replace(c.document, c.from, c.to, 1)), "--sample", x.put(c.called, c.sample))
		require.Equal(t, c.bad, code != 0, "%s: %s %s", name, out, x.Stderr)
		require.Contains(t, out+x.Stderr, c.says, name)
	}
	// What one file lacks another may have.
	fenwick := x.put("fenwick.yaml", documents["fenwick"])
	cases, events := x.put("fenwick_cases_20261103.txt", samples["fenwick_cases_20261103.txt"]), x.put("fenwick_events_20261103.txt", samples["fenwick_events_20261103.txt"])
	out := x.OK("sources", "check", fenwick, "--sample", cases, "--sample", events)
	require.Contains(t, out, `fields.judge: no sample row is of kind "J"`)
	require.NotContains(t, out, `no sample row is of kind "C"`)
	require.NotContains(t, out, `no sample row is of kind "E"`)
}

func TestACountyIsAddedByADocument(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	document, sample := pinewood(t)
	file := x.put("pinewood.yaml", document)
	require.Contains(t, x.OK("sources", "enable", file), "Enabled pinewood; it has no schedule: bring its files with rollcall ingest.")
	data := x.put("pinewood_2026-03-09_06-00-00.csv", sample)
	report := x.Fields("ingest", "--source", "pinewood", "--file", data, "--json")
	require.Equal(t, []any{3.0, 3.0, 0.0, true}, []any{report["fetched"], report["new"], report["quarantined"], report["complete"]})
	require.Contains(t, x.OK("ingest", "--source", "pinewood", data), "new 0  changed 0  unchanged 3")

	bad := x.put("pinewood_2026-03-10_06-00-00.csv", strings.Replace(sample, "03/08/2026 11:00PM", "yesterday", 1))
	code, out := x.Run("ingest", "--source", "pinewood", bad)
	require.Equal(t, 1, code)
	require.Contains(t, out, `quarantined: booking.booked_at: layout "01/02/2006 3:04PM" does not match (1)`)
	require.Contains(t, x.Stderr, "1 row of pinewood went to quarantine")

	wider := strings.Replace(strings.ReplaceAll(strings.ReplaceAll(sample, "\n", ",\n"), "#END 3,", "#END 3"), "Bond,", "Bond,Cell", 1)
	code, out = x.Run("ingest", "--source", "pinewood", x.put("pinewood_2026-03-11_06-00-00.csv", wider))
	require.Equal(t, 1, code, "a file of other columns releases nobody, so not all of it was taken")
	require.Contains(t, out, "quarantined 0")
	require.Contains(t, x.Stderr, "is partial: absence is not read")

	for _, s := range x.Items("sources", "list", "--json") {
		if s["id"] == "pinewood" {
			require.Equal(t, []any{"ware", true, "roster"}, []any{s["county"], s["enabled"], s["kind"]})
		}
	}
	require.Contains(t, x.OK("sources", "show", "pinewood"), "Pinewood jail list (Ware)")
	x.OK("sources", "disable", "pinewood")
	code, _ = x.Run("ingest", "--source", "nowhere")
	require.Equal(t, 1, code)
}

func TestASlipInATimeOrAnIDIsAnsweredWithWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	document, sample := pinewood(t)
	file, data := x.put("pinewood.yaml", document), x.put("pinewood_2026-03-09_06-00-00.csv", sample)
	code, _ := x.Run("ingest", "--source", file, data, "--at", "yesterday")
	require.NotZero(t, code)
	require.Contains(t, x.Stderr, `"yesterday" is not a time like 2026-03-08T06:30:00-05:00 or 2026-03-08T11:30:00Z`)
	for _, command := range [][]string{{"sources", "show", "nope"}, {"sources", "hold", "nope"}, {"sources", "release", "nope"}, {"sources", "accept", "nope"}, {"sources", "disable", "nope"}} {
		code, _ = x.Run(command...)
		require.NotZero(t, code)
		require.Contains(t, x.Stderr, `there is no source "nope"; list them with: rollcall sources list`, command)
	}
}
