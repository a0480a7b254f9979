package migrations_test

import (
	"fmt"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"
	"time"
	_ "time/tzdata"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/migrations"
)

// Replicas start together: each may migrate, one does.
func TestUpFromManyProcesses(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	var g errgroup.Group
	for range 4 {
		g.Go(func() error { return migrations.Up(t.Context(), db.URL) })
	}
	require.NoError(t, g.Wait())
	require.NoError(t, migrations.Up(t.Context(), db.URL))

	var counties, named int
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select count(*), count(*) filter (where (slug, fips) in (('fulton', '13121'), ('ben-hill', '13017'), ('mcduffie', '13189'))) from counties`).Scan(&counties, &named))
	require.Equal(t, 159, counties)
	require.Equal(t, 3, named)
}

// The database's civil clock is that of Go's zone database at every half hour, changes of the clock included.
func TestGeorgiaClock(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	georgia, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	rows, err := db.Pool.Query(t.Context(), `select t, georgia_clock(t) from generate_series('1980-01-01 00:00+00'::timestamptz, '2032-01-01 00:00+00', '30 minutes') t`)
	require.NoError(t, err)
	var at, clock time.Time
	_, err = pgx.ForEachRow(rows, []any{&at, &clock}, func() error {
		if want := at.In(georgia).Format(time.DateTime); clock.Format(time.DateTime) != want {
			return fmt.Errorf("%s: %s, not %s", at.UTC(), clock.Format(time.DateTime), want)
		}
		return nil
	})
	require.NoError(t, err)
}

// A reason that Go knows can be stored, and the other way round; both have one order.
func TestReasonsOfTheDatabaseAreThoseOfGo(t *testing.T) {
	t.Parallel()
	var reasons []models.WithheldReason
	require.NoError(t, testdb.New(t).Pool.QueryRow(t.Context(), `select enum_range(null::withheld_reason)::text[]`).Scan(&reasons))
	require.Equal(t, models.WithheldReasons(), reasons)
	for i, reason := range reasons[1:] {
		require.True(t, reasons[i].Over(reason), reason)
	}
}

// What a database held after the first files of another chain: migrations of which this one has no file, and a record.
var anotherChain = fstest.MapFS{
	"0001_core.sql":        {Data: []byte("-- +goose Up\ncreate table bookings (id text primary key);\ninsert into bookings values ('fulton-2026-000001');\n")},
	"0056_person_keys.sql": {Data: []byte("-- +goose Up\ncreate index bookings_person on bookings (id);\n")},
}

// apply brings a database to the newest version of a chain, or to one version of it.
func apply(t *testing.T, db *testdb.DB, chain fs.FS, version int64) {
	t.Helper()
	std := stdlib.OpenDBFromPool(db.Pool)
	defer func() { require.NoError(t, std.Close()) }()
	p, err := goose.NewProvider(goose.DialectPostgres, std, chain)
	require.NoError(t, err)
	_, err = p.UpTo(t.Context(), version)
	require.NoError(t, err)
}

func TestUpLeavesADatabaseOfAnotherVersionAsItIs(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	apply(t, db, anotherChain, 56)
	state := func() (s string) {
		t.Helper()
		require.NoError(t, db.Pool.QueryRow(t.Context(), `select (select string_agg(relname, ' ' order by relname) from pg_class where relnamespace = 'public'::regnamespace)
 || (select string_agg(concat(version_id, ' ', tstamp), '; ' order by id) from goose_db_version) || (select string_agg(id, ' ') from bookings)`).Scan(&s))
		return s
	}
	before := state()
	require.ErrorIs(t, migrations.Up(t.Context(), db.URL), migrations.ErrUnknownSchema)
	require.Equal(t, before, state())
}

// A file that was rewritten under its number is another one.
func TestUpRefusesADatabaseOfAnotherText(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	require.NoError(t, migrations.Up(t.Context(), db.URL))
	run := func(sql string) {
		t.Helper()
		_, err := db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	run(`do $$ begin execute format('comment on table goose_db_version is %L',
 jsonb_set(obj_description('goose_db_version'::regclass, 'pg_class')::jsonb, '{15}', '"0123456789abcdef"')); end $$`)
	require.ErrorIs(t, migrations.Up(t.Context(), db.URL), migrations.ErrUnknownSchema)
	run(`comment on table goose_db_version is null`)
	require.ErrorIs(t, migrations.Up(t.Context(), db.URL), migrations.ErrUnknownSchema)
}

// A process that ended between two files leaves the rest to the next.
func TestUpGoesOnWhereAnotherWasCutOff(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	apply(t, db, os.DirFS("."), 15)
	require.NoError(t, migrations.KeepDigests(t.Context(), db.Pool))
	require.NoError(t, migrations.Up(t.Context(), db.URL))
	var family string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select string_agg(family, ' ' order by family) from generations`).Scan(&family))
	require.Equal(t, "corrections courts links roster", family)
	require.NoError(t, migrations.Up(t.Context(), db.URL))
}

// Charges have no reference to their booking, but go with it, and with what was merged into it.
func TestChargesOfADeletedBookingGoWithIt(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for _, sql := range []string{
		`insert into bookings (rid, id, county_id, source_id, name, name_key, booked_at, merged_into, first_seen, last_seen, last_change, gen)
 select i, 'x-' || i, 121, 's', 'N', 'n', now(), case when i = 2 then 1 end, now(), now(), now(), 1 from generate_series(1, 3) i`,
		`insert into booking_charges (rid, seq, description) select rid, 1, 'THEFT' from bookings`,
		`delete from bookings where rid = 1`,
	} {
		_, err := db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	var left []int64
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select array_agg(rid) from booking_charges`).Scan(&left))
	require.Equal(t, []int64{3}, left)
}

// Of keys that were made before makers were stored, the trail says who made them.
func TestMakersOfOlderKeysAreTakenFromTheTrail(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	apply(t, db, os.DirFS("."), 21)
	require.NoError(t, migrations.KeepDigests(t.Context(), db.Pool))
	for _, sql := range []string{
		`insert into accounts (id, name, email, plan, created_at) select 'acct_' || i, 'N', i || '@example.org', 'enterprise', now() from generate_series(1, 2) i`,
		`insert into api_keys (id, account_id, label, prefix, scopes, sha256, created_at)
 select 'key_' || i, 'acct_1', 'l' || i, 'rc_live_' || i, '{read}', sha256(i::text::bytea), now() from generate_series(1, 4) i`,
		`insert into account_events (account_id, at, actor, action, subject) values
 ('acct_1', now(), 'ann@example.org', 'key made', 'l1 (rc_live_1…)'), ('acct_1', now(), 'bob@example.org', 'key revoked', 'l1 (rc_live_1…)'),
 ('acct_1', now(), 'bob@example.org', 'key regenerated', 'l2 (rc_live_2…)'),
 ('acct_1', now(), 'command line, root', 'key made', 'l3 (rc_live_3…)'), ('acct_2', now(), 'eve@example.org', 'key made', 'l4 (rc_live_4…)')`,
	} {
		_, err := db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	require.NoError(t, migrations.Up(t.Context(), db.URL))
	var makers string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select string_agg(created_by, ', ' order by id) from api_keys`).Scan(&makers))
	require.Equal(t, "ann@example.org, bob@example.org, command line, command line", makers)
}

// The release of an event before its basis was stored is what the history says that was known then.
func TestReleasesOfOlderEventsAreNoFactsUnlessReported(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	apply(t, db, os.DirFS("."), 36)
	require.NoError(t, migrations.KeepDigests(t.Context(), db.Pool))
	for _, sql := range []string{
		`insert into sources (id, title, kind) values ('jail', 'Jail', 'roster')`,
		// 1 was reported, 2 is absent, 3 has no time, 4 was absent and was reported later, 5 was absent and came back.
		`insert into bookings (rid, id, county_id, source_id, name, name_key, booked_at, released_at, release_inferred, release_after, first_seen,
 last_seen, last_change, gen)
 select i, 'x-' || i, 1, 'jail', 'N', 'n', '2026-03-01', case when i < 4 then timestamptz '2026-03-02' when i = 4 then '2026-03-03' end, i in (2, 3),
 case when i = 2 then timestamptz '2026-03-01' end, now(), now(), now(), 1 from generate_series(1, 5) i`,
		`insert into change_batches (source_id, detected_at, watcher_rev) values ('jail', '2026-03-02', 0)`,
		`insert into changes (batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, booked_at, released_at, charges)
 select 1, 'release', '2026-03-02', 'jail', rid, id, 1, 'N', '2026-03-01', '2026-03-02', '{}' from bookings`,
		`insert into record_changes (family, record, at, source_id, field, before, after) values
 ('roster', 4, '2026-03-02', 'jail', 'release_inferred', 'false', 'true'), ('roster', 4, '2026-03-03', 'jail', 'release_inferred', 'true', 'false'),
 ('roster', 5, '2026-03-03', 'jail', 'release_inferred', 'true', 'false'), ('roster', 5, '2026-03-04', 'jail', 'release_inferred', 'false', 'true')`,
	} {
		_, err := db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	require.NoError(t, migrations.Up(t.Context(), db.URL))
	var known string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select string_agg(
 case when release_absent then 'absent' when release_inferred then 'untimed' else 'reported' end, ', ' order by rid) from changes`).Scan(&known))
	require.Equal(t, "reported, absent, untimed, absent, absent", known)
}
