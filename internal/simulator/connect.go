package simulator

import (
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// connect is shape F12, Citizen Connect: cards in an HTML fragment, 20 a page, asked for by a form. A page past the end
// is empty in some counties and repeats the last one in others.
var connect = shape{
	method: http.MethodPost, path: "/connect/%s/search", interval: 8 * time.Second,
	endpoints: []endpoint{{"POST /connect/%s/search", func(q query) bool { return connectPage(q) <= 1 }, serveConnect}},
	sorry:     `<div class="alert alert-danger">An error occurred while processing your request.</div>`, media: "text/html; charset=utf-8",
}

// connectCount is the size of a page, which no reader can change.
const connectCount = 20

var connectCards = template.Must(template.New("connect").Funcs(htmlFuncs).Parse(`{{range .Rows}}<div class="{{$.Card}}" data-booking="{{.Number}}">
  <h4 class="name">{{.Name.LastFirst}}</h4>
  <ul class="details">
    <li><b>DOB:</b> XX/XX/{{.Birth.Year}}</li>
    <li><b>Race/Sex:</b> {{.Race}}/{{.Sex}}</li>
    <li><b>Booked:</b> {{when $.Zone .Booked "01-02-2006/15:04:05"}}</li>
    <li><b>Agency:</b> {{.Agency}}</li>
  </ul>
  <ol class="charges">{{range .Charges}}
    <li><span class="offense">{{.Description}}</span> <span class="bond">{{bond .Bond}}</span></li>{{end}}
  </ol>
</div>
{{end}}`))

// connectPage reads `page` of the form, counted from 1.
func connectPage(q query) int {
	form, err := url.ParseQuery(string(q.body))
	if err != nil {
		return 1
	}
	n, err := strconv.Atoi(form.Get("page"))
	if err != nil {
		return 1
	}
	return n
}

// serveConnect answers a page. The birth date shows only its year, so a reader needs more to tell two apart.
func serveConnect(v *view, w http.ResponseWriter, q query) {
	rows := byName(adults(v.custody))
	last := max(1, (len(rows)+connectCount-1)/connectCount)
	asked := connectPage(q)
	if asked > last && len(v.feed.County)%2 == 1 {
		asked = last
	}
	card := "card inmate"
	if v.has(Layout) {
		card = "tile person"
	}
	send(w, connectCards, map[string]any{"Rows": page(v, rows, (max(asked, 1)-1)*connectCount, connectCount), "Zone": v.zone, "Card": card})
}
