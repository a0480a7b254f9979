package simulator

import (
	"encoding/json"
	"html"
	"net/http"
	"strings"
	"time"
)

// zuercher is shape F3: POST with paging; no booking number, hardly any birth dates, all charges and bonds in one HTML
// text, juveniles among the others and flagged.
var zuercher = shape{
	method: http.MethodPost, path: "/zuercher/%s/api/portal/inmates/load", interval: 5 * time.Second,
	endpoints: []endpoint{{"POST /zuercher/%s/api/portal/inmates/load", func(q query) bool { return zuercherPaging(q).Start <= 0 }, serveZuercher}},
	sorry:     `{"error":"The portal is not available at this time.","total_record_count":0,"records":[]}`, media: "application/json",
}

// zuercherInmate is one element of `records`.
type zuercherInmate struct {
	Name          string `json:"name"`
	Race          string `json:"race"`
	Sex           string `json:"sex"`
	CellBlock     string `json:"cell_block"`
	ArrestDate    string `json:"arrest_date"`
	HeldForAgency string `json:"held_for_agency"`
	Mugshot       string `json:"mugshot"`
	Dob           string `json:"dob"`
	HoldReasons   string `json:"hold_reasons"`
	IsJuvenile    bool   `json:"is_juvenile"`
	ReleaseDate   string `json:"release_date"`
}

// zuercherPage is which rows a request asks for.
type zuercherPage struct {
	Start int `json:"start"`
	Count int `json:"count"`
}

// zuercherPaging reads `{"paging":{"start":0,"count":100}}`. A body without it asks for the first hundred.
func zuercherPaging(q query) zuercherPage {
	asked := struct {
		Paging zuercherPage `json:"paging"`
	}{zuercherPage{0, 100}}
	if err := json.Unmarshal(q.body, &asked); err != nil {
		return zuercherPage{0, 100}
	}
	asked.Paging.Count = min(asked.Paging.Count, maxPage)
	return asked.Paging
}

// serveZuercher answers a page. The total counts everybody, so that a reader can prove that it has all pages.
func serveZuercher(v *view, w http.ResponseWriter, q query) {
	if !json.Valid(q.body) {
		http.Error(w, "malformed request", http.StatusBadRequest)
		return
	}
	paging := zuercherPaging(q)
	records := []any{}
	for _, b := range page(v, byName(v.custody), paging.Start, paging.Count) {
		if v.has(Layout) {
			records = append(records, zuercherNext(b))
			continue
		}
		records = append(records, newZuercherInmate(v, b))
	}
	sendJSON(w, struct {
		Count   int   `json:"total_record_count"`
		Records []any `json:"records"`
	}{len(v.custody), records})
}

// zuercherNext is the row after a redesign: other names for the members that matter.
func zuercherNext(b Booking) any {
	return map[string]any{
		"inmate_name": b.Name.LastFirst(), "booking_date": b.Booked.Format("01/02/2006"), "charges": zuercherReasons(b), "juvenile": b.Juvenile(),
	}
}

// The four layouts of dates; which one a row has depends on the clerk who booked it.
var zuercherDates = [...]string{"2006-01-02", "01/02/2006", "2006-01-02T15:04:05", "01/02/2006 15:04"}

// newZuercherInmate writes a row. A few rows have no arrest date, a third have a birth date, and some have an inline
// picture.
func newZuercherInmate(v *view, b Booking) zuercherInmate {
	booked := b.Booked.In(v.zone)
	row := zuercherInmate{
		Name: b.Name.Upper().LastFirst(), Race: raceWord(b.Race), Sex: sexWord(b.Sex), CellBlock: b.Cell,
		ArrestDate:    booked.Format(zuercherDates[b.mark>>8%4]),
		HeldForAgency: b.Agency, HoldReasons: zuercherReasons(b), IsJuvenile: b.Juvenile(), Mugshot: v.album.Inline(b.Photograph, b.Person),
		ReleaseDate: pick(b.mark>>12, "", "", "", "TBD", "Unknown", booked.AddDate(1, 2, 0).Format("01/02/2006")),
	}
	if b.mark>>16%250 == 0 {
		row.ArrestDate = "Unknown"
	}
	if b.mark>>20%10 < 3 {
		row.Dob = b.Birth.Format(zuercherDates[b.mark>>8%2])
	}
	return row
}

// zuercherReasons writes charges as segments with `<br />` between them, clauses with `;` between them.
func zuercherReasons(b Booking) string {
	segments := make([]string, len(b.Charges))
	for i, charge := range b.Charges {
		clauses := []string{strings.TrimSpace(charge.Statute + " " + html.EscapeString(charge.Description)), gradeWord(charge.Grade), "Warrant " + charge.Warrant}
		cents, _ := charge.Bond.Amount()
		switch charge.Bond.Kind {
		case NoBond:
			clauses = append(clauses, "Bond - No Bond")
		case BondSurety:
			clauses = append(clauses, "Bond - Cash/Surety, $"+dollars(cents))
		case BondCash:
			clauses = append(clauses, "Bond - Cash, $"+dollars(cents))
		case BondUnset:
		}
		segments[i] = strings.Join(clauses, "; ")
	}
	return strings.Join(segments, "<br />")
}
