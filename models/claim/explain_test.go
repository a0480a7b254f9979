package claim

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/claim/internal/engine"
)

// Causes are looked for in every run. Each statement begins with the few records that are withheld or were written, and finds
// the others by an index, however many there are.
func TestCausesBeginWithTheFew(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx := t.Context()
	for _, sql := range []string{
		`insert into sources (id, title, kind) values ('s', 'S', 'roster'), ('c', 'C', 'courts')`,
		`insert into bookings (rid, id, county_id, source_id, name, name_key, birth_year, booked_at, withheld, first_seen, last_seen, last_change, gen)
 select i, 'x-' || i, 1 + 2 * (i % 20), 's', 'N' || i, 'first' || i || ' last' || i / 3, case when i % 5 = 0 then 1980 end, '2026-01-01'::timestamptz - i * interval '7 minutes',
 case when i % 2000 = 0 then 'juvenile'::withheld_reason end, now(), now(), now(), i / 100 from generate_series(1, 40000) i`,
		`insert into roster_claims (source_id, key, record, county_id, how, how_at, fingerprint, first_at, said_at, present, person_key, number, facts)
 select 's', id, rid, county_id, 'own', now(), 'x', now(), now(), true, 'P' || rid / 2, 'B' || rid, '{}' from bookings`,
		`insert into court_cases (id, county_id, court_type, case_number, source_id, defendant, name_key, offense, filed_date, status, booking_key, birth_year, snapshot_at, first_seen, last_seen, last_change, gen)
 select i, 1 + 2 * (i % 20), 'state', 'N' || i, 'c', 'D', 'd', 'O', date '2026-01-01' - i / 20, 'pending', 'B-' || i, 1980, now(), now(), now(), now(), 1 from generate_series(1, 40000) i`,
		`analyze`,
	} {
		_, err := db.Pool.Exec(ctx, sql)
		require.NoError(t, err)
	}
	written, few := []int64{100, 200, 300}, []int64{1, 2, 3}
	for name, c := range map[string]struct {
		family models.Family
		args   engine.Args
	}{
		"any_near":          {models.Roster, nil},
		"affected_bookings": {models.Roster, engine.Args{"counties": []int16{1, 3}, "gen": 17, "records": written, "cases": few}},
		"causes_of":         {models.Roster, engine.Args{"records": written}},
		"withheld_bookings": {models.Roster, engine.Args{"gen": 17}},
		"counties_at_hand":  {models.Roster, engine.Args{"gen": 17, "records": written, "cases": few}},
		"cases_of_bookings": {models.Courts, engine.Args{"bookings": written}},
		"case_causes": {models.Courts, engine.Args{
			"records": few, "counties": []int16{1, 3, 5}, "courts": []string{"state", "state", "state"}, "numbers": []string{"N1", "N2", "N3"},
			"parties": []string{"1", "1", "1"}, "bookings": []string{"B1", "B2", "B3"},
		}},
		"claims_by_key":    {models.Roster, engine.Args{"source": "s", "keys": []string{"x-1", "x-2"}}},
		"claims_by_record": {models.Roster, engine.Args{"records": written}},
		"decisions":        {models.Roster, engine.Args{"family": "roster", "records": written}},
		"load_bookings":    {models.Roster, engine.Args{"records": written}},
		"disputed_records": {models.Roster, engine.Args{"source": "s"}},
		"baseline":         {models.Roster, engine.Args{"source": "s", "now": time.Now()}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tx, err := db.Pool.Begin(ctx)
			require.NoError(t, err)
			defer func() { require.NoError(t, tx.Rollback(ctx)) }()
			_, err = tx.Exec(ctx, families[c.family].Statements().Get("create_incoming"))
			require.NoError(t, err)
			rows, err := tx.Query(ctx, "explain "+families[c.family].Statements().Get(name), pgx.QueryExecModeSimpleProtocol, c.args)
			require.NoError(t, err)
			lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
			require.NoError(t, err)
			plan := strings.Join(lines, "\n")
			for _, table := range []string{"bookings", "court_cases", "roster_claims"} {
				require.NotContains(t, plan, "Seq Scan on "+table, plan)
			}
		})
	}
}
