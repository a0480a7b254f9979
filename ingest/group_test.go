package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

// docketBook is a book with one row a docket, several for one booking.
const docketBook = `id: docket-book
title: One row a docket
kind: roster
county: clarke
publish: {policy: full_roster, left: true, absence: released}
decode: {format: csv, columns: [id, name, dob, booked, out, gone, child, charges, bonds], end_marker: '#end', split: {group: [id], blank: same}}
complete: {end_marker: true}
fields:
  booking:
    number: id
    booked_at: {from: booked, layouts: ['2006-01-02 15:04', 2006-01-02]%s}
    released_at: {from: out, layouts: ['2006-01-02 15:04', 2006-01-02], none: ['*IN JAIL*']%s}
    juvenile: child%s
  person: {name: %s, dob: {from: dob, layouts: [2006-01-02]}}
  charge:
    each: {rows: rows, parallel: {on: '|', columns: [charges, bonds]}}
    description: charges
    bond: bonds
identity: {booking: [{of: [booking.number], strength: source}]}
`

// bookRows previews rows of a docket book.
func bookRows(t *testing.T, document string, rows ...string) *ingest.Preview {
	t.Helper()
	s, err := ingest.Parse([]byte(document))
	require.NoError(t, err)
	p, err := s.Preview("book.csv", []byte("id,name,dob,booked,out,gone,child,charges,bonds\n"+strings.Join(rows, "\n")+"\n#end\n"), someCounties(), seen)
	require.NoError(t, err)
	return p
}

func TestAReleaseOfABookingCountsWhenAllItsRowsAreReleased(t *testing.T) {
	t.Parallel()
	const first = `K1,"MOONSAIL, ORLA",1990-01-02,2026-03-01 10:00,`
	row := func(out string) string { return first + out + ",,,DUI,$500" }
	cases := []struct {
		name, set string
		rows      []string
		want      string
	}{
		{"one docket of two", "", []string{row("2026-03-04 08:00"), row("*IN JAIL*")}, ""},
		{"the other one", "", []string{row(""), row("2026-03-04 08:00")}, ""},
		{"both, at the later time", "", []string{row("2026-03-04 08:00"), row("2026-03-03 08:00")}, "2026-03-04T08:00:00-05:00"},
		{"the one there is", "", []string{row("2026-03-04 08:00")}, "2026-03-04T08:00:00-05:00"},
		{"a row that only continues is no docket", "", []string{row("2026-03-04 08:00"), ",,,,,,,ARSON,"}, "2026-03-04T08:00:00-05:00"},
		{"a continued row that states more is one", "", []string{row("2026-03-04 08:00"), ",,,,*IN JAIL*,,,ARSON,"}, ""},
		{"a docket that cannot be read may be open", "", []string{row("2026-03-04 08:00"), "K1,broken"}, ""},
		{"and before the others", "", []string{"K1,broken", row("2026-03-04 08:00")}, ""},
		{"of somebody else further on", "", []string{row("2026-03-04 08:00"), `K2,"FENWICKE, DELL",,2026-03-01,,,,DUI,`, "K3,broken"}, "2026-03-04T08:00:00-05:00"},
		{"the document says the first", ", row: first", []string{row("2026-03-04 08:00"), row("")}, "2026-03-04T08:00:00-05:00"},
		{"the document says the last", ", row: last", []string{row("2026-03-04 08:00"), row("")}, ""},
		{"the document says the latest", ", row: latest", []string{row("2026-03-03 08:00"), row("2026-03-04 08:00"), row("")}, "2026-03-04T08:00:00-05:00"},
		{"the document says the earliest", ", row: earliest", []string{row("2026-03-04 08:00"), row("2026-03-03 08:00"), row("")}, "2026-03-03T08:00:00-05:00"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := bookRows(t, fmt.Sprintf(docketBook, "", c.set, "", "name"), c.rows...)
			require.Equal(t, c.want, textOf(p.Rows[0], "released_at"))
		})
	}
}

func TestAFlagOfReleaseCountsWhenEveryRowSaysSo(t *testing.T) {
	t.Parallel()
	document := strings.Replace(fmt.Sprintf(docketBook, "", "", "", "name"), "    juvenile", "    released: gone\n    juvenile", 1)
	row := func(gone string) string {
		return `K1,"MOONSAIL, ORLA",1990-01-02,2026-03-01 10:00,,` + gone + ",,DUI,$500"
	}
	for want, rows := range map[string][]string{
		"false": {row("yes"), row("no")},
		"":      {row("yes"), row("")},
		"true":  {row("yes"), row("yes")},
	} {
		p := bookRows(t, document, rows...)
		require.Equal(t, want == "true", p.Rows[0]["released_at"] != nil, "%v", rows)
	}
}

func TestEachFactOfAGroupIsOfTheRowThatTheDocumentNames(t *testing.T) {
	t.Parallel()
	rows := []string{
		`K1,"MOONSAIL, ORLA",1990-01-02,2026-03-02 10:00,,,,DUI|ARSON,$500|$250`,
		`K1,"MOONSAIL, ORLA B",1990-01-02,2026-03-01 09:00,,,,THEFT|FRAUD,$1000`,
	}
	p := bookRows(t, fmt.Sprintf(docketBook, "", "", "", "name"), rows...)
	require.Len(t, p.Rows, 1)
	require.Equal(t, []string{"MOONSAIL, ORLA", "2026-03-02T10:00:00-05:00", "1750.00"}, texts(p.Rows[0], "name", "booked_at", "bond"), "charges and bonds are of every row")
	require.Equal(t, "[map[bond:500.00 description:DUI] map[bond:250.00 description:ARSON] map[description:THEFT] map[description:FRAUD]]", fmt.Sprint(p.Rows[0]["charges"]))

	p = bookRows(t, fmt.Sprintf(docketBook, ", row: earliest", "", "", "{from: name, row: last}"), rows...)
	require.Equal(t, []string{"MOONSAIL, ORLA B", "2026-03-01T09:00:00-05:00"}, texts(p.Rows[0], "name", "booked_at"))

	p = bookRows(t, fmt.Sprintf(docketBook, "", "", "", "name"), rows[0], strings.Replace(rows[1], ",,,,THEFT", ",,,yes,THEFT", 1))
	require.Equal(t, "juvenile", textOf(p.Rows[0], "withheld"), "one row that calls the person a juvenile is enough")
}

// texts are some values of a row.
func texts(row map[string]any, names ...string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = textOf(row, n)
	}
	return out
}

func TestARowThatADocumentCannotHaveIsAMistake(t *testing.T) {
	t.Parallel()
	document := fmt.Sprintf(docketBook, "", "", "", "name")
	for want, edit := range map[string][2]string{
		`fields.booking.released_at.row: needs group or begin in decode.split`:           {", split: {group: [id], blank: same}}", "}"},
		`fields.person.name.row: latest is for times`:                                    {"name: name", "name: {from: name, row: latest}"},
		`fields.charge.bond.row: charge has each, which reads every row`:                 {"bond: bonds", "bond: {from: bonds, row: last}"},
		`fields.booking.released_at.row: "newest" is not allowed; known are first, last`: {"row: every", "row: newest"},
		`fields.charge.each: needs exactly one of rows, parallel, segments, numbered`:    {"{rows: rows, parallel: {on: '|', columns: [charges, bonds]}}", "{segments: {from: charges, on: ';'}, parallel: {on: '|', columns: [charges, bonds]}}"},
	} {
		text := strings.Replace(document, "none: ['*IN JAIL*']", "none: ['*IN JAIL*'], row: every", 1)
		_, err := ingest.Parse([]byte(strings.Replace(text, edit[0], edit[1], 1)))
		require.ErrorContains(t, err, want)
	}
}

func TestOneReleasedDocketOfTwoReleasesNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(fmt.Sprintf(docketBook, "", "", "", "name")))
	require.NoError(t, err)
	book := func(outs ...string) string {
		rows := []string{"id,name,dob,booked,out,gone,child,charges,bonds"}
		for i, out := range outs {
			rows = append(rows, fmt.Sprintf(`K1,"MOONSAIL, ORLA",1990-01-02,2026-01-05 10:00,%s,,,DOCKET %d,$500`, out, i+1))
		}
		return strings.Join(append(rows, "#end", ""), "\n")
	}
	released := func() int {
		return one[int](b, `select count(*) from bookings where status = 'released' and released_at = '2026-01-30T13:15:00Z'`)
	}
	for i, c := range []struct {
		outs []string
		want int
	}{
		{[]string{"*IN JAIL*", "*IN JAIL*"}, 0},
		{[]string{"2026-01-29 09:00", "*IN JAIL*"}, 0},
		{[]string{"*IN JAIL*", "2026-01-30 08:15"}, 0},
		{[]string{"2026-01-29 09:00", "2026-01-30 08:15"}, 1},
		{[]string{"2026-01-29 09:00"}, 0}, // its only docket now, and released before
	} {
		r := b.runSource(s, "book.csv", book(c.outs...), day.AddDate(0, 0, i))
		require.Equal(t, []any{source.RunOK, true, 0}, []any{r.State, r.Complete, r.Quarantined}, r.String())
		require.Equal(t, c.want, released(), "%d %v", i, c.outs)
	}
	require.Equal(t, 1, one[int](b, `select count(*) from bookings`))
}
