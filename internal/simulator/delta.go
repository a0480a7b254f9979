package simulator

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"rollcall/internal/simulator/naming"
)

// courtDelta is shape F22: records of four kinds, tab separated, blank padded, with a tab at the end. Without `since`
// everything is in the file; with it (RFC 3339) only what changed after that time.
var courtDelta = shape{
	endpoints: []endpoint{{"GET /court-delta/cases.txt", always, serveDelta}},
	sorry:     "ORA-12541: TNS:no listener\n", media: "text/plain",
}

// noDate stands where there is no date, in the files of some clerks.
const noDate = "12/31/3095"

const deltaDate = "01/02/2006"

// serveDelta writes cases before deletions, as an ingest must apply them in the order of the file.
func serveDelta(v *view, w http.ResponseWriter, q query) {
	var after time.Time
	if text := q.URL.Query().Get("since"); text != "" {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			http.Error(w, "since is not an RFC 3339 time", http.StatusBadRequest)
			return
		}
		after = at
	}
	var file strings.Builder
	for _, c := range v.cases {
		if c.Changed.After(after) {
			v.writeCase(&file, c)
		}
	}
	for _, gone := range v.deleted {
		if gone.at.After(after) {
			v.writeRecord(&file, "DE", field(county(gone.county), 12), field(gone.court, 10), field(gone.number, 16), fmt.Sprintf("%04d", gone.event))
		}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	attach(w, "cases_"+v.at.Format("20060102_150405")+".txt")
	_, _ = w.Write([]byte(file.String()))
}

// writeRecord writes one line. After a redesign the kind of the record stands last.
func (v *view) writeRecord(file *strings.Builder, kind string, fields ...string) {
	if v.has(Layout) {
		file.WriteString(strings.Join(fields, "\t") + "\t" + kind + "\t\n")
		return
	}
	file.WriteString(kind + "\t" + strings.Join(fields, "\t") + "\t\n")
}

// writeCase writes a case with its charges and hearings. In half of the counties a missing date is noDate.
func (v *view) writeCase(file *strings.Builder, c Case) {
	name, none := c.Name.Upper(), ""
	if len(c.County)%2 == 0 {
		none = noDate
	}
	key := []string{field(county(c.County), 12), field(c.Court, 10), "001", field(c.Number, 16)}
	bail := ""
	if c.Bail > 0 {
		bail = dollars(c.Bail)
	}
	v.writeRecord(file, "CA", append(key[:4:4],
		field(naming.Join(name.Last, name.Suffix), 24), field(name.First, 16), field(name.Middle, 16), deltaDay(c.Filed, ""), deltaDay(c.Disposed, none),
		field(c.Code, 2), fmt.Sprintf("%12s", bail), "", deltaDay(c.Birth, ""), c.Race, c.Sex, field(c.Disposition, 20), field(c.Booking, 14))...)
	for i, charge := range c.Charges {
		judgment := ""
		if c.Code != "" {
			judgment = c.Code
		}
		v.writeRecord(file, "CH", append(key[:4:4],
			fmt.Sprintf("%03d", i+1), field(charge.Statute, 16), charge.Grade, fmt.Sprintf("%10s", "0.00"), field(judgment, 2), field(charge.Description, 50),
			charge.Violation.In(v.zone).Format("15:04"), deltaDay(charge.Violation.In(v.zone), ""), deltaDay(c.Disposed, none))...)
	}
	for _, h := range c.Hearings {
		at := h.At.In(v.zone)
		v.writeRecord(file, "CE", append(key[:4:4],
			fmt.Sprintf("%04d", h.Event), at.Format(deltaDate), at.Format("15:04"), field(h.Code, 10), field(h.Room, 14), field(h.Judge, 16), h.Link,
			h.Created.In(v.zone).Format(deltaDate), none)...)
	}
}

// deltaDay writes a date, or what stands for none.
func deltaDay(at time.Time, none string) string {
	if at.IsZero() {
		return none
	}
	return at.Format(deltaDate)
}

// field pads a text with blanks, and cuts one that is too long.
func field(text string, width int) string {
	letters := []rune(text)
	if len(letters) >= width {
		return string(letters[:width])
	}
	return text + strings.Repeat(" ", width-len(letters))
}

// county is a slug as the state writes it: `BEN HILL`.
func county(slug string) string { return strings.ToUpper(CountyName(slug)) }
