package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/graph/generated"
)

// walkRoutes visits what a router has.
func walkRoutes(r chi.Routes, visit func(method, pattern string)) error {
	return chi.Walk(r, func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		visit(method, pattern)
		return nil
	})
}

// schema is the schema as the service has it.
func schema() *ast.Schema { return generated.NewExecutableSchema(generated.Config{}).Schema() }

// arguments are those of the fields of Query, alone or together; a member of a filter is one of its own.
func (v *vault) arguments() map[string][]string {
	ids := func(name string, values ...string) (all []string) {
		for _, value := range values {
			all = append(all, fmt.Sprintf("%s: %q", name, value))
		}
		return all
	}
	filters := func(members ...string) (all []string) {
		for _, m := range members {
			all = append(all, "limit: 5, filter: {"+m+"}")
		}
		return append(all, "limit: 5", "limit: 5, offset: 0", "limit: 1")
	}
	ranked := func(name string, all []string) []string {
		return append(all, `limit: 5, order: RELEVANCE, filter: {name: "`+name+`"}`)
	}
	since := `updatedSince: "` + v.booked.UTC().Format("2006-01-02T15:04:05Z") + `"`
	at := func(all []string) []string {
		for _, a := range slices.Clone(all) {
			all = append(all, a+`, asOf: "`+v.then+`"`)
		}
		return all
	}
	const preview = `name: "Perpetua Zzygloom"`
	day := v.booked.Format("2006-01-02")
	return map[string][]string{
		"node": ids("id", append(slices.Clone(v.cases), v.booking, v.offender)...),
		"roster": ranked("zzygloom", filters(`name: "zzygloom"`, `county: "ware"`, "status: BOOKED", `fromDate: "`+day+`"`, `toDate: "2099-01-01"`, since,
			`charge: "sentinel"`, `agency: "sentinel"`, "severity: FELONY", "bondFrom: 0", "bondTo: 100000000", "birthYearFrom: 1900", "birthYearTo: 2099", `releasedFrom: "2020-01-01"`, `releasedTo: "2099-01-01"`)),
		"similarNames": {`name: "Perpetua Zigloom"`, `name: "Perpetua Zzygloom", county: "ware"`}, "rosterRecord": at(ids("id", v.booking, v.bystander)),
		"courts":      ranked("vantwistle", filters(`name: "zzygloom"`, `name: "vantwistle"`, `county: "ware"`, "status: PENDING", "courtType: STATE", `caseNumber: "26-SENTINEL-1"`, `caseNumberStart: "26-"`, `caseNumberPart: "SENTINEL"`, since)),
		"courtCases":  at(append(ids("caseNumber", v.number, "26-SENTINEL-2", "26-SENTINEL-3", "26-CR-4"), `caseNumber: "26-SENTINEL-1", county: "ware"`)),
		"corrections": ranked("quillfeather", filters(`name: "quillfeather"`, `gdcId: "90SENTINEL1"`, "category: OFFENDER", "status: INCARCERATED", since)), "correctionsRecord": at(ids("gdcId", v.offender, "9000002")),
		"alerts": {"limit: 5", "limit: 5, offset: 0", `limit: 5, label: "walked"`, `limit: 5, name: "zzygloom"`}, "alert": ids("id", v.watchers...), "hit": ids("id", v.hits...), "alertEvents": {"limit: 20"},
		"hits":          {"first: 5", "first: 5, state: [UNREAD, READ, ASSIGNED, CONFIRMED, DISMISSED]", `first: 5, assignee: "ada@example.org"`, `first: 5, alert: "` + v.watchers[0] + `"`, `first: 5, label: "walked"`},
		"previewAlert":  {preview, preview + ", level: WIDE, days: 30", preview + `, county: "ware"`, preview + ", birthYear: 1999", preview + `, dob: "1999-01-01"`, preview + `, age: 27, ageOn: "` + day + `"`},
		"emailEndpoint": ids("id", v.mail), "webhook": ids("id", v.webhook), "delivery": ids("id", v.letters...), "deliveries": filters(`webhookId: "`+v.webhook+`"`, `alertId: "`+v.watchers[0]+`"`, "state: DELIVERED", `from: "2020-01-01T00:00:00Z"`, `to: "2099-01-01T00:00:00Z"`),
		"person":      ids("id", append(slices.Clone(v.cases), v.booking, v.offender, "gdc-"+v.offender, v.bystander)...),
		"people":      {`name: "zzygloom", limit: 2`, `name: "vantwistle", limit: 2`, `name: "quillfeather", limit: 2`, `name: "sentinel", county: "ware", limit: 2`, `name: "oakenshore", limit: 2`},
		"changes":     {"first: 5", "first: 5, families: [ROSTER]", "first: 5, families: [COURTS]", "first: 5, families: [CORRECTIONS]"},
		"countyStats": {`county: "ware"`, `county: "ware", days: 7`},
	}
}

// walkQueries asks every field of Query for everything that hangs below it.
func (v *vault) walkQueries(found leaks) {
	v.t.Helper()
	s, known := schema(), v.arguments()
	for _, f := range s.Query.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		asked := known[f.Name]
		all := strings.Join(asked, " ")
		for _, a := range f.Arguments {
			require.True(v.t, a.Name == "after" || strings.Contains(all, a.Name+": "), "which %s of %s leads to a record?", a.Name, f.Name)
			for _, member := range s.Types[a.Type.Name()].Fields {
				require.Contains(v.t, all, member.Name+": ", "which %s of %s leads to a record?", member.Name, f.Name)
			}
		}
		if asked == nil {
			asked = []string{""}
		}
		ask := func(args, selected string) {
			document := "{ " + f.Name + inBrackets(args) + selected + " }"
			body, err := json.Marshal(map[string]string{"query": document})
			require.NoError(v.t, err)
			status, _, said := v.call(http.MethodPost, "/graphql", string(body))
			require.Equal(v.t, http.StatusOK, status, said)
			require.NotContains(v.t, said, `"errors"`, document)
			var sent []string
			for i, part := range strings.Split(args, `"`) {
				if i%2 == 1 {
					sent = append(sent, part)
				}
			}
			v.look(found, "query "+f.Name+inBrackets(args), said, sent...)
		}
		var within []string
		switch f.Name {
		case "previewAlert":
			within = []string{"", ""} // half of what an operation may cost is the preview's own, so two steps less are left below
		case "person", "people":
			within = []string{"", "", ""} // these show records of each family side by side, more than an operation may ask for in full
		}
		for _, args := range asked {
			ask(args, below(s, s.Types[f.Type.Name()], within))
			if f.Name == "previewAlert" {
				ask(args, " { year"+below(s, s.Types["AlertYear"], nil)+" }")
			}
		}
	}
}

func inBrackets(args string) string {
	if args == "" {
		return ""
	}
	return "(" + args + ")"
}

// deepest is how many objects the walk follows within each other; a type is never asked for within itself, but for records.
const deepest = 6

// below selects everything of a type that needs no argument, beside what is selected of other types at the same place;
// empty for a leaf.
func below(s *ast.Schema, t *ast.Definition, within []string, beside ...*ast.Definition) string {
	switch t.Kind { //nolint:exhaustive // the others are inputs
	case ast.Interface, ast.Union:
		var b strings.Builder
		for _, possible := range s.PossibleTypes[t.Name] {
			b.WriteString(" ... on " + possible.Name + below(s, possible, within, s.PossibleTypes[t.Name]...))
		}
		return " { __typename" + b.String() + " }"
	case ast.Object:
		var b strings.Builder
		for _, f := range t.Fields {
			of := s.Types[f.Type.Name()]
			if strings.HasPrefix(f.Name, "__") || of.Kind == ast.Object && (len(within) == deepest || slices.Contains(within, of.Name)) {
				continue
			}
			if short := map[string]string{"Source": " { id }", "County": " { slug }"}[of.Name]; short != "" && len(within) > 0 {
				b.WriteString(" " + f.Name + short) // no record is below these, and an operation has so many fields
				continue
			}
			if of.Name == "Person" && t.Name == "RosterRecord" { // asked for in full by itself: below each record it would be more than an operation may ask for
				if len(within) < 2 {
					b.WriteString(" person { id name otherNames stays { id name } possible { rosterRecord { id name } } }")
				}
				continue
			}
			if of.Name == "AlertYear" {
				continue // it costs as much as the rest together and is asked for alone
			}
			args := ""
			if f.Arguments.ForName("limit") != nil {
				args = "(limit: 3)"
			}
			name := f.Name
			if slices.ContainsFunc(beside, func(o *ast.Definition) bool {
				same := o.Fields.ForName(f.Name)
				return same != nil && same.Type.String() != f.Type.String()
			}) {
				name += t.Name + ": " + f.Name // fields of one name have one type, at one place
			}
			b.WriteString(" " + name + args + below(s, of, append(slices.Clone(within), t.Name)))
		}
		return " {" + b.String() + " }"
	}
	return ""
}

// walkSubscriptions follows every stream from before all events, until the last one is told.
func (v *vault) walkSubscriptions(found leaks) {
	v.t.Helper()
	s := schema()
	for _, f := range s.Subscription.Fields {
		if f.Name == "inbox" {
			continue // counts alone
		}
		until, known := map[string]string{"alertEvents": v.lastEvent, "alertNotices": v.lastNotice}[f.Name]
		require.True(v.t, known, "what ends the stream %s?", f.Name)
		if until == "" {
			continue // nothing was told yet
		}
		document := "subscription { " + f.Name + `(after: "` + v.cursor + `")` + below(s, s.Types[f.Type.Name()], nil) + " }"
		resp := v.ada.send(http.MethodGet, "/graphql?query="+url.QueryEscape(document), "", "Accept", "text/event-stream", "Sec-Fetch-Site", "same-origin")
		require.Equal(v.t, http.StatusOK, resp.StatusCode)
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		var said strings.Builder
		for !strings.Contains(said.String(), until) && lines.Scan() {
			said.WriteString(lines.Text() + "\n")
		}
		require.Contains(v.t, said.String(), until, "the stream ended before its last event")
		require.NoError(v.t, resp.Body.Close())
		sent := []string{}
		if f.Name == "alertNotices" {
			sent = append(sent, v.booking) // which is what whoever was told of it has to forget
		}
		v.look(found, "subscription "+f.Name, said.String(), sent...)
	}
}
