package ingest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

const charged = `id: charged
title: Many charges
kind: roster
county: clarke
publish: {policy: full_roster, absence: released}
decode: {format: csv}
fields:
  booking:
    number: id
    booked_at: {from: booked, layouts: [2006-01-02]}
    released_at: {from: released, layouts: [2006-01-02]}
  person: {name: name}
  charge:
    each: {segments: {from: charges, on: [';']}}
    description: text
identity:
  booking: [{of: [booking.number], strength: source}]
`

// chargedRow is one row of such a file.
func chargedRow(id, name, booked, released, charges string) string {
	return id + `,"` + name + `",` + booked + "," + released + "," + charges + "\n"
}

func TestOddRowsAreQuarantinedAndTheOthersAreTaken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(charged))
	require.NoError(t, err)
	text := "id,name,booked,released,charges\n" +
		chargedRow("K1", "MOONSAIL, ORLA", "2026-03-08", "", "DUI;SPEEDING") +
		chargedRow("K2", "QUILLFEATHER, WREN", "2026-03-08", "", strings.Repeat("DUI;", 10_000)) +
		chargedRow("K3", "THISTLEDOWN, PIP", "2206-03-08", "", "") +
		chargedRow("K4", "BRACKENRIDGE, TOLLIVER", "1926-03-08", "", "") +
		chargedRow("K5", "O'BRANNIGAN, WREN", "2026-03-08", "2999-12-31", "") +
		chargedRow("K6", "PE\xd1ALOZA, ISA", "2026-03-08", "", "") +
		chargedRow("K7", strings.Repeat("X", 300), "2026-03-08", "", "") +
		chargedRow("K8", "NUL\x00BYTE, ISA", "2026-03-08", "", "")
	r := b.runSource(s, "odd.csv", text, seen)
	require.Equal(t, []any{source.RunPartial, false, 8, 2, 6}, []any{r.State, r.Complete, r.Fetched, r.New, r.Quarantined}, r.String())
	require.Equal(t, map[string]int{
		"charge: has more than 500 charges":                                                         1,
		"booking.booked_at: lies in the future":                                                     1,
		"booking.booked_at: lies more than 80 years back":                                           1,
		"person.name: is not in the character set of the source (decode.charset, without it utf-8)": 1,
		"person.name: is longer than 200 bytes":                                                     1,
		"person.name: holds a NUL byte":                                                             1,
	}, r.Reasons)
	require.Equal(t, 1, one[int](b, `select count(*) from bookings where name like 'O''BR%' and released_at is null and planned_release is null`), "a release in a thousand years is none")
	require.Equal(t, 6, one[int](b, `select count(*) from quarantine where source_id = 'charged' and length(encrypted) > 0`), "each with its raw text, sealed")
}

// FuzzParse reads any text as a source document: mistakes are told, never a panic; one that is in order
// reads any sample.
func FuzzParse(f *testing.F) {
	f.Add(charged, "id,name\nK1,x\n")
	f.Add(births, "id,name,booked,dob,age\nK1,\"MOONSAIL, ORLA\",2026-03-08,02/30/1986,40\n")
	f.Add("a: &a [*a]", "")
	f.Fuzz(func(t *testing.T, text, sample string) {
		s, err := ingest.Parse([]byte(text))
		if err != nil {
			return
		}
		if _, err := s.Preview("sample", []byte(sample), someCounties(), seen); err != nil {
			require.NotEmpty(t, err.Error())
		}
	})
}
