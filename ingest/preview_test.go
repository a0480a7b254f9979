package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

const previewHead = `
id: somewhere
title: Somewhere
kind: roster
county: clarke
publish: {policy: delta, absence: nothing}
`

// TestRowsOfASampleAreCountedAsAReaderCounts holds that a header, blank lines and line breaks within quotes are no rows,
// and that a record of several rows is the row with which it begins.
func TestRowsOfASampleAreCountedAsAReaderCounts(t *testing.T) {
	t.Parallel()
	const fields = `
fields:
  booking: {number: id, booked_at: {from: booked, layouts: [2006-01-02]}}
  person: {name: name}
identity: {booking: [{of: [booking.number], strength: source}]}
`
	const sample = "id,name,booked\n\n1,\"MOONSAIL\nORLA\",2026-03-08\n,,\n2,\"THISTLEDOWN, PIP\",soon\n3,\"QUILLFEATHER, MARLOWE\",never\n#end\n"
	for _, c := range []struct{ name, decode string }{
		{"a row a record", "decode: {format: csv, columns: [id, name, booked], end_marker: '#end'}"},
		{"rows that belong to the one before", "decode: {format: csv, columns: [id, name, booked], end_marker: '#end', split: {group: [id], blank: same}}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := ingest.Parse([]byte(previewHead + c.decode + fields))
			require.NoError(t, err)
			p, err := s.Preview("x.csv", []byte(sample), someCounties(), seen)
			require.NoError(t, err)
			require.EqualValues(t, 1, p.Rows[0]["row"])
			require.Subset(t, p.Bad, []string{
				`fields.booking.booked_at: layout "2006-01-02" does not match "soon" in sample row 3`,
				`fields.booking.booked_at: layout "2006-01-02" does not match "never" in sample row 4`,
			})
		})
	}
}

// TestWhatIsAbsentIsAbsentFromEveryRow holds that nothing is called absent because a row was rejected before it was read.
func TestWhatIsAbsentIsAbsentFromEveryRow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, sample string
		want         []string
	}{
		{
			"no row gets through, and all of them tell the bond",
			`[{"id":"1","name":"MOONSAIL, ORLA","booked":"soon","bond":"$5","charges":[{"what":"DUI"}]},{"id":"2","name":"THISTLEDOWN, PIP","booked":"soon","bond":null,"charges":[]}]`,
			nil,
		},
		{
			"a path that no row has, and a list that all of them lack",
			`[{"id":"1","name":"MOONSAIL, ORLA","booked":"2026-03-08","Bond":"$5","charged":[{"what":"DUI"}]}]`,
			[]string{`fields.booking.bond: no sample row has a value at ["bond"]`, `fields.charge.each: no sample row holds any`},
		},
		{"no row at all", `[]`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := ingest.Parse([]byte(previewHead + `
decode: {format: json, rows: '@this'}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: [2006-01-02]}, bond: bond}
  person: {name: name}
  charge: {each: {rows: charges}, description: what}
identity: {booking: [{of: [booking.number], strength: source}]}
`))
			require.NoError(t, err)
			p, err := s.Preview("x.json", []byte(c.sample), someCounties(), seen)
			require.NoError(t, err)
			require.Equal(t, c.want, p.Absent)
		})
	}
}

func TestAKindOfRecordThatTheSampleLacksIsToldAsSuch(t *testing.T) {
	t.Parallel()
	s, err := ingest.Load("court-delta")
	require.NoError(t, err)
	p, err := s.Preview("x.txt", []byte("CE\tClarke\tSU\t1\t26-CR-1\t7\t03/10/2026\t09:00\tARR\t2A\tVALE\t\t\t\n"), someCounties(), seen)
	require.NoError(t, err)
	require.Empty(t, p.Bad)
	require.Equal(t, []string{`fields.case: no sample row is of kind "CA"`, `fields.charge: no sample row is of kind "CH"`, `fields.judge: no sample row is of kind "JU"`, `fields.removal: no sample row is of kind "DE"`}, p.Absent)
}

// TestASampleShowsAKeyThatSeveralPeopleShare holds that check finds the mistake by which an ingest would take one row of many.
func TestASampleShowsAKeyThatSeveralPeopleShare(t *testing.T) {
	t.Parallel()
	s, err := ingest.Parse([]byte(previewHead + `
decode: {format: csv, columns: [id, name, booked]}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: [2006-01-02]}}
  person: {name: name}
identity: {booking: [{of: [booking.number], strength: source}]}
`))
	require.NoError(t, err)
	sample := "id,name,booked\n7,\"MOONSAIL, ORLA\",2026-03-08\n7,\"MOONSAIL, ORLA B\",2026-03-08\n7,\"THISTLEDOWN, PIP\",2026-03-08\n"
	p, err := s.Preview("x.csv", []byte(sample), someCounties(), seen)
	require.NoError(t, err)
	require.Equal(t, []string{`identity.booking: rows 1 and 3 have the key "7", and name different people`}, p.Bad)
}
