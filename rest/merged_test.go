package rest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestIdsThatWentWithAMergeKeepResolving(t *testing.T) {
	t.Parallel()
	b := setup(t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}, testdb.Booking{ID: "fulton-2026-000002", Name: "DOE, JANE"},
		testdb.Offender{GdcID: "1000412", Name: "DOE, JANE"}, testdb.Offender{GdcID: "1000999", Name: "DOE, JANE"},
		testdb.Case{Number: "26-CR-1", Defendant: "DOE, JANE"}, testdb.Case{Number: "26/CR 2", Defendant: "DOE, JANE"},
	)
	require.NoError(t, b.store.MergeBookings(t.Context(), "fulton-2026-000001", "fulton-2026-000002"))
	require.NoError(t, b.store.MergeCorrections(t.Context(), "1000412", "1000999"))
	caseID := func(number string) string {
		found, err := b.store.CourtCasesByNumber(t.Context(), number, nil, nil)
		require.NoError(t, err)
		return found[0].ID()
	}
	kept, gone := caseID("26-CR-1"), caseID("26/CR 2")
	require.NoError(t, b.store.MergeCases(t.Context(), kept, gone))

	for went, stayed := range map[string]string{
		"/roster/fulton-2026-000002":      "/roster/fulton-2026-000001",
		"/corrections/1000999":            "/corrections/1000412",
		"/corrections?gdc_id=1000999":     "/corrections?gdc_id=1000412",
		"/courts/26/CR%202":               "/courts/26-CR-1",
		"/courts/26%2FCR%202/":            "/courts/26-CR-1",
		"/courts?case_number=26/CR%202":   "/courts?case_number=26-CR-1",
		"/courts?case_number=26%2FCR%202": "/courts?case_number=26-CR-1",
	} {
		require.Equal(t, b.get(t, stayed).body, b.get(t, went).body, went)
	}
	require.Equal(t, 1, b.get(t, "/courts?name=doe").total(t))
	require.Equal(t, 1, b.get(t, "/roster?name=doe").total(t))
	require.Equal(t, 1, b.get(t, "/corrections?name=doe").total(t))
	for _, id := range []string{"fulton-2026-000002", "gdc-1000999", gone} {
		node, err := b.root.Query().Node(t.Context(), id)
		require.NoError(t, err, id)
		switch r := node.(type) {
		case *models.Booking:
			require.Equal(t, "fulton-2026-000001", r.ID)
		case *models.CorrectionsRecord:
			require.Equal(t, "1000412", r.GdcID)
		case *models.CourtCase:
			require.Equal(t, kept, r.ID())
		default:
			require.Fail(t, "no record", id)
		}
	}
}
