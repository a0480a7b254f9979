package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
	"rollcall/internal/testdb"
	"rollcall/models/store"
)

func TestACalendarIsServedWithoutAKeyUntilItIsRevoked(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Add(t, testdb.Case{Number: "26-CR 1/A", Defendant: "DOE, JANE", Hearings: []testdb.Hearing{{Date: "2026-04-01", Time: "09:30"}}},
		testdb.Case{Number: "TWICE", Defendant: "DOE, JANE"}, testdb.Case{Number: "TWICE", County: "cobb", Defendant: "ROE, RAY"})
	x := terminalOn(t, db.URL)
	account, ok := x.Fields("account", "create", "--name", "Desk", "--email", "desk@example.org", "--plan", "enterprise", "--json")["id"].(string)
	require.True(t, ok)
	made := x.Fields("feed", "create", "--account", account, "--case", "26-CR 1/A", "--label", "Desk", "--json")
	id, ok := made["id"].(string)
	require.True(t, ok)
	text, ok := made["url"].(string)
	require.True(t, ok)
	address, err := url.Parse(text)
	require.NoError(t, err)

	code, _ := x.Run("feed", "create", "--account", account, "--case", "TWICE")
	require.NotZero(t, code)
	require.Contains(t, x.Stderr, "several cases have this number")
	x.OK("feed", "create", "--account", account, "--case", "TWICE", "--county", "cobb")
	require.Contains(t, x.OK("feed", "list", "--account", account), "26-CR 1/A")

	store, err := store.Open(t.Context(), db.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	api, err := service.NewAPI(t.Context(), &service.App{Config: service.Config{BaseURL: "http://localhost:8080/v1", DataDir: t.TempDir()}, Stdout: io.Discard, Stderr: io.Discard, Log: service.NewLogger(io.Discard, 0)}, store)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, api.Close(context.WithoutCancel(t.Context()))) })
	ask := func(method, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		api.Handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody))
		return w
	}
	require.Equal(t, http.StatusOK, ask(http.MethodHead, address.Path).Code)
	got := ask(http.MethodGet, address.Path)
	require.Equal(t, http.StatusOK, got.Code, got.Body)
	require.Contains(t, got.Body.String(), "DTSTART;TZID=America/New_York:20260401T093000")
	require.Equal(t, http.StatusUnauthorized, ask(http.MethodPost, address.Path).Code, "nobody learns without a key what exists")
	x.OK("account", "suspend", account, "--reason", "unpaid")
	require.Equal(t, http.StatusNotFound, ask(http.MethodGet, address.Path).Code, "of a suspended account")
	x.OK("account", "resume", account)
	require.Equal(t, http.StatusOK, ask(http.MethodGet, address.Path).Code)

	x.OK("feed", "revoke", id, "--account", account)
	require.Equal(t, http.StatusNotFound, ask(http.MethodGet, address.Path).Code)
	require.NotContains(t, x.OK("feed", "list", "--account", account), address.Path)
}

func TestMergedIdsResolveFromTheCommandLineOn(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Add(t, testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}, testdb.Booking{ID: "fulton-2026-000002", Name: "DOE, JANE"}, testdb.Offender{GdcID: "1", Name: "A B"}, testdb.Offender{GdcID: "2", Name: "A B"})
	x := terminalOn(t, db.URL)
	require.Equal(t, "fulton-2026-000001", x.Fields("merge", "roster", "fulton-2026-000001", "fulton-2026-000002", "--json", "--yes")["kept"])
	require.Contains(t, x.OK("merge", "corrections", "1", "2", "--yes"), "2 resolves to 1 now.")
	code, _ := x.Run("merge", "roster", "fulton-2026-000001", "fulton-2026-000002", "--yes")
	require.NotZero(t, code)
}
