package rest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIdsOfMergedRecordsKeepWorking(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	require.NoError(t, b.store.MergeBookings(t.Context(), "fulton-2025-004711", "fulton-2019-000042"))
	require.NoError(t, b.store.MergeCorrections(t.Context(), "1000412", "1000977"))
	for gone, kept := range map[string]string{"/roster/fulton-2019-000042": "/roster/fulton-2025-004711", "/corrections/1000977": "/corrections/1000412"} {
		r := b.get(t, gone)
		require.Equal(t, http.StatusOK, r.status, r.body)
		require.Equal(t, b.get(t, kept).body, r.body)
	}
	require.Equal(t, []string{"ben-hill-2026-000123", "fulton-2025-004711"}, b.get(t, "/roster").ids(t, "id"))
	require.JSONEq(t, `{"id": "fulton-2025-004711"}`, string(b.ask(t, `rosterRecord(id: "fulton-2019-000042") { id }`)))
	require.JSONEq(t, `{"gdcId": "1000412"}`, string(b.ask(t, `correctionsRecord(gdcId: "1000977") { gdcId }`)))
	require.JSONEq(t, `{"id": "fulton-2025-004711"}`, string(b.ask(t, `node(id: "fulton-2019-000042") { id }`)))
}
