package simulator

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// newWorld is shape F9: a list of people in pages of 100, and a page for each person with all bookings. Charges name a
// bond's number; the amounts are in a table of bonds.
var newWorld = shape{
	method: http.MethodGet, path: "/new-world/%s/inmates", interval: 15 * time.Second,
	endpoints: []endpoint{
		{"GET /new-world/%s/inmates", firstPage("page"), serveNewWorldList},
		{"GET /new-world/%s/inmates/{id}", never, serveNewWorldPerson},
		{"GET /new-world/%s/photographs/{file}", never, servePhotograph},
	},
	sorry: "<html><body><h1>Runtime Error</h1><p>An application error occurred on the server.</p></body></html>", media: "text/html; charset=utf-8",
}

const newWorldCount = 100

var newWorldList = template.Must(template.New("list").Funcs(htmlFuncs).Parse(`<!DOCTYPE html>
<html><head><title>Inmate Inquiry</title></head><body>
<div id="Inmate_Index"><p class="Summary">Showing {{.From}} to {{.To}} of {{.Total}}</p>
<table><thead><tr><th>Name</th><th>Subject Number</th><th>In Custody</th><th>Race</th><th>Gender</th></tr></thead><tbody>
{{range .Rows}}<tr><td class="{{$.Name}}"><a href="{{$.Base}}/{{subject .}}">{{.Name.LastFirst}}</a></td><td>{{subject .}}</td><td>Yes</td><td>{{race .Race}}</td><td>{{sex .Sex}}</td></tr>
{{end}}</tbody></table>
{{if .Next}}<a class="Next" href="{{.Next}}">Next</a>{{end}}</div>
</body></html>
`))

var newWorldPerson = template.Must(template.New("person").Funcs(htmlFuncs).Parse(`<!DOCTYPE html>
<html><head><title>Inmate Detail</title></head><body>
<div id="DemographicInformation"><ul>
<li class="Name"><label>Name</label> <span>{{.Person.Name.LastFirst}}</span></li>
<li class="SubjectNumber"><label>Subject Number</label> <span>{{subject .Person}}</span></li>
<li class="DateOfBirth"><label>Date of Birth</label> <span>{{.Person.Birth.Format "01/02/2006"}}</span></li>
<li class="Gender"><label>Gender</label> <span>{{sex .Person.Sex}}</span></li>
<li class="Race"><label>Race</label> <span>{{race .Person.Race}}</span></li>
</ul></div>
<div id="BookingHistory">
{{range .Bookings}}<div class="Booking"><h3>Booking <span>{{.Number}}</span></h3>
{{with photograph .}}<img class="Photo" src="/new-world/{{$.County}}/photographs/{{.}}" alt="">
{{end}}<ul class="BookingData">
<li class="BookingDate"><label>Booking Date</label> <span>{{when $.Zone .Booked "1/2/2006 3:04 PM"}}</span></li>
<li class="ReleaseDate"><label>Release Date</label> <span>{{if not .InCustody}}{{when $.Zone .Released "1/2/2006 3:04 PM"}}{{end}}</span></li>
<li class="Agency"><label>Prisoner Type / Agency</label> <span>{{.Agency}}</span></li>
<li class="TotalBond"><label>Total Bond Amount</label> <span>{{total .}}</span></li>
</ul>
<table class="BookingBonds"><thead><tr><th>Bond Number</th><th>Bond Type</th><th>Bond Amount</th></tr></thead><tbody>
{{range .Charges}}{{if bondNumber .}}<tr><td>{{bondNumber .}}</td><td>{{bondType .Bond}}</td><td>{{bond .Bond}}</td></tr>
{{end}}{{end}}</tbody></table>
<table class="BookingCharges"><thead><tr><th>Number</th><th>Charge Description</th><th>Offense Class</th><th>Bond Number</th></tr></thead><tbody>
{{range $i, $charge := .Charges}}<tr><td>{{$i}}</td><td>{{.Statute}} {{.Description}}</td><td>{{.Grade}}</td><td>{{bondNumber .}}</td></tr>
{{end}}</tbody></table>
</div>
{{end}}</div>
</body></html>
`))

// subjectNumber is the vendor's key of a person.
func subjectNumber(b Booking) string { return strconv.Itoa(100_000 + b.Person) }

// bondNumber is the key of a charge's bond in the table of bonds, empty where nothing is set.
func bondNumber(c Charge) string {
	if c.Bond.Kind == BondUnset {
		return ""
	}
	return "BD" + c.Warrant
}

// bondType is the vendor's word for a kind of bond.
func bondType(b Bond) string {
	switch b.Kind {
	case BondSurety:
		return "Surety Bond"
	case BondCash:
		return "Cash Bond"
	case NoBond:
		return "No Bond"
	case BondUnset:
	}
	return ""
}

// serveNewWorldList answers a page of the list, with the total in words.
func serveNewWorldList(v *view, w http.ResponseWriter, q query) {
	rows := byName(v.custody)
	from := (max(number(q, "page", 1), 1) - 1) * newWorldCount
	shown := page(v, rows, from, newWorldCount)
	base, next := "/new-world/"+v.feed.County+"/inmates", ""
	if from+newWorldCount < len(rows) {
		next = fmt.Sprintf("%s?page=%d", base, from/newWorldCount+2)
	}
	name := "Name"
	if v.has(Layout) {
		name = "Detainee"
	}
	send(w, newWorldList, map[string]any{
		"From": min(from+1, len(rows)), "To": from + len(shown), "Total": len(rows), "Rows": shown, "Base": base, "Next": next, "Name": name,
	})
}

// serveNewWorldPerson answers the page of one person, with earlier bookings too.
func serveNewWorldPerson(v *view, w http.ResponseWriter, q query) {
	var bookings []Booking
	for _, b := range slices.Concat(v.custody, v.departed) {
		if subjectNumber(b) == q.PathValue("id") {
			bookings = append(bookings, b)
		}
	}
	if len(bookings) == 0 {
		http.NotFound(w, q.Request)
		return
	}
	send(w, newWorldPerson, map[string]any{"Person": bookings[0], "Bookings": bookings, "Zone": v.zone, "County": v.feed.County})
}
