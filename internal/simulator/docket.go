package simulator

import (
	"bytes"
	"html/template"
	"net/http"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"rollcall/internal/simulator/naming"
)

// docket is shape F14, a docket book: ISO-8859-1, names without a comma, the next page under a link that only the
// server can make. Layout turns the table into the divs that it became half a year later.
var docket = shape{
	method: http.MethodGet, path: "/docket/%s/book", interval: 10 * time.Second,
	endpoints: []endpoint{{"GET /docket/%s/book", func(q query) bool { return docketPlace(q) == 0 }, serveDocket}},
	sorry:     "<html><body>Microsoft OLE DB Provider for ODBC Drivers error '80004005'</body></html>", media: "text/html; charset=iso-8859-1",
}

const docketCount = 30

var docketTable = template.Must(template.New("table").Funcs(htmlFuncs).Parse(`<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><title>Docket Book</title></head><body>
<h2>{{.County}} County Docket Book</h2>
<table border="1">
<tr><th>Booking #</th><th>Name</th><th>DOB</th><th>R/S</th><th>Booked</th><th>Released</th><th>Charge</th><th>Bond</th></tr>
{{range .Rows}}<tr><td>{{.Number}}</td><td>{{docketName .}}</td><td>{{.Birth.Format "1/2/2006"}}</td><td>{{.Race}} / {{.Sex}}</td><td>{{when $.Zone .Booked "01/02/2006 15:04"}}</td><td>{{if .InCustody}}*IN JAIL*{{else}}{{when $.Zone .Released "01/02/2006 15:04"}}{{end}}</td><td>{{range $i, $c := .Charges}}{{if $i}}<br>{{end}}{{$c.Description}}{{end}}</td><td>{{range $i, $c := .Charges}}{{if $i}}<br>{{end}}{{docketBond $c.Bond}}{{end}}</td></tr>
{{end}}</table>
{{if .Next}}<a href="{{.Next}}">Next Page &gt;&gt;</a>{{end}}
</body></html>
`))

var docketDivs = template.Must(template.New("divs").Funcs(htmlFuncs).Parse(`<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><title>Docket Book</title></head><body>
<h2>{{.County}} County Docket Book</h2>
{{range .Rows}}<div class="booking"><div class="row"><span class="label">Booking #:</span> <span class="value">{{.Number}}</span></div>
<div class="row"><span class="label">Name:</span> <span class="value">{{docketName .}}</span></div>
<div class="row"><span class="label">DOB:</span> <span class="value">{{.Birth.Format "1/2/2006"}}</span></div>
<div class="row"><span class="label">Booked:</span> <span class="value">{{when $.Zone .Booked "01/02/2006 15:04"}}</span></div>
<div class="row"><span class="label">Released:</span> <span class="value">{{if .InCustody}}*IN JAIL*{{else}}{{when $.Zone .Released "01/02/2006 15:04"}}{{end}}</span></div>
{{range .Charges}}<div class="row"><span class="label">Charge:</span> <span class="value">{{.Description}}</span> <span class="bond">{{docketBond .Bond}}</span></div>
{{end}}</div>
{{end}}{{if .Next}}<a href="{{.Next}}">Next Page &gt;&gt;</a>{{end}}
</body></html>
`))

// docketName is `ROE JOHN Q JR`, or for some clerks `ROE ,JR JOHN Q`.
func docketName(b Booking) string {
	name := b.Name.Upper()
	if name.Suffix != "" && b.mark>>28%2 == 0 {
		return naming.Join(name.Last, ","+name.Suffix, name.First, name.Middle)
	}
	return naming.Join(name.Last, name.First, name.Middle, name.Suffix)
}

// docketBond writes readiness, kind, amount and fees in one text. Only the first amount is the bond.
func docketBond(b Bond) string {
	switch b.Kind {
	case NoBond:
		return "** NOT READY ** No Bond *** HOLDS ***"
	case BondSurety:
		return "*** READY *** Surety: $ " + dollars(b.Cents) + " Fees: $ 35.00"
	case BondCash:
		return "*** READY *** Cash: $ " + dollars(b.Cents) + " Fees: $ 35.00"
	case BondUnset:
	}
	return "** NOT READY ** No Amount Set *** HOLDS ***"
}

// docketPlace finds the page, counted from 0, that a server-made link means.
func docketPlace(q query) int {
	mark := q.URL.Query().Get("pg")
	for place := range 1000 {
		if docketMark(place) == mark {
			return place
		}
	}
	return 0
}

// docketMark is what the server writes into its links; the first page has none.
func docketMark(place int) string {
	if place == 0 {
		return ""
	}
	return strings.TrimPrefix(token(strings.Repeat("+", place)), "CfDJ8-")
}

// serveDocket answers a page of those in custody and those released within two days.
func serveDocket(v *view, w http.ResponseWriter, q query) {
	rows := append(byName(v.custody), since(v.departed, v.at.AddDate(0, 0, -2))...)
	place, next := docketPlace(q), ""
	if (place+1)*docketCount < len(rows) {
		next = v.feed.Path + "?pg=" + docketMark(place+1)
	}
	layout := docketTable
	if v.has(Layout) {
		layout = docketDivs
	}
	var text bytes.Buffer
	if err := layout.Execute(&text, map[string]any{
		"County": CountyName(v.feed.County), "Rows": page(v, rows, place*docketCount, docketCount), "Zone": v.zone, "Next": next,
	}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	narrow, err := charmap.ISO8859_1.NewEncoder().Bytes(text.Bytes())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
	_, _ = w.Write(narrow)
}
