package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
)

// The walks find what answers there are by asking the router, the description of /v1, the schema and the command line, and
// stop at a parameter that they have no value for: whoever adds a route or a field says here what leads to a hidden record.

// leaks are the places of the last walk at which a hidden record showed, and what of it.
type leaks map[string][]string

// look notes what an answer tells of hidden records, beside what was asked with.
func (v *vault) look(found leaks, place, answer string, sent ...string) {
	for _, s := range sent {
		for _, form := range []string{s, url.PathEscape(s), url.QueryEscape(s)} {
			answer = strings.ReplaceAll(answer, form, "")
		}
	}
	// A notice that a record is sealed has to say which one, as does the list of deliveries.
	answer = strings.ReplaceAll(answer, "&#34;", `"`)
	answer = strings.NewReplacer(`"record":{"id":"`+v.booking+`"}}`, "", `\"record\":{\"id\":\"`+v.booking+`\"}}`, "",
		`<b><bdi>`+v.booking+`</bdi></b>`, "").Replace(answer)
	words := append([]string{"sentinel", v.booking}, v.cases...)
	lower := strings.ToLower(answer)
	if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(lower, strings.ToLower(w)) }) {
		return
	}
	tell := []string{`sentinel`, regexp.QuoteMeta(v.booking) + `\b`}
	for _, c := range v.cases {
		tell = append(tell, regexp.QuoteMeta(c)+`\b`)
	}
	if said := regexp.MustCompile(`(?i).{0,40}(`+strings.Join(tell, "|")+`).{0,40}`).FindAllString(answer, 3); said != nil {
		found[place] = append(found[place], said...)
	}
}

// walk asks everything.
func (v *vault) walk() leaks {
	v.t.Helper()
	found := leaks{}
	v.walkV1(found)
	v.walkPages(found)
	v.walkQueries(found)
	v.walkSubscriptions(found)
	v.walkCommands(found)
	return found
}

// inPath are the values of a route's parameter: those that lead to hidden records.
func (v *vault) inPath(route string) []string {
	v.t.Helper()
	for prefix, values := range map[string][]string{
		"/v1/roster/{id}": {v.booking}, "/v1/courts/": {v.number, "26-SENTINEL-2", "26-SENTINEL-3", "26-CR-4"}, "/v1/corrections/{gdc_id}": {v.offender, "9000002"},
		"/v1/alerts/{id}": v.watchers, "/v1/hits/{id}": v.hits, "/v1/webhooks/{id}": {v.webhook}, "/v1/deliveries/{id}": v.letters,
		"/alerts/{id}": v.watchers, "/deliveries/{id}": v.letters, "/roster/{id}": {v.booking, v.bystander},
		"/cases/{id}": append(slices.Clone(v.cases), v.seenCase), "/corrections/{id}": {v.offender, "9000002"},
		"/people/{id}":     append(slices.Clone(v.cases), v.booking, v.offender, "gdc-"+v.offender, v.bystander),
		"/counties/{slug}": {"ware"}, "/settings/webhooks/{id}": {v.webhook}, "/operator/sources/{id}": {"sealed-jail", "sealed-court", "sealed-prison"},
		"/feeds/{token}/hearings.ics": v.calendars, "/feeds/{token}/events.atom": v.atoms, "/mail/hit/{token}": v.mailed, "/photographs/{token}": v.pictured, "/mail/confirm/{token}": {"none"}, "/mail/unsubscribe/{token}": {"none"}, "/invitation/{token}": {"none"}, "/reset/{token}": {"none"}, "/enter/{token}": {"none"},
	} {
		if strings.HasPrefix(route, prefix) {
			return values
		}
	}
	require.NotRegexp(v.t, `[{*]`, route, "which values of this route's parameter lead to a record?")
	return nil
}

var parameter = regexp.MustCompile(`\{[^}]+\}|\*$`)

// walkV1 asks every route and method of /v1 that the router knows, without parameters and with each one that openapi.json has.
func (v *vault) walkV1(found leaks) {
	v.t.Helper()
	var described struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
		}
	}
	_, _, text := v.call(http.MethodGet, "/openapi.json", "")
	require.NoError(v.t, json.Unmarshal([]byte(text), &described))
	for _, route := range v.router("/v1/") {
		method, pattern, _ := strings.Cut(route, " ")
		queries := []string{""}
		for _, p := range described.Paths[strings.TrimPrefix(strings.Replace(pattern, "*", "{case_number}", 1), "/v1")][strings.ToLower(method)].Parameters {
			if p.In != "query" {
				continue
			}
			values, known := v.inQuery()[p.Name]
			require.True(v.t, known, "which value of the parameter %s leads to a record?", p.Name)
			for _, value := range values {
				queries = append(queries, "?"+p.Name+"="+url.QueryEscape(value))
			}
		}
		body, known := v.inBody(route)
		reads := method == http.MethodGet || method == http.MethodHead
		require.True(v.t, known || reads, "which body of %s leads to a record?", route)
		if body == "" && !reads {
			continue
		}
		for _, path := range v.filled(pattern) {
			for _, query := range queries {
				status, header, said := v.call(method, path[0]+query, body)
				asked, err := url.QueryUnescape(query)
				require.NoError(v.t, err)
				_, value, _ := strings.Cut(asked, "=")
				require.Less(v.t, status, 500, said)
				require.NotEqual(v.t, http.StatusTooManyRequests, status)
				v.look(found, route+query, fmt.Sprintln(said, header), path[1], value)
			}
		}
	}
}

// filled are the addresses of a route, each with the value in it.
func (v *vault) filled(pattern string) (paths [][2]string) {
	v.t.Helper()
	values := v.inPath(pattern)
	if values == nil {
		return [][2]string{{pattern, "\x00"}}
	}
	for _, value := range values {
		require.NotEmpty(v.t, value, pattern)
		paths = append(paths, [2]string{parameter.ReplaceAllLiteralString(pattern, url.PathEscape(value)), value})
	}
	return paths
}

// router gives the routes below a path, as "GET /v1/roster".
func (v *vault) router(below string) (all []string) {
	v.t.Helper()
	routes, isRouter := v.API.Handler.(chi.Routes)
	require.True(v.t, isRouter)
	require.NoError(v.t, walkRoutes(routes, func(method, pattern string) {
		if strings.HasPrefix(pattern, below) && (pattern == "/" || !strings.HasSuffix(pattern, "/")) {
			all = append(all, method+" "+pattern)
		}
	}))
	slices.Sort(all)
	require.NotEmpty(v.t, all)
	return all
}

// inQuery are values of the parameters in addresses of /v1.
func (v *vault) inQuery() map[string][]string {
	day := v.booked.Format("2006-01-02")
	return map[string][]string{
		"limit": {"1", "200"}, "offset": {"0", "1"}, "county": {"ware"}, "updated_since": {v.booked.UTC().Format("2006-01-02T15:04:05Z")}, "status": {"booked", "pending", "incarcerated", "released"},
		"name": {"zzygloom", "vantwistle", "quillfeather", "sentinel"}, "from_date": {day}, "to_date": {v.booked.AddDate(0, 0, 2).Format("2006-01-02")}, "case_number": {v.number, "26-SENTINEL-2"},
		"court_type": {"state"}, "gdc_id": {v.offender}, "size": {"small"}, "category": {"offender"}, "event": {"booking", "bond_change"}, "verdict": {"unsure"}, "state": {"delivered"},
		"label": {"walked"}, "alert_id": v.watchers, "webhook_id": {v.webhook}, "from": {v.booked.UTC().Format("2006-01-02T15:04:05Z")}, "to": {"2099-01-01T00:00:00Z"},
	}
}

// inBody is what is sent to a route that changes something; empty: it would end what the next walk needs, and shows no record.
func (v *vault) inBody(route string) (body string, known bool) {
	body, known = map[string]string{
		"POST /v1/alerts": `{"name": "Perpetua Zzygloom", "paused": true}`, "POST /v1/alerts/preview": `{"name": "Perpetua Zzygloom", "days": 30, "level": "wide"}`,
		"PATCH /v1/alerts/{id}": `{"note": "walked", "label": "walked"}`, "DELETE /v1/alerts/{id}": "", "POST /v1/hits/{id}/feedback": `{"verdict": "unsure"}`,
		"POST /v1/webhooks": "", "PATCH /v1/webhooks/{id}": `{"paused": false}`, "DELETE /v1/webhooks/{id}": "", "POST /v1/webhooks/{id}/test": "", "POST /v1/webhooks/{id}/enable": `{}`,
		"POST /v1/webhooks/{id}/replay": `{"dry_run": true, "states": ["delivered"]}`, "POST /v1/deliveries/{id}/redeliver": `{}`,
	}[route]
	return body, known
}

// walkPages opens every page and file beside /v1, as an owner and operator who is signed in.
func (v *vault) walkPages(found leaks) {
	v.t.Helper()
	for _, route := range v.router("/") {
		method, pattern, _ := strings.Cut(route, " ")
		if method != http.MethodGet || strings.HasPrefix(pattern, "/v1/") || strings.HasPrefix(pattern, auth.TryPath) || strings.HasSuffix(pattern, "*") {
			continue // what ends in a star is a file of the program, and what pages try is /v1
		}
		if pattern == "/operator/review" {
			continue // for operators, of hidden records, as "review list"; who they are about is told to whoever asks for it, by POST
		}
		for _, path := range v.filled(pattern) {
			for _, asked := range append(v.inPages(pattern), "") {
				resp := v.ada.send(http.MethodGet, path[0]+asked, "", "Accept", "text/html")
				require.Less(v.t, resp.StatusCode, 500)
				v.look(found, route+asked, fmt.Sprintln(all(v.t, resp), resp.Header), path[1])
			}
		}
	}
}

// inPages are what the address of a page may ask for, beside the page as it opens.
func (v *vault) inPages(pattern string) (asked []string) {
	switch pattern {
	case "/inbox":
		for _, shelf := range []string{"mine", "assigned", "read", "confirmed", "dismissed"} {
			asked = append(asked, "?show="+shelf)
		}
		for _, w := range v.watchers {
			asked = append(asked, "?alert="+w)
		}
		return append(asked, "?label=walked")
	case "/alerts":
		return []string{"?sort=name", "?sort=last", "?sort=unread", "?only=duplicates"}
	case "/alerts/{id}":
		for _, hit := range v.hits {
			asked = append(asked, "?after="+hit)
		}
		return append(asked, "?edits=1000000")
	case "/deliveries":
		for _, w := range v.watchers {
			asked = append(asked, "?alert="+w)
		}
		return append(asked, "?state=DELIVERED", "?state=DROPPED", "?webhook="+v.webhook)
	case "/search", "/search/results", "/search/similar", "/search/bookings.csv": // a part of each word, as the form repeats what was asked
		for _, view := range []string{"", "&view=table", "&view=person", "&similar=yes"} {
			asked = append(asked, "?q=ntine"+view, "?q=ntine+senti"+view, "?charge=sentin"+view, "?county=ware"+view)
		}
		return append(asked, "?q=26-SENT", "?q=26-CR")
	case "/alerts/{id}/narrow":
		for _, hit := range v.hits {
			asked = append(asked, "?by=date&hit="+hit, "?by=year&hit="+hit, "?by=county&hit="+hit)
		}
	}
	return asked
}

// commands are the arguments of what prints JSON; nil: it prints no record, or is for operators to look at hidden ones.
func (v *vault) commands() map[string][]string {
	account := []string{"--account", v.account}
	return map[string][]string{
		"account list": {}, "deliveries list": append(account, "--limit", "1000"), "deliveries backlog": account, "feed list": account, "sources list": {}, "sources show": {"sealed-jail"},
		"feed create": append(account, "--case", v.number), "merge roster": {v.bystander, v.booking, "--yes"}, "merge corrections": {"9000002", v.offender, "--yes"}, "merge courts": {v.seenCase, v.cases[0], "--yes"},
		"unmerge": {"corrections", v.offender, "--note", "two people"}, "rebuild": {"--dry-run"}, "key list": account, "deliveries replay": append(account, "--webhook", v.webhook, "--state", "delivered", "--dry-run"), "link run": {"--full"},
		"account create": nil, "account set": nil, "account invite": nil, "account reset": nil, "account resume": nil, "account suspend": nil, "bench deliveries": nil, "bench ingest": nil, "bench links": nil, "bench mix": nil, "bench photographs": nil, "feed revoke": nil, "incident open": nil, "incident update": nil, "incident list": nil,
		"import": nil, "ingest read": nil, "ingest replay": nil, "key create": nil, "key revoke": nil, // what these say is kept when they run
		"link confirm": nil, "link dismiss": nil, "link explain": nil, "review list": nil, "review lift": nil, "review keep": nil, "review withhold": nil, // for operators, of hidden records too
		"quarantine list": {}, "quarantine show": nil, // the text of a row is for operators
		"watchers import": append(slices.Clone(account), v.file("names.csv", "name,county\nPerpetua Zzygloom,ware\n"), "--dry-run"),
		"sources check":   nil, "sources retire": nil, "webhook listen": nil, "webhook secret show": nil, "webhook secret rotate": nil,
		"secrets list": {}, "secrets rotate": {}, "faces install": nil, "faces compare": nil, "faces measure": nil, // no database
		"photographs status": {}, "photographs requests": {}, "photographs request": nil, "photographs decide": nil, // for operators, of hidden records too
	}
}

// walkCommands runs every command that prints JSON, with and without.
func (v *vault) walkCommands(found leaks) {
	v.t.Helper()
	parser, err := kong.New(&cli{})
	require.NoError(v.t, err)
	known, open := v.commands(), []string{}
	for _, leaf := range parser.Model.Leaves(true) {
		if !slices.ContainsFunc(leaf.AllFlags(true), func(group []*kong.Flag) bool {
			return slices.ContainsFunc(group, func(f *kong.Flag) bool { return f.Name == "json" })
		}) {
			continue
		}
		name := strings.TrimPrefix(leaf.FullPath(), parser.Model.Name+" ")
		args, decided := known[name]
		if !decided {
			open = append(open, name)
		}
		if args == nil {
			continue
		}
		for _, more := range [][]string{nil, {"--json"}} {
			if !v.hidden && (name == "feed create" || strings.Contains(name, "merge")) {
				continue // they would do it
			}
			_, out := v.Run(slices.Concat(strings.Fields(name), args, more)...)
			v.look(found, "rollcall "+name, out+v.Stderr, args...)
		}
	}
	require.Empty(v.t, open, "do these commands print records?")
	v.look(found, "rollcall watchers export", v.OK("watchers", "export", "--account", v.account, "--hits")) // it prints CSV
	v.look(found, "what commands said", v.said.String())
}
