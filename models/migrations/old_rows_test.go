package migrations_test

import (
	"database/sql"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models/migrations"
)

// before gives a database as it was after a migration, for rows of that time. It is migrated on by migrations.Up.
func before(t *testing.T, version int64) *testdb.DB {
	t.Helper()
	db := testdb.NewEmpty(t)
	std := stdlib.OpenDBFromPool(db.Pool)
	defer func() { require.NoError(t, std.Close()) }()
	up(t, std, version)
	return db
}

func up(t *testing.T, db *sql.DB, version int64) {
	t.Helper()
	p, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("."))
	require.NoError(t, err)
	_, err = p.UpTo(t.Context(), version)
	require.NoError(t, err)
}

// Migration 0044: what was there before is known since the run whose snapshot told of it first, and never since later
// than its first version or its last change.
func TestOldRecordsAreKnownSinceTheRunThatToldOfThem(t *testing.T) {
	t.Parallel()
	db := before(t, 43)
	exec := func(text string, args ...any) {
		t.Helper()
		_, err := db.Pool.Exec(t.Context(), text, args...)
		require.NoError(t, err, text)
	}
	at := func(day, hour int) time.Time { return time.Date(2026, 3, day, hour, 0, 0, 0, time.UTC) }
	exec(`insert into sources (id, title, kind) values ('jail', 'Jail', 'roster'), ('court', 'Court', 'courts'), ('prison', 'Prison', 'corrections'), ('silent', 'Silent', 'roster')`)
	for _, source := range []string{"jail", "court", "prison"} {
		// Snapshots of the 1st, 2nd and 3rd; that of the 2nd was read at once, the others late, and one was held.
		exec(`insert into runs (source_id, state, started_at, snapshot_at) values ($1, 'held', $2, $3), ($1, 'ok', $4, $3), ($1, 'partial', $5, $6), ($1, 'failed', $7, null), ($1, 'ok', $8, $9)`,
			source, at(1, 7), at(1, 6), at(1, 20), at(2, 6), at(2, 6), at(2, 12), at(9, 9), at(3, 6))
	}
	booking := func(id, source string, seen, changed time.Time) {
		exec(`insert into bookings (id, county_id, source_id, name, name_key, booked_at, first_seen, last_seen, last_change, gen) values ($1, 121, $2, 'MOONSAIL, ORLA', 'moonsail orla', $3, $3, $3, $4, 1)`, id, source, seen, changed)
	}
	booking("b-first", "jail", at(1, 6), at(20, 0))
	booking("b-second", "jail", at(2, 6), at(20, 0))
	booking("b-late", "jail", at(3, 6), at(20, 0))
	booking("b-versioned", "jail", at(3, 6), at(20, 0))
	booking("b-changed", "jail", at(3, 6), at(5, 0))
	booking("b-untold", "jail", at(4, 6), at(20, 0))
	booking("b-silent", "silent", at(1, 6), at(6, 0))
	exec(`insert into record_changes (family, record, at, source_id, field) select 'roster', rid, $1::timestamptz + n * interval '1 day', 'jail', 'name' from bookings, generate_series(0, 1) n where id = 'b-versioned'`, at(4, 0))
	exec(`insert into court_cases (county_id, court_type, case_number, party, source_id, defendant, name_key, offense, filed_date, status, snapshot_at, first_seen, last_seen, last_change, gen)
 select 121, 'state', 'C-' || d, '1', 'court', 'MOONSAIL, ORLA', 'moonsail orla', 'DUI', '2026-01-01', 'pending', s, s, s, $3, 1 from (values (1, $1::timestamptz), (3, $2::timestamptz)) v (d, s)`, at(1, 6), at(3, 6), at(20, 0))
	exec(`insert into record_changes (family, record, at, source_id, field) select 'courts', id, $1, 'court', 'judge' from court_cases where case_number = 'C-3'`, at(4, 0))
	exec(`insert into corrections_records (gdc_id, source_id, name, name_key, category, categories, status, snapshot_at, first_seen, last_seen, last_change, gen)
 select 'G' || d, 'prison', 'MOONSAIL, ORLA', 'moonsail orla', 'offender', '{offender}', 'released', s, s, s, $3, 1 from (values (1, $1::timestamptz), (3, $2::timestamptz)) v (d, s)`, at(1, 6), at(3, 6), at(20, 0))
	exec(`insert into record_changes (family, record, at, source_id, field) select 'corrections', cid, $1, 'prison', 'status' from corrections_records where gdc_id = 'G3'`, at(4, 0))

	require.NoError(t, migrations.Up(t.Context(), db.URL))
	known := map[string]time.Time{}
	rows, err := db.Pool.Query(t.Context(), `select id, known_at from bookings union all select case_number, known_at from court_cases union all select gdc_id, known_at from corrections_records`)
	require.NoError(t, err)
	var id string
	var when time.Time
	_, err = pgx.ForEachRow(rows, []any{&id, &when}, func() error {
		known[id] = when.UTC()
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, map[string]time.Time{
		"b-first": at(1, 20), "b-second": at(2, 6), "b-late": at(9, 9), "b-versioned": at(4, 0), "b-changed": at(5, 0),
		"b-untold": at(20, 0), "b-silent": at(6, 0), // no run speaks for these: the oldest that is known of them
		"C-1": at(1, 20), "C-3": at(4, 0), "G1": at(1, 20), "G3": at(4, 0),
	}, known)
}

// Migrations 0053 and 0054: an offense that is none of a case's charges was its own, and names are found by plain letters.
func TestOldCasesKeepTheirOffensesAndOldNamesAreFoundByPlainLetters(t *testing.T) {
	t.Parallel()
	db := before(t, 52)
	exec := func(text string, args ...any) {
		t.Helper()
		_, err := db.Pool.Exec(t.Context(), text, args...)
		require.NoError(t, err, text)
	}
	exec(`insert into sources (id, title, kind) values ('jail', 'Jail', 'roster'), ('court', 'Court', 'courts')`)
	exec(`insert into court_cases (county_id, court_type, case_number, party, source_id, defendant, name_key, offense, filed_date, status, snapshot_at, first_seen, last_seen, known_at, last_change, gen)
 select 121, 'state', o, '1', 'court', 'SØRENSEN, ÞÓRA', 'sørensen þora', case o when 'none' then '' else o end, '2026-01-01', 'pending', now(), now(), now(), now(), now(), 1 from unnest('{DUI,ARSON,none}'::text[]) o`)
	exec(`insert into case_charges (case_id, seq, description, snapshot_at) select id, 1, 'DUI', now() from court_cases`)
	exec(`insert into bookings (id, county_id, source_id, name, name_key, booked_at, first_seen, last_seen, known_at, last_change, gen) select n, 121, 'jail', n, n, now(), now(), now(), now(), now(), 1 from unnest('{moonsail orla,łukasz æ}'::text[]) n`)

	require.NoError(t, migrations.Up(t.Context(), db.URL))
	text := func(query string) (s string) {
		t.Helper()
		require.NoError(t, db.Pool.QueryRow(t.Context(), query).Scan(&s))
		return s
	}
	require.Equal(t, "ARSON", text(`select string_agg(case_number, ', ') from court_cases where offense_own`))
	require.Equal(t, "sorensen thora", text(`select distinct name_key from court_cases`))
	require.Equal(t, "lukasz ae, moonsail orla", text(`select string_agg(name_key, ', ' order by name_key) from bookings`))
}

// Migration 0055: of bookings that several sources told of before their words were noted, the next row that is told as before notes them.
func TestOldWordsOfSharedBookingsAreNotKnown(t *testing.T) {
	t.Parallel()
	db := before(t, 54)
	exec := func(text string) {
		t.Helper()
		_, err := db.Pool.Exec(t.Context(), text)
		require.NoError(t, err, text)
	}
	exec(`insert into sources (id, title, kind) values ('jail', 'Jail', 'roster'), ('office', 'Office', 'roster')`)
	exec(`insert into bookings (id, county_id, source_id, name, name_key, booked_at, first_seen, last_seen, last_change, gen) select id, 121, 'jail', 'MOONSAIL, ORLA', 'moonsail orla', now(), now(), now(), now(), 1 from unnest('{shared,known,own}'::text[]) id`)
	exec(`insert into sightings (source_id, booking_key, rid, print, snapshot_at, told) select source, id, rid, '', now(), case when id = 'known' then '{5}'::text[] end from bookings, unnest('{jail,office}'::text[]) source where source = 'jail' or id <> 'own'`)
	require.NoError(t, migrations.Up(t.Context(), db.URL))
	var told string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select string_agg(concat_ws(' ', source_id, booking_key, coalesce(told::text, '-')), '; ' order by source_id, booking_key) from sightings`).Scan(&told))
	require.Equal(t, "jail known {5}; jail own -; jail shared {}; office known {5}; office shared {}", told)
}
