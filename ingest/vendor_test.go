package ingest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

// ask runs a shipped source against a server of the test.
func (b *bundle) ask(id string, handler http.Handler) *ingest.Report {
	b.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	s, err := ingest.Load(id)
	require.NoError(b, err)
	s.Transport.Settings["base"] = server.URL
	s.Transport.Pause = time.Millisecond
	report, err := b.runner.Run(b.Context(), s, ingest.Input{})
	require.NoError(b, err)
	return report
}

func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// odyssey serves a jail search that lists ids and has nothing to say of those in silent.
func odyssey(ids []int, silent ...int) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/search", func(w http.ResponseWriter, _ *http.Request) {
		rows := make([]string, len(ids))
		for i, id := range ids {
			rows[i] = fmt.Sprintf(`{"PersonID":%d,"JailingID":%d,"FullName":"QUILLFEATHER%c, WREN"}`, id, id, 'A'+rune(id))
		}
		say(w, `{"TotalCount": %d, "Results": [%s]}`, len(ids), strings.Join(rows, ","))
	})
	mux.HandleFunc("GET /api/jailing/{id}", func(w http.ResponseWriter, r *http.Request) {
		for _, id := range silent {
			if r.PathValue("id") == strconv.Itoa(id) {
				return // status 200, no body
			}
		}
		say(w, `{"BookingNumber":"26-%s","BookingDateString":"03/08/2026","BookingTime":"1900-01-01T01:30:00","ReleaseDate":null,"Charges":[]}`, r.PathValue("id"))
	})
	return mux
}

func TestAnEmptyDetailReleasesNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.ask("odyssey", odyssey([]int{1, 2, 3, 4}))
	require.Equal(t, []any{4, true}, []any{r.New, r.Complete}, r.String())
	b.now = b.now.Add(time.Hour)
	r = b.ask("odyssey", odyssey([]int{1, 2, 3}, 2))
	require.Equal(t, []int{1, 1}, []int{r.Quarantined, r.Closed}, r.String())
	require.Equal(t, "26-4", one[string](b, `select g.key from bookings b join roster_claims g on g.record = b.rid where b.status = 'released'`), "who is listed without details is still there")
}

func TestASessionInThePathIsFollowed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := b.sample("jailtracker", "page1.json")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /jailtracker/index/Ben_Hill_County_GA", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/(S(abc123))/jailtracker/index/Ben_Hill_County_GA", http.StatusFound)
	})
	mux.HandleFunc("GET /(S(abc123))/", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /(S(abc123))/JailTracker/GetInmates", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("start") != "0" {
			http.Error(w, "no such page", http.StatusBadRequest)
		}
		say(w, "%s", page)
	})
	r := b.ask("jailtracker", mux)
	require.Equal(t, []any{source.RunPartial, 5, 4, 1}, []any{r.State, r.Fetched, r.New, r.Quarantined}, r.String())
}

func TestAnErrorWithStatus200IsAFailedRun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.URL.Path, "(S(") {
			http.Redirect(w, r, "/(S(abc123))/", http.StatusFound)
		}
	})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, _ *http.Request) {
		say(w, `{"data":[],"totalCount":0,"error":"Session expired","success":false}`)
	})
	r := b.ask("jailtracker", mux)
	require.Equal(t, source.RunFailed, r.State, r.String())
	require.Contains(t, r.Note, "the source answered with an error (error)")
}

// TestACaptchaIsRefusedNeverSolved is the second generation of JailTracker.
func TestACaptchaIsRefusedNeverSolved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asked := 0
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		asked++
		say(w, `{"captchaKey":"f00","captchaRequired":true,"error":"","success":true}`)
	})
	r := b.ask("jailtracker", mux)
	require.Equal(t, source.RunRefused, r.State, r.String())
	require.Contains(t, r.Note, "the source blocks automated requests")
	require.Equal(t, 1, asked, "it is not asked again")
	require.Equal(t, "refused", one[string](b, `select state from runs`))
	source, err := b.store.SourcesByID(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, "refused", source["jailtracker"].State())
}
