package main

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
	"rollcall/models"
)

// replica is one of the services on a database, with every cache that it has.
type replica struct {
	*reader
	key     string
	figures http.Handler
}

// newReplica serves the terminal's database until the test ends, with its list indexes loaded.
func newReplica(t *testing.T, x *terminal, key string) *replica {
	t.Helper()
	app := &service.App{Config: service.Config{
		DatabaseURL: x.URL, DataDir: x.Data, Addr: "127.0.0.1:0", BaseURL: "http://localhost/v1", MetricsAddr: "off", ListIndex: true, ResultCache: 8, RecordCache: 8,
	}, Stdout: io.Discard, Stderr: io.Discard, Log: slog.New(slog.DiscardHandler)}
	s, err := app.Start(t.Context())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	for _, f := range []models.Family{models.Roster, models.Courts, models.Corrections} {
		require.NoError(t, s.AwaitIndex(t.Context(), f))
	}
	return &replica{stranger(t, "http://"+s.Listener.Addr().String()), key, s.API.Metrics.Handler()}
}

// says asks for the places where a booking is shown, and returns what each of them says.
func (r *replica) says(id string) map[string]string {
	r.t.Helper()
	out := map[string]string{}
	for _, path := range []string{"/v1/roster", "/v1/roster?name=zzygloom", "/v1/roster?county=ware&status=booked", "/v1/roster/" + id} {
		out[path] = all(r.t, r.send(http.MethodGet, path, "", "Authorization", "Bearer "+r.key))
	}
	for _, document := range []string{`{ roster { total records { id name } } }`, `{ roster(filter: {name: "zzygloom"}) { total records { id } } }`, `{ rosterRecord(id: "` + id + `") { name } }`} {
		out[document] = all(r.t, r.send(http.MethodGet, "/graphql?query="+url.QueryEscape(document), "", "Authorization", "Bearer "+r.key, "Accept", "application/json"))
	}
	return out
}

// total is what a list says of its length.
func total(of int) string { return fmt.Sprintf(`"total":%d`, of) }

// TestWhatOneReplicaHidesNoOtherShows holds that list indexes, records in memory and kept answers of one process follow what
// another one writes.
func TestWhatOneReplicaHidesNoOtherShows(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	x.OK("sources", "enable", x.put("sealed-jail.yaml", sealedJail))
	booked := time.Now().Add(-5 * time.Hour).In(models.Georgia).Format("2006-01-02 15:04")
	lists := func(born string) {
		x.OK("ingest", "--source", "sealed-jail", "--file", x.put("jail.csv", "id,name,born,booked,bond,agency,charge\n"+
			`KB-1,"ZZYGLOOM, PERPETUA",`+born+","+booked+",$500.00,GSP,MISCHIEF\n"+
			`KB-2,"OAKENSHORE, BARNABY",1980-02-02,`+booked+",$500.00,GSP,TRESPASS\n"))
	}
	lists("")
	account := x.account("enterprise")
	x.OK("account", "set", account, "--rate-limit", "0") // it asks until nothing is shown
	key := text(t, x.Fields("key", "create", "--account", account, "--label", "tests", "--json")["key"])
	first, second := newReplica(t, x, key), newReplica(t, x, key)
	found := first.says("none")["/v1/roster?name=zzygloom"]
	_, id, _ := strings.Cut(found, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	require.NotEmpty(t, id, found)
	for range 2 { // the second time, what was kept answers
		for _, r := range []*replica{first, second} {
			for place, said := range r.says(id) {
				require.True(t, strings.Contains(said, "ZZYGLOOM, P") || strings.Contains(said, `"id":"`+id), "%s: %s", place, said)
			}
		}
	}
	require.Contains(t, second.says(id)["/v1/roster"], total(2))
	reads := cacheReads(t, first.figures)
	require.Len(t, reads, 4, "hits and misses of two caches")
	for of, n := range reads {
		require.Positive(t, n, "%s: a cache that nobody reads shows nothing here: %v", of, reads)
	}

	lists("2012-03-04")
	for _, r := range []*replica{second, first} {
		var shown []string
		require.Eventually(t, func() bool {
			shown = nil
			for place, said := range r.says(id) {
				if strings.Contains(said, "ZZYGLOOM, P") || strings.Contains(said, `"id":"`+id) {
					shown = append(shown, place)
				}
			}
			return len(shown) == 0
		}, time.Minute, 20*time.Millisecond, "a replica goes on showing who was hidden")
		said := r.says(id)
		require.Contains(t, said["/v1/roster"], total(1))
		require.Contains(t, said["/v1/roster?name=zzygloom"], total(0))
		require.Contains(t, said["/v1/roster/"+id], `"error"`)
		require.Contains(t, said[`{ roster { total records { id name } } }`], total(1))
	}
}
