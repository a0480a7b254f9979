package rest_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/store"
	"rollcall/rest"
)

func TestAnAnswerCostsABoundedNumberOfStatements(t *testing.T) {
	t.Parallel()
	b := setup(t, append(sample(), many()...)...)
	b.get(t, "/sources") // reads what is known of the sources, which then is kept for a second
	b.get(t, "/roster")
	for path, most := range map[string]int64{
		"/roster": 1, "/roster?name=doe&limit=200": 1, "/courts": 1, "/corrections": 1, "/courts?case_number=26-CR-0417": 1, "/counties": 0,
		"/roster/ben-hill-2026-000123": 2, "/corrections/1000412": 2, "/courts/26-CR-0417": 3, "/roster?county=nowhere": 0, "/roster?limit=x": 0,
	} {
		before := b.store.Use().Acquired
		b.get(t, path)
		require.Equal(t, most, b.store.Use().Acquired-before, path)
	}
}

func TestManyCallersAtOnceGetTheirOwnAnswers(t *testing.T) {
	t.Parallel()
	b := setup(t, append(sample(), many()...)...)
	paths := []string{"/roster", "/roster?limit=1", "/courts", "/courts/26-CR-0417", "/corrections/1000412", "/counties", "/roster/nobody"}
	want := map[string]string{}
	for _, p := range paths {
		want[p] = b.get(t, p).body
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for k := range 3 * len(paths) {
				p := paths[(i+k)%len(paths)]
				res, err := http.Get(b.url + "/v1" + p) //nolint:forbidigo // loopback; the transport's checks are not for several goroutines
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(res.Body)
				if err != nil || res.Body.Close() != nil || string(body) != want[p] {
					t.Errorf("%s: %v: %s", p, err, body)
				}
			}
		})
	}
	all.Wait()
}

func TestADatabaseThatDoesNotAnswerInTimeIs503(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	hasty, err := store.Open(t.Context(), b.db.URL, store.Options{StatementTimeout: time.Second, Now: b.now.now})
	require.NoError(t, err)
	t.Cleanup(hasty.Close)
	require.NoError(t, pgx.BeginFunc(t.Context(), b.db.Pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `lock table bookings, court_cases in access exclusive mode`)
		require.NoError(t, err)
		slow := b.on(t, hasty)
		for _, path := range []string{"/roster", "/roster?name=doe", "/roster/ben-hill-2026-000123", "/courts/26-CR-0417"} {
			r := slow.get(t, path)
			r.message(t, http.StatusServiceUnavailable, models.CodeUnavailable)
			require.NotEmpty(t, r.head.Get("Retry-After"))
		}
		return nil
	}))
}

func TestAPanicInMidAnswerCutsTheConnection(t *testing.T) {
	t.Parallel()
	reject := rest.NewReject(slog.New(slog.DiscardHandler))
	server := httptest.NewServer(rest.Recover(reject)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		if _, err := io.WriteString(w, `{"total":`); err != nil || http.NewResponseController(w).Flush() != nil {
			t.Error("the first half was not sent")
		}
		panic("halfway")
	})))
	defer server.Close()
	res, err := server.Client().Get(server.URL)
	require.NoError(t, err)
	defer func() { require.NoError(t, res.Body.Close()) }()
	_, err = io.ReadAll(res.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
