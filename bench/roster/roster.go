// Package roster invents files that the benchmarks read: rosters, a common CSV and corrections records, all
// about the same people. It knows the shapes of files and no database. Person i is the same in every file and
// every run, so two benchmarks measure the same work; everybody is invented.
package roster

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"time"

	"rollcall/ingest"
)

// Start is the instant of the first roster. All bookings of Rows are older.
var Start = time.Date(2026, 3, 1, 5, 0, 0, 0, time.UTC)

// Document is a source document, to be formatted with an id. Its rosters list everybody, so absence is a
// release, and name the county in each row. An end marker proves a file complete; `rewrite: 1` switches the
// mass-change guard off, because a benchmark changes every row.
const Document = `id: %s
title: Bench
kind: roster
publish: {policy: full_roster, absence: released}
decode: {format: csv, columns: [county, id, name, dob, booked, charge, bond], end_marker: "#end"}
complete: {end_marker: true, rewrite: 1}
fields:
  booking: {county: county, number: id, booked_at: {from: booked, layouts: ['2006-01-02 15:04']}, bond: bond}
  person: {name: name, dob: {from: dob, layouts: ['2006-01-02']}}
  charge: {description: charge}
identity: {booking: [{of: [booking.number], strength: source}]}
`

// Source returns the source that reads rosters. county is a slug for rosters of one county; with an empty one
// each row has its county.
func Source(id, county string) (*ingest.Source, error) {
	s, err := ingest.Parse(fmt.Appendf(nil, Document, id))
	if err != nil {
		return nil, err
	}
	s.County = county
	return s, nil
}

// Syllables of invented names; their products are a few hundred thousand different ones.
var (
	onsets = [...]string{
		"BRAN", "QUIL", "MOR", "THIS", "FEN", "LAN", "STOR", "WICK", "HOL", "PEN", "GRIM",
		"TAL", "ROS", "ASH", "DUN", "KEL", "MAR", "VEX", "ORR", "SAL",
	}
	middles = [...]string{"A", "DER", "LO", "TER", "WIN", "FEA", "KEN", "MO", "RI", "STA", "VER", "ZEL"}
	ends    = [...]string{
		"FORD", "WELL", "THEO", "WICK", "SAIL", "DOWN", "BY", "MONT", "LEY", "GATE", "STONE", "CROW",
		"HURST", "MERE", "TON", "VALE", "WOOD", "LOW",
	}
	given = [...]string{
		"WREN", "ORLA", "PIP", "TOLLIVER", "IDA", "ASA", "DELL", "MARLOWE", "JUNO", "CASPIAN", "LARK",
		"OPAL", "REMY", "SOREN", "TAMSIN", "ULRIC", "VIDA", "YORICK", "ZELDA", "BASIL",
	}
	charges = [...]string{
		"THEFT BY TAKING", "SIMPLE BATTERY", "DUI ALCOHOL", "PROBATION VIOLATION",
		"DRIVING WHILE LICENSE SUSPENDED", "CRIMINAL TRESPASS", "FAILURE TO APPEAR",
	}
)

// Person returns the last and first name and the birth date of person i, counted from 0. It is a pure function:
// the number is spread over the syllables, so neighbours have different names.
func Person(i int) (last, first, dob string) {
	h := uint64(i)*0x9e3779b97f4a7c15 + 0x7f4a7c15 //nolint:gosec // i is no negative number
	h ^= h >> 29
	last = onsets[h%20] + middles[h/20%12] + ends[h/240%18]
	first = given[h/4320%20]
	return last, first, fmt.Sprintf("%04d-%02d-%02d", 1950+h/86400%55, 1+h/4752000%12, 1+h/57024000%28)
}

// WriteCommonCSV writes a file of shape F1 about people 0 to rows-1, spread over ten counties. Nine in ten are
// released.
func WriteCommonCSV(path string, rows int) error {
	f, err := os.Create(path) //nolint:gosec // in a directory of the benchmark's own
	if err != nil {
		return fmt.Errorf("write common CSV: %w", err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	_, _ = fmt.Fprintln(w,
		"county_name,timestamp,url,inmate_id,inmate_lastname,inmate_firstname,inmate_middlename,inmate_sex,inmate_race,inmate_age,inmate_dob,inmate_address,booking_timestamp,release_timestamp,processing_numbers,agency,facility,charges,severity,bond_amount,current_status,court_dates,days_jailed,other,notes")
	counties := [...]string{"Clarke", "Bibb", "Fulton", "Ben Hill", "Bartow", "Hall", "Glynn", "Floyd", "Houston", "Lowndes"}
	for i := range rows {
		last, first, dob := Person(i)
		booked := Start.AddDate(0, 0, -60-i%3000).Add(time.Duration(i%1440) * time.Minute)
		// One in ten is still in custody, as in a state whose jails keep a long history.
		released := ""
		if i%10 != 0 {
			released = booked.AddDate(0, 0, 1+i%50).Format("2006-01-02 15:04:05 EST")
		}
		_, _ = fmt.Fprintf(w, "%s,2026-01-05 06:00:00 EST,https://jail.example.invalid/%d,%d,%s,%s,,male,white,,%s,,%s,%s,,PD,JAIL,%s | %s,MISDEMEANOR | FELONY,$%d.00 | $500.00,IN CUSTODY | IN CUSTODY,,,,\n",
			counties[i%10], i, i, last, first, dob, booked.Format("2006-01-02 15:04:05 EST"), released, charges[i%7], charges[i/7%7], 100*(1+i%90))
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write common CSV: %w", err)
	}
	return f.Close()
}

// Rows returns a roster of n people from person `from` on, all of one county. The bonds of the first `changed` of
// them differ by version, so another version is another snapshot.
func Rows(county string, from, n, changed, version int) []byte {
	var b bytes.Buffer
	b.WriteString("county,id,name,dob,booked,charge,bond\n")
	for i := range n {
		p := from + i
		last, first, dob := Person(p)
		bond := 500
		if i < changed {
			bond += version
		}
		fmt.Fprintf(&b, "%s,R%d,\"%s, %s\",%s,%s,%s,$%d.00\n",
			county, p, last, first, dob, Start.AddDate(0, 0, -1-p%50).Add(time.Duration(p%1440)*time.Minute).Format("2006-01-02 15:04"), charges[p%7], bond)
	}
	b.WriteString("#end\n")
	return b.Bytes()
}

// WriteOffenders writes a file of shape F23 with one sentence a record. Every second record is of a person
// below strangers, who has a booking; the others are in no other file.
func WriteOffenders(path string, records, strangers int) error {
	f, err := os.Create(path) //nolint:gosec // in a directory of the benchmark's own
	if err != nil {
		return fmt.Errorf("write offenders: %w", err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for i := range records {
		person := i
		if i%2 == 1 {
			person += strangers
		}
		last, first, dob := Person(person)
		_, _ = fmt.Fprintf(w, "%08d%-18s%-12s%-75s%s%-8s%-41s%-74s\n", i+1, last, first, "", dob[:4]+dob[5:7]+dob[8:], "DOOLYSP", "I", charges[i%7])
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write offenders: %w", err)
	}
	return f.Close()
}
