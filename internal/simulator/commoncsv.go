package simulator

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"time"

	"rollcall/internal/simulator/naming"
)

// commonCSV is shape F1: one row a booking, the charges and what belongs to them in parallel lists.
var commonCSV = shape{
	method: http.MethodGet, path: "/common-csv/%s/roster.csv", interval: 10 * time.Second,
	endpoints: []endpoint{
		{"GET /common-csv/%s/roster.csv", always, serveCommonCSV},
		{"GET /common-csv/%s/{file}", never, servePhotograph},
	},
	sorry: "The export could not be made. Please try again later.\n", media: "text/csv",
}

// commonColumns are the columns of the collectors' files. Layout moves the first twelve to the end.
var commonColumns = [...]string{
	"county_name", "timestamp", "url", "inmate_id", "inmate_lastname", "inmate_firstname", "inmate_middlename", "inmate_sex", "inmate_race",
	"inmate_age", "inmate_dob", "inmate_address", "booking_timestamp", "release_timestamp", "processing_numbers", "agency", "facility", "charges",
	"severity", "bond_amount", "current_status", "court_dates", "days_jailed", "other", "notes",
}

// commonTime writes New York wall time with the letters EST all year round, as the collectors do.
const commonTime = "2006-01-02 15:04:05 EST"

// serveCommonCSV writes the people in custody and those released within three days. Lines end in CRLF in some counties.
func serveCommonCSV(v *view, w http.ResponseWriter, _ query) {
	var file bytes.Buffer
	out := csv.NewWriter(&file)
	out.UseCRLF = len(v.feed.County)%2 == 1
	columns := commonColumns[:]
	if v.has(Layout) {
		columns = append(append([]string{}, columns[12:]...), columns[:12]...)
	}
	rows := [][]string{columns}
	for _, b := range append(since(v.departed, v.at.AddDate(0, 0, -3)), v.custody...) {
		row := commonRow(v, b)
		if v.has(Layout) {
			row = append(append([]string{}, row[12:]...), row[:12]...)
		}
		rows = append(rows, row)
	}
	if err := out.WriteAll(rows); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	attach(w, v.feed.County+"_"+v.at.Format("2006-01-02_15-04-05")+".csv")
	_, _ = w.Write(file.Bytes())
}

// commonRow has the columns of commonColumns: inmate_id is the person's, the booking's number stands among the
// processing numbers. The middle column holds the suffix too, as the exporter has none of its own. `other` names the photograph.
func commonRow(v *view, b Booking) []string {
	name, booked := b.Name.Upper(), b.Booked.In(v.zone)
	end, released := v.at, ""
	if !b.InCustody() {
		end, released = b.Released, b.Released.In(v.zone).Format(commonTime)
	}
	charges, grades, bonds, status := make([]string, len(b.Charges)), make([]string, len(b.Charges)),
		make([]string, len(b.Charges)), make([]string, len(b.Charges))
	for i, charge := range b.Charges {
		charges[i], grades[i] = strings.TrimSpace(charge.Statute+" "+charge.Description), gradeWord(charge.Grade)
		bonds[i], status[i] = commonBond(charge, b.mark>>uint(i)), "IN CUSTODY"
		if released != "" {
			status[i] = "RELEASED"
		}
	}
	if total, ok := b.Bond(); ok && b.mark>>32%8 == 0 {
		bonds = []string{"$" + strconv.FormatInt(total/100, 10)}
	}
	when := booked.Format(commonTime)
	if b.mark>>36%12 == 0 {
		when = booked.Format(time.DateOnly)
	}
	return []string{
		CountyName(v.feed.County), v.at.Format(commonTime), "https://jail.example.invalid/" + v.feed.County + "/" + b.Number, subjectNumber(b),
		name.Last, name.First, naming.Join(name.Middle, name.Suffix),
		strings.ToLower(sexWord(b.Sex)), strings.ToLower(raceWord(b.Race)), strconv.Itoa(ageAt(b.Birth, v.at)), commonBirth(b), b.Address, when, released,
		b.Number, b.Agency, CountyName(v.feed.County) + " County Jail", strings.Join(charges, " | "), strings.Join(grades, " | "), strings.Join(bonds, " | "),
		strings.Join(status, " | "), "", strconv.Itoa(int(end.Sub(b.Booked).Hours() / 24)), photographName(b), "",
	}
}

// commonBirth returns the date for half of the rows, the year for a third, and nothing for the rest. People with a
// corrections record are as likely as others to have the date.
func commonBirth(b Booking) string {
	switch b.mark >> 20 % 6 {
	case 0, 1, 2:
		return b.Birth.Format(time.DateOnly)
	case 3, 4:
		return strconv.Itoa(b.Birth.Year())
	}
	return ""
}

// commonBond writes a bond as prose, since collectors copy what clerks typed.
func commonBond(charge Charge, mark uint64) string {
	cents, _ := charge.Bond.Amount()
	switch charge.Bond.Kind {
	case NoBond:
		return "NO BOND @ ARREST Bond last updated 1/1/1900"
	case BondSurety:
		return pick(mark, "$"+dollars(cents), "$"+dollars(cents)+" ( Bonding company: Invented Bail Bonds )")
	case BondCash:
		return "$" + dollars(cents) + " CASH"
	case BondUnset:
		return pick(mark, "", "Cash or Surety")
	}
	return ""
}
