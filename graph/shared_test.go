package graph_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/graph"
	"rollcall/graph/transport"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// cached reads a record of each kind that the record cache keeps.
func cached(t *testing.T, s *store.Store) []any {
	t.Helper()
	booking, err := s.BookingByID(t.Context(), "fulton-2026-000000")
	require.NoError(t, err)
	byKey, err := s.BookingsByKeys(t.Context(), []int64{booking.RID})
	require.NoError(t, err)
	cases, err := s.CourtCasesByNumber(t.Context(), "26-CR-1", nil, nil)
	require.NoError(t, err)
	one, err := s.CourtCasesByKeys(t.Context(), []int64{cases[0].Key})
	require.NoError(t, err)
	hearings, err := s.HearingsOf(t.Context(), []int64{cases[0].Key})
	require.NoError(t, err)
	dispositions, err := s.DispositionsOf(t.Context(), []int64{cases[0].Key})
	require.NoError(t, err)
	offender, err := s.CorrectionsByGdcID(t.Context(), "1000000")
	require.NoError(t, err)
	links, err := s.GdcLinksOf(t.Context(), []int64{booking.RID})
	require.NoError(t, err)
	back, err := s.CountyRecordsOf(t.Context(), []int64{offender.CID})
	require.NoError(t, err)
	return []any{booking, byKey[booking.RID], cases[0], one[cases[0].Key], hearings[cases[0].Key][0], dispositions[cases[0].Key][0], offender, links[booking.RID], back[offender.CID][0]}
}

// Readers share cached records (docs/decisions/0006-record-cache.md). Every field of the schema is asked twice, and the
// records are then still the same ones with the same contents.
func TestNoFieldChangesACachedRecord(t *testing.T) {
	t.Parallel()
	b := setup(
		t, nil,
		append(linked(2),
			testdb.Case{Number: "26-CR-1", Defendant: "OKAFOR, LENA", Hearings: []testdb.Hearing{{Date: "2026-04-01"}}, Dispositions: []testdb.Disposition{{Date: "2026-05-02", Outcome: "PLEA"}}},
			testdb.CourtLink{Case: "26-CR-1", Booking: "fulton-2026-000000"})...,
	)
	b.change(t, "roster", "fulton-2026-000000", "2026-03-10T14:00:00Z", "bond_cents", new("50000"), new("250050"))
	shared, err := store.Open(t.Context(), b.db.URL, store.Options{Secret: []byte("test"), KeepRecords: 1 << 20, Now: b.store.Now})
	require.NoError(t, err)
	t.Cleanup(shared.Close)
	_, leave := shared.Changes(t.Context(), models.Roster, slog.New(slog.DiscardHandler))
	t.Cleanup(leave)
	require.Eventually(t, func() bool { _, known := shared.View(); return known }, time.Minute, time.Millisecond)
	before := cached(t, shared)

	h := graph.NewHandler(graph.NewResolver(shared, baseURL, usage{}, b.alerts(t)), transport.Options{})
	asked := 0
	for range 2 {
		for _, p := range fieldPaths(loadSchema(t), map[string]string{
			"id": `"fulton-2026-000000"`, "gdcId": `"1000000"`, "caseNumber": `"26-CR-1"`, "county": `"fulton"`, "name": `"MARLOWE, TESS"`,
		}) {
			ctx := auth.WithCaller(t.Context(), &auth.Caller{Account: b.mine, KeyID: "key_test", Scopes: models.Scopes()})
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", strings.NewReader(fmt.Sprintf(`{"query":%q}`, p.operation)))
			r.Header.Set("Content-Type", onlyJSON)
			h.ServeHTTP(httptest.NewRecorder(), r)
			asked++
		}
	}
	require.Greater(t, asked, 200)
	for i, v := range cached(t, shared) {
		require.Same(t, before[i], v, "%T is not cached: the test shows nothing of it", v)
	}
	require.Equal(t, cached(t, b.store), before, "the records are as the database has them")
	hits, _ := shared.RecordUse().Totals()
	require.Greater(t, hits, int64(asked)/4, "the fields read cached records")
}
