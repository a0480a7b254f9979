package mirror_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/mirror"
	"rollcall/models/store"
)

// A page of changes reads no table from end to end, though a first load gives eight thousand records one generation.
func TestChangesUseTheirIndexes(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	seen := &modelstest.LastStatement{}
	s, err := store.Open(t.Context(), db.URL, store.Options{Tracer: seen})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	for _, sql := range []string{
		`insert into sources (id, title, kind) values ('s', 'S', 'roster'), ('c', 'C', 'courts'), ('p', 'P', 'corrections')`,
		`insert into bookings (id, county_id, source_id, name, name_key, booked_at, first_seen, last_seen, last_change, gen)
 select 'x-' || i, 1 + 2 * (i % 20), 's', 'N' || i, 'n' || i, now(), now(), now(), now(), 1 from generate_series(1, 8000) i`,
		`insert into court_cases (county_id, court_type, case_number, source_id, defendant, name_key, offense, filed_date, status, snapshot_at, first_seen, last_seen, last_change, gen)
 select 1 + 2 * (i % 20), 'state', 'N' || i, 'c', 'D', 'n' || i, 'O', '2026-01-01', 'pending', now(), now(), now(), now(), 1 from generate_series(1, 8000) i`,
		`insert into corrections_records (gdc_id, source_id, name, name_key, category, categories, status, first_seen, last_seen, last_change, gen)
 select i, 'p', 'N', 'n' || i, 'offender', '{offender}', 'incarcerated', now(), now(), now(), 1 from generate_series(1, 8000) i`,
		`insert into tombstones (family, gen, record, id, gone) select f, 1, -i, 'gone-' || i, true from generate_series(1, 5000) i, unnest(array['roster', 'courts', 'corrections']) f`,
		`update generations set gen = 1`,
		`analyze`,
	} {
		_, err := db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	for f, indexes := range map[models.Family][]string{
		models.Roster: {"bookings_gen", "bookings_pkey"}, models.Courts: {"court_cases_gen", "court_cases_pkey"}, models.Corrections: {"corrections_gen", "corrections_records_pkey"},
	} {
		ask := mirror.Ask{Families: []models.Family{f}, First: 100}
		for _, place := range []string{"at the beginning", "after a page"} {
			page, err := s.ChangesAfter(t.Context(), ask)
			require.NoError(t, err)
			require.Len(t, page.Changes, 100)
			require.True(t, page.PageInfo.HasNextPage)
			plan := explained(t, db, seen)
			require.NotContains(t, plan, "Seq Scan on bookings", place)
			require.NotContains(t, plan, "Seq Scan on court_cases", place)
			require.NotContains(t, plan, "Seq Scan on corrections", place)
			require.NotContains(t, plan, "Seq Scan on tombstones", place)
			for _, index := range append(indexes, "tombstones_pkey") {
				require.Contains(t, plan, index, place)
			}
			end, err := page.PageInfo.EndCursor()
			require.NoError(t, err)
			ask.After = *end
		}
	}
}

// explained returns the plan of the statement that a store ran last.
func explained(t *testing.T, db *testdb.DB, seen *modelstest.LastStatement) string {
	t.Helper()
	rows, err := db.Pool.Query(t.Context(), "explain "+seen.SQL, append([]any{pgx.QueryExecModeSimpleProtocol}, seen.Args...)...)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(lines, "\n")
}
