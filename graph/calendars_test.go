package graph_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/graph"
	"rollcall/graph/transport"
	"rollcall/internal/testdb"
	"rollcall/models"
)

// as serves the room to a caller of an account with that plan, as the way in does.
func (b *bundle) as(t *testing.T, name string, plan models.Plan) *bundle {
	t.Helper()
	account := &models.Account{Name: name, Email: name + "@calendars.example.org", Plan: plan, RateLimit: 100}
	require.NoError(t, b.store.CreateAccount(t.Context(), account))
	return b.by(t, &auth.Caller{Account: account})
}

// by serves the room to a caller, or to nobody known.
func (b *bundle) by(t *testing.T, caller *auth.Caller) *bundle {
	t.Helper()
	h := graph.NewHandler(graph.NewResolver(b.store, baseURL, usage{}, b.alerts(t)), transport.Options{Log: logTo(b.log), RequestID: func(context.Context) string { return requestID }})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if caller != nil {
			r = r.WithContext(auth.WithCaller(r.Context(), caller))
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return &bundle{db: b.db, store: b.store, statements: b.statements, log: b.log, url: server.URL, client: server.Client()}
}

func TestAccountHoldersMakeAndRevokeCalendars(t *testing.T) {
	t.Parallel()
	open := setup(t, nil, testdb.Case{Number: "26-CR-1", Defendant: "DOE, JANE"}, testdb.Case{Number: "26-CR-2", Defendant: "DOE, JANE", Withheld: "restricted"})
	b, other, free := open.as(t, "desk", models.Enterprise), open.as(t, "other", models.Enterprise), open.as(t, "free", models.Free)
	var cases struct{ CourtCases []struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(b.data(t, `{ courtCases(caseNumber: "26-CR-1") { id } }`, nil)), &cases))
	id := map[string]any{"case": cases.CourtCases[0].ID}
	const create = `mutation($case: ID!) { createCalendarFeed(caseId: $case, label: "Desk") { url feed { id caseNumber county { slug } label createdAt revokedAt } } }`
	var made struct {
		CreateCalendarFeed struct {
			URL  string
			Feed struct{ ID string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.data(t, create, id)), &made))
	require.True(t, strings.HasPrefix(made.CreateCalendarFeed.URL, "https://records.example/feeds/rcf_"), made.CreateCalendarFeed.URL)
	feed := map[string]any{"id": made.CreateCalendarFeed.Feed.ID}
	const list, revoke = `{ calendarFeeds { id caseId caseNumber label revokedAt } }`, `mutation($id: ID!) { revokeCalendarFeed(id: $id) }`
	require.Contains(t, b.data(t, list, nil), `"caseId":"`+cases.CourtCases[0].ID+`","caseNumber":"26-CR-1","label":"Desk","revokedAt":null`)
	require.JSONEq(t, `{"calendarFeeds": []}`, other.data(t, list, nil))
	require.Equal(t, "NOT_FOUND", other.post(t, revoke, feed).code(t))
	b.data(t, revoke, feed)
	require.Contains(t, b.data(t, list, nil), `"revokedAt":"2026-03-10T15:00:00Z"`)
	_, err := open.db.Pool.Exec(t.Context(), `update court_cases set withheld = 'juvenile' where case_number = '26-CR-1'`)
	require.NoError(t, err)
	require.Contains(t, b.data(t, list, nil), `"caseId":"","caseNumber":"","label":"","revokedAt"`, "nothing names whom the case hides")

	require.Equal(t, "FORBIDDEN", free.post(t, create, id).code(t))
	require.Equal(t, "UNAUTHORIZED", open.by(t, nil).post(t, create, id).code(t))
	sealed := strings.Replace(cases.CourtCases[0].ID, "-1", "-2", 1)
	require.Equal(t, "NOT_FOUND", b.post(t, create, map[string]any{"case": sealed}).code(t))
	require.NotEqual(t, http.StatusOK, b.get(t, `mutation { revokeCalendarFeed(id: "x") }`).status, "a GET changes nothing")
}
