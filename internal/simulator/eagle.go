package simulator

import (
	"html/template"
	"net/http"
	"time"
)

// eagle is shape F11: one HTML table of everybody, whose columns vary by county, without a booking number.
var eagle = shape{
	method: http.MethodGet, path: "/eagle/%s/roster", interval: 8 * time.Second,
	endpoints: []endpoint{{"GET /eagle/%s/roster", always, serveEagle}},
	sorry:     "<html><body><h2>Server Error in '/Eagle' Application.</h2></body></html>", media: "text/html; charset=utf-8",
}

var eagleTable = template.Must(template.New("eagle").Funcs(htmlFuncs).Parse(`<!DOCTYPE html>
<html><head><title>{{.County}} County Inmate Roster</title></head><body>
<h1>{{.County}} County Inmate Roster</h1>
<p>Total inmates: {{len .Rows}}</p>
<table id="roster"><thead><tr>{{range .Heads}}<th>{{.}}</th>{{end}}</tr></thead>
<tbody>
{{range .Rows}}<tr><td>{{.Name.LastFirst}}</td>{{if $.Wide}}<td>{{age .Birth $.At}}</td><td>{{.Race}}/{{.Sex}}</td>{{end}}<td>{{when $.Zone .Booked "01/02/2006 03:04PM"}}</td>
<td>{{range $i, $charge := .Charges}}{{if $i}}<br>{{end}}{{$charge.Description}}{{end}}</td>{{if $.Wide}}<td>{{.Agency}}</td>{{end}}<td>{{total .}}</td></tr>
{{end}}</tbody></table>
</body></html>
`))

// serveEagle answers the table. Counties with a slug of odd length show age, race and agency too.
func serveEagle(v *view, w http.ResponseWriter, _ query) {
	wide := len(v.feed.County)%2 == 1
	heads := []string{"Name", "Booking Date", "Charges", "Bond"}
	if wide {
		heads = []string{"Name", "Age", "Race/Sex", "Booking Date", "Charges", "Agency", "Bond"}
	}
	if v.has(Layout) {
		heads[0], heads[len(heads)-1] = "Bail", "Detainee"
	}
	send(w, eagleTable, map[string]any{
		"County": CountyName(v.feed.County), "Rows": byName(adults(v.custody)), "Heads": heads, "Wide": wide, "At": v.at, "Zone": v.zone,
	})
}
