package takeover_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/internal/plural"
)

// forms are social security numbers as sources write them. Each has 6789 at its end, in digits of some script.
var forms = []string{
	"123-45-6789", "123–45–6789", "123\u201145\u20116789", "123\u221245\u22126789", "１２３－４５－６７８９", "SSN １２３４５６７８９", "123 45 6789",
	"123.45.6789", "123 - 45 - 6789", "123--45--6789", "SSN 123456789", "123/45/6789", "\x1b]0;x\x07123\u200b-45-6789",
	"123 45-6789", "123\u00ad45\u00ad6789", "123_45_6789", "12\u200b3-45-6789",
}

// leaked matches a text in which a number or a control character is left.
const leaked = `(6789|６７８９|[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|` + "\u200b" + `)`

// leaks returns the columns of the whole database that hold a number or a control character.
func (b *bundle) leaks() (found []string) {
	b.Helper()
	tables, err := b.db.Pool.Query(b.Context(), `select table_name::text from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
	require.NoError(b, err)
	var names []string
	for tables.Next() {
		var name string
		require.NoError(b, tables.Scan(&name))
		names = append(names, name)
	}
	require.NoError(b, tables.Err())
	require.Greater(b, len(names), 20)
	// Bytes are encrypted or hashed, and their digits may look like anything.
	for _, name := range names {
		rows, err := b.db.Pool.Query(b.Context(), fmt.Sprintf(`select t::text from %q t where regexp_replace(t::text, '\\\\x[0-9a-f]+', '', 'g') ~ $1`, name), leaked)
		require.NoError(b, err)
		for rows.Next() {
			var row string
			require.NoError(b, rows.Scan(&row))
			found = append(found, name+": "+row)
		}
		require.NoError(b, rows.Err())
	}
	return found
}

const roadRoster = `id: road-roster
title: A jail that writes numbers everywhere
kind: roster
county: ben-hill
publish: {policy: full_roster, absence: nothing}
decode: {format: json, rows: rows}
fields:
  booking: {number: id, locator: where, booked_at: {from: booked, layouts: ['2006-01-02 15:04']}, bond: bond}
  person: {number: who, name: name, dob: {from: born, layouts: ['2006-01-02']}}
  charge:
    each: {rows: charges}
    description: charge
    statute: statute
    severity: severity
    bond: bond
    disposition: disposition
identity:
  booking: [{of: [booking.number], strength: source}, {of: [person.name, booking.booked_at], strength: composite}]
  person: [{of: [person.number], strength: source}]
  locator: [{of: [booking.locator], strength: source}]
`

const roadCourts = `id: road-courts
title: A court that writes numbers everywhere
kind: courts
county: ben-hill
publish: {policy: delta, absence: nothing}
decode: {format: json, rows: rows}
fields:
  case: {court_type: {const: superior}, number: number, party: party, defendant: name, booking: booking, offense: offense, filed: {from: filed, layouts: ['2006-01-02']},
    status: {from: status, values: {open: pending}}, judge: judge, link: link}
  charge: {each: {rows: charges}, court_type: {const: superior}, number: number, description: charge, statute: statute, severity: severity, disposition: disposition}
  hearing: {each: {rows: hearings}, court_type: {const: superior}, number: number, event: event, date: {from: date, layouts: ['2006-01-02']}, kind: kind, judge: judge, location: location, link: link}
  disposition: {each: {rows: outcomes}, court_type: {const: superior}, number: number, date: {from: date, layouts: ['2006-01-02']}, outcome: outcome, sentence: sentence}
`

const roadCorrections = `id: road-corrections
title: A department that writes numbers everywhere
kind: corrections
publish: {policy: full_roster, absence: unknown}
decode: {format: json, rows: rows}
fields:
  offender: {id: id, name: name, dob: {from: born, layouts: ['2006-01-02']}, category: {const: offender}, status: {from: status, values: {in: incarcerated}}, institution: place, sentence: sentence}
`

// quoted returns a text as JSON writes it.
func quoted(text string) string {
	return `"` + strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`, `"`, `\"`).Replace(text) + `"`
}

// roadRows returns the document of a source whose every text holds a number: in row i that of form i, but number and key of
// the record are sound in every second row.
func roadRows(row string) string {
	var rows []string
	for i, form := range forms {
		id := form
		if i%2 == 0 {
			id = fmt.Sprintf("A%d", i)
		}
		one := strings.NewReplacer("ID", quoted(id), "NAME", quoted("QUILL"+strings.Repeat("I", i)+", MARLOWE "+form), "TEXT", quoted("X "+form)).Replace(row)
		rows = append(rows, one)
	}
	return fmt.Sprintf(`{"rows": [%s], "123-45-6789": 1}`, strings.Join(rows, ","))
}

// runs runs a source over a document, and again from the archive.
func (b *bundle) runs(document, file, text string) {
	b.Helper()
	source, err := ingest.Parse([]byte(document))
	require.NoError(b, err)
	b.write(map[string]string{file: text})
	report, err := b.runner.Run(b.Context(), source, ingest.Input{Files: []string{filepath.Join(b.dir, file)}})
	require.NoError(b, err)
	require.Greater(b, report.New, len(forms)/2, report.String())
	require.NotRegexp(b, leaked, strings.ReplaceAll(report.String(), "\n", " "))
	again, err := b.runner.Replay(b.Context(), source, report.Run)
	require.NoError(b, err, plural.Of(len(forms), "form"))
	require.Zero(b, again.New)
}

func TestNoSocialSecurityNumberReachesTheDatabaseByAnyRoad(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.runs(roadRoster, "roster.json", roadRows(`{"id": ID, "where": TEXT, "who": TEXT, "booked": "2026-03-01 10:00", "bond": TEXT, "name": NAME, "born": TEXT, "extra": TEXT,
		"charges": [{"charge": TEXT, "statute": TEXT, "severity": TEXT, "bond": TEXT, "disposition": TEXT}]}`))
	b.runs(roadCourts, "courts.json", roadRows(`{"number": ID, "party": "1", "name": NAME, "booking": TEXT, "offense": TEXT, "filed": "2026-03-01", "status": TEXT, "judge": TEXT,
		"link": "https://court.example.invalid/?id=123-45-6789", "charges": [{"number": ID, "charge": TEXT, "statute": TEXT, "severity": TEXT, "disposition": TEXT}],
		"hearings": [{"number": ID, "event": "1", "date": "2026-04-01", "kind": TEXT, "judge": TEXT, "location": TEXT, "link": TEXT}],
		"outcomes": [{"number": ID, "date": "2026-03-02", "outcome": TEXT, "sentence": TEXT}]}`))
	b.runs(roadCorrections, "corrections.json", roadRows(`{"id": ID, "name": NAME, "born": TEXT, "status": TEXT, "place": TEXT, "sentence": TEXT}`))

	// The takeover: in every second row the number by which the record is known is one, and the row is refused.
	var roster, corrections, links, courts strings.Builder
	roster.WriteString("id,name,dob,county,booking_date,release_date,charges,bond_amount,status\n")
	corrections.WriteString("gdc_id,name,dob,category,institution,sentence,status,release_date,parole_end_date\n")
	links.WriteString("roster_id,gdc_id,confidence,mugshot_match\n")
	for i, form := range forms {
		id := form
		if i%2 == 0 {
			id = fmt.Sprintf("old-2026-00%d", i)
		}
		fmt.Fprintf(&roster, "%q,\"QUILL, WREN %s\",1986-02-03,Ben Hill,2026-03-01T10:00:00-05:00,,DUI %s;THEFT %s,,booked\n", id, form, form, form)
		fmt.Fprintf(&corrections, "%q,\"QUILL, WREN %s\",1986-02-03,offender,DOOLY %s,12 YEARS %s,incarcerated,,\n", id, form, form, form)
		fmt.Fprintf(&links, "%q,%q,high,false\n", id, id)
		q := func(s string) string { return quoted(s + " " + form) }
		fmt.Fprintf(&courts, `{"case_number":%s,"defendant":%s,"offense":%s,"court_type":"superior","county":"Ben Hill","filed_date":"2026-01-05","status":"pending","judge":%s,"hearing_link":%s,`+
			`"hearings":[{"date":"2026-04-05","time":"09:00","judge":%s,"location":%s,"zoom_link":%s}],"dispositions":[{"date":"2026-01-06","outcome":%s,"sentence":%s}]}`+"\n",
			quoted(id), q("D"), q("O"), q("J"), q("https://a.example.invalid/"), q("J"), q("L"), q("https://a.example.invalid/"), q("O"), q("S"))
	}
	b.write(map[string]string{"roster/ben-hill.csv": roster.String(), "corrections.csv": corrections.String(), "links.csv": links.String(), "courts.jsonl": courts.String()})
	for _, f := range b.takes().Families {
		require.Equal(t, len(forms)/2+1, f.New, "%s: %v", f.Family, f.Reasons)
		require.Equal(t, len(forms)/2, f.Quarantined, f.Family)
	}
	require.Empty(t, b.leaks())
	require.Contains(t, b.text(`select string_agg(name, '|' order by name) from bookings`), "QUILL, WREN ***\u2011**\u2011****")
}

func TestACaseNumberIsTrimmedOnImport(t *testing.T) {
	t.Parallel()
	b := setup(t, map[string]string{"courts.jsonl": `{"case_number":"  inner \u001b two ","defendant":"QUILL, WREN","offense":"DUI","court_type":"Superior","county":"Ben Hill","filed_date":"2026-01-05","status":"pending"}
{"case_number":"   ","defendant":"QUILL, WREN","offense":"DUI","court_type":"Superior","county":"Ben Hill","filed_date":"2026-01-05","status":"pending"}
`})
	report := b.takes()
	require.Equal(t, map[string]int{"case_number: is missing": 1}, report.Families[2].Reasons)
	require.Equal(t, "inner two", b.text(`select case_number from court_cases`))
}
