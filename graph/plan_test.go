package graph_test

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/graph"
	"rollcall/graph/generated"
	"rollcall/graph/limit"
	"rollcall/graph/transport"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// selections draws what to ask of a schema.
type selections struct {
	schema *ast.Schema
	r      *rand.Rand
}

func loadSchema(tb testing.TB) *ast.Schema {
	tb.Helper()
	files, err := filepath.Glob("schema/*.graphqls")
	require.NoError(tb, err)
	sources := make([]*ast.Source, len(files))
	for i, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(tb, err)
		sources[i] = &ast.Source{Name: name, Input: string(text)}
	}
	schema, err := gqlparser.LoadSchema(sources...)
	require.NoError(tb, err)
	return schema
}

// of draws a selection on a type: a part of its fields, some under another name, some in a fragment.
func (s *selections) of(name string, depth int) string {
	def := s.schema.Types[name]
	var b strings.Builder
	b.WriteString("{ __typename")
	for _, f := range def.Fields {
		if strings.HasPrefix(f.Name, "__") || len(f.Arguments) > 0 || s.r.IntN(3) == 0 {
			continue
		}
		text := f.Name
		if s.r.IntN(6) == 0 {
			text = fmt.Sprintf("other%s: %s", f.Name, f.Name)
		}
		switch child := s.schema.Types[f.Type.Name()]; {
		case child.Kind == ast.Object && depth == 0:
			continue
		case child.Kind == ast.Object:
			text += " " + s.of(child.Name, depth-1)
		}
		switch s.r.IntN(16) {
		case 0:
			text = "... on " + name + " { " + text + " }"
		case 1:
			text = "... { " + text + " }"
		case 2:
			text += " @include(if: true)"
		case 3:
			text += " " + text // the same twice
		case 4:
			text = "... @skip(if: true) { " + text + " }"
		}
		b.WriteString(" " + text)
	}
	b.WriteString(" }")
	return b.String()
}

func TestPlansWriteWhatTheExecutorWould(t *testing.T) {
	t.Parallel()
	records := append(
		linked(8),
		testdb.Booking{ID: "fulton-2026-000900", Name: "O\"BRIEN\\ , ANN\t\x01É", Charges: []string{"A\nB", ""}, BondCents: 123456700, Agency: "SHERIFF \"W\"\tÉ", DOB: "1984-02-29", Released: "2026-03-05T10:00:00Z", Inferred: true},
		testdb.Booking{ID: "fulton-2026-000901", Name: "NOBODY", BirthYear: 1971, Photo: true, BondCents: -1},
		testdb.Case{
			Number: "26-CR 001/A", Defendant: "OKAFOR, LENA", Hearings: []testdb.Hearing{{Date: "2026-04-01", Time: "09:30"}, {Date: "2026-05-01"}},
			Dispositions: []testdb.Disposition{{Date: "2026-05-02", Outcome: "PLEA"}},
		},
		testdb.CourtLink{Case: "26-CR 001/A", Booking: "fulton-2026-000900"},
	)
	b := setup(t, nil, records...)
	resolver := graph.NewResolver(b.store, baseURL, usage{}, b.alerts(t))
	limits := limit.Default()
	limits.Depth, limits.Fields, limits.Aliases, limits.Cost, limits.Tokens, limits.Body = 100, 1<<20, 1<<20, 1<<40, 1<<20, 1<<20
	planned := b.asCaller(graph.NewHandler(resolver, transport.Options{Limits: limits}))
	plain := b.asCaller(graph.NewHandler(resolver, transport.Options{Limits: limits, Unplanned: true}))
	ask := func(h http.Handler, query string) string {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(fmt.Sprintf(`{"query":%q}`, query)))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Body.String()
	}
	s := &selections{schema: loadSchema(t), r: rand.New(rand.NewPCG(1, 2))}
	roots := map[string]string{
		"roster(limit: 9)": "RosterPage", `rosterRecord(id: "fulton-2026-000900")`: "RosterRecord", `rosterRecord(id: "none")`: "RosterRecord",
		"corrections(limit: 5)": "CorrectionsPage", `correctionsRecord(gdcId: "1000003")`: "CorrectionsRecord", "courts": "CourtPage", `courtCases(caseNumber: "26-CR 001/A")`: "CourtCase",
		`courtCases(caseNumber: "none")`: "CourtCase", `roster(limit: 9, filter: {county: "nowhere"})`: "RosterPage",
	}
	for range 24 {
		for root, of := range roots {
			query := "{ " + root + " " + s.of(of, 4) + " }"
			if s.r.IntN(3) == 0 { // the same field twice, each with a selection of its own
				query = "{ " + root + " " + s.of(of, 2) + " ... on Query @include(if: true) { " + root + " " + s.of(of, 2) + " } }"
			}
			require.Equal(t, ask(plain, query), ask(planned, query), query)
		}
	}

	t.Run("selections of one field are merged", func(t *testing.T) {
		for _, query := range []string{
			`{ roster(limit: 1) { total } roster(limit: 1) { records { id } } }`,
			`{ ...a ...b } fragment a on Query { roster(limit: 1) { total records { gdcMatch { gdcId } } } } fragment b on Query { roster(limit: 1) { records { id gdcMatch { confidence } } } }`,
			`{ roster(limit: 1) { total } roster(limit: 1) @include(if: true) { records { id ... on Node { same: id } } } }`,
		} {
			got := ask(planned, query)
			require.Equal(t, ask(plain, query), got, query)
			require.Contains(t, got, `"total":`, query)
			require.Contains(t, got, `"records":[{`, query)
		}
	})

	t.Run("an error below a list is the executor's to tell", func(t *testing.T) {
		_, err := b.db.Pool.Exec(t.Context(), `alter view published_links rename to away`)
		require.NoError(t, err)
		const query = `{ roster(limit: 1) { total records { id gdcMatch { gdcId } } } }`
		got := ask(planned, query)
		require.Equal(t, ask(plain, query), got)
		require.Contains(t, got, `"path":["roster","records",0,"gdcMatch"]`)
	})
}

// What has no writer is executed value by value: this names all of it, so that a new field does not get slow unseen.
func TestPlansKnowEveryFieldWithoutArguments(t *testing.T) {
	t.Parallel()
	schema := loadSchema(t)
	var left []string
	for _, def := range schema.Types {
		if def.Kind != ast.Object || def.BuiltIn || def == schema.Query || def == schema.Mutation || def == schema.Subscription {
			continue
		}
		for _, f := range def.Fields {
			if len(f.Arguments) == 0 && !generated.Planned[def.Name+"."+f.Name] {
				left = append(left, def.Name+"."+f.Name)
			}
		}
	}
	require.Equal(t, []string{"Change.record"}, left, "a node is of a type that is known when it is read")
}

// One page of bookings with their matches, the matches' records and these records' bookings: with and without plans,
// with records from memory and from the database, without and with a connection between.
func BenchmarkNested(b *testing.B) {
	const query = `{ roster(filter: {county: "fulton"}, limit: 50) { records { id name dob county { name } bookingDate releaseDate charges bondAmount status mugshotUrl
 gdcMatch { confidence mugshotMatch record { gdcId name dob status institution countyRecords { rosterId county { name } bookingDate status } } } } } }`
	db := testdb.New(b)
	db.Add(b, linked(60)...)
	body := fmt.Sprintf(`{"query":%q}`, query)
	for _, from := range []struct {
		name string
		keep int
	}{{"memory", 1 << 24}, {"database", 0}} {
		store, err := store.Open(b.Context(), db.URL, store.Options{KeepRecords: from.keep})
		require.NoError(b, err)
		b.Cleanup(store.Close)
		_, leave := store.Changes(b.Context(), models.Roster, slog.New(slog.DiscardHandler))
		b.Cleanup(leave)
		resolver := graph.NewResolver(store, baseURL, usage{}, graph.Alerts{})
		for _, way := range []struct {
			name      string
			unplanned bool
		}{{"plan", false}, {"executor", true}} {
			h := graph.NewHandler(resolver, transport.Options{Unplanned: way.unplanned})
			b.Run(from.name+"/handler/"+way.name, func(b *testing.B) {
				for b.Loop() {
					r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", strings.NewReader(body))
					r.Header.Set("Content-Type", "application/json")
					w := httptest.NewRecorder()
					h.ServeHTTP(w, r)
					if w.Code != http.StatusOK {
						b.Fatal(w.Body)
					}
				}
			})
			server := httptest.NewServer(h)
			b.Cleanup(server.Close)
			for _, clients := range []int{1, 8} {
				b.Run(fmt.Sprintf("%s/http-%d/%s", from.name, clients, way.name), func(b *testing.B) {
					b.SetParallelism((clients + 1) / 2)
					client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
					one := func() {
						resp, err := client.Post(server.URL, "application/json", strings.NewReader(body))
						if err != nil {
							b.Error(err)
							return
						}
						_, _ = io.Copy(io.Discard, resp.Body)
						_ = resp.Body.Close()
					}
					if clients == 1 {
						for b.Loop() {
							one()
						}
						return
					}
					b.RunParallel(func(pb *testing.PB) {
						for pb.Next() {
							one()
						}
					})
				})
			}
		}
	}
}
