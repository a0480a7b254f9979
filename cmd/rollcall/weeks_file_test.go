package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
)

// commonColumns are those of the common CSV (FEEDS.md, F1).
const commonColumns = "county_name,timestamp,url,inmate_id,inmate_lastname,inmate_firstname,inmate_middlename,inmate_sex,inmate_race,inmate_age,inmate_dob,inmate_address," +
	"booking_timestamp,release_timestamp,processing_numbers,agency,facility,charges,severity,bond_amount,current_status,court_dates,days_jailed,other,notes"

// drop is a file on its way into the folder. Mishaps change it.
type drop struct {
	name   string
	header []string
	rows   [][]string
	bytes  func([]byte) []byte // changes what is written; nil: nothing does
	lost   bool                // it never comes
	also   []string            // further names under which it comes
}

// newDrop writes the people of jails that share a file, as they are at an instant.
func newDrop(jails []*jail, at time.Time) *drop {
	d := &drop{name: dropName(jails[0].file, at), header: strings.Split(commonColumns, ",")}
	for _, j := range jails {
		for _, i := range j.listed(at) {
			d.rows = append(d.rows, j.row(i, at))
		}
	}
	if jails[0].outs != "" {
		d.each("release_timestamp", words(""))
	}
	return d
}

// newOuts writes the report of releases of a jail that has one; nil: it has none.
func newOuts(j *jail, at time.Time) *drop {
	if j.outs == "" {
		return nil
	}
	d := &drop{name: dropName(j.outs, at), header: strings.Split(commonColumns, ",")}
	for _, i := range j.listed(at) {
		if !i.out(at).IsZero() {
			d.rows = append(d.rows, j.row(i, at))
		}
	}
	return d
}

// dropName is the name of a file of an instant.
func dropName(file string, at time.Time) string {
	return file + "_" + at.In(models.Georgia).Format("2006-01-02_15-04-05") + ".csv"
}

// row writes an inmate as of an instant.
func (j *jail) row(i *inmate, at time.Time) []string {
	f := i.at(at)
	dob, number := i.born.Format(time.DateOnly), i.number
	if j.years {
		dob = i.born.Format("2006")
	}
	if j.slug == renumbers && !at.Before(whenRenumbered) {
		number = "2026-" + number[1:]
	}
	bonds := make([]string, len(f.charges))
	for n := range bonds {
		bonds[n] = j.bond(f.bonds, n)
	}
	return []string{
		j.name, eastern(at), "http://jail.example.invalid/" + j.slug + "/" + i.number, number, i.last, i.firstAt(at), "", "male", "white",
		strconv.Itoa(int(i.booked.Sub(i.born).Hours() / 24 / 365.2425)), dob, "12 NOWHERE LN", eastern(i.booked), eastern(i.out(at)), "PN-" + i.number,
		"SO", "Main", strings.Join(f.charges, " | "), strings.Join(slices.Repeat([]string{"Felony"}, len(f.charges)), " | "), strings.Join(bonds, " | "), "", "", "", "", "",
	}
}

// bond writes the bond of a charge as the clerks of the county do.
func (j *jail) bond(bonds []int, n int) string {
	const updated = "  Bond last updated 3/1/2026 10:16:19 AM"
	switch {
	case bonds == nil && j.prose:
		return "NO BND*2/26 $500 BOND @ ARREST" + updated
	case bonds == nil:
		return "NO BOND"
	case j.prose:
		return fmt.Sprintf("$%d.00 $%d G.S BND*2/26 NO BOND @ ARREST%s", bonds[n], bonds[n], updated)
	default:
		return fmt.Sprintf("$%d.00 ( Bonding company: NONE )", bonds[n])
	}
}

// eastern writes an instant as collectors do: EST all year, and the clock on the wall is meant. The zero time is blank.
func eastern(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.In(models.Georgia).Format(time.DateTime) + " EST"
}

// each changes a column of all rows.
func (d *drop) each(column string, change func(text string) string) {
	n := slices.Index(d.header, column)
	for _, row := range d.rows {
		row[n] = change(row[n])
	}
}

// shift moves the times of a column.
func (d *drop) shift(column string, by time.Duration) {
	d.each(column, func(text string) string {
		at, err := time.ParseInLocation(time.DateTime+" EST", text, models.Georgia)
		if err != nil {
			return text
		}
		return eastern(at.Add(by))
	})
}

// text is the file.
func (d *drop) text() []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	_ = w.Write(d.header)
	_ = w.WriteAll(d.rows) // a buffer takes everything
	if d.bytes != nil {
		return d.bytes(out.Bytes())
	}
	return out.Bytes()
}
