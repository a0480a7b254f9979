package record_test

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/store"
)

// manyRecords opens a store whose statements seen has, on a database of forty thousand records of each family.
func manyRecords(t *testing.T, more ...string) (*testdb.DB, *store.Store, *modelstest.LastStatement) {
	t.Helper()
	db := testdb.New(t)
	ctx := t.Context()
	seen := &modelstest.LastStatement{}
	store, err := store.Open(ctx, db.URL, store.Options{Tracer: seen})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	for _, sql := range []string{
		`insert into sources (id, title, kind) values ('s', 'S', 'roster'), ('c', 'C', 'courts'), ('p', 'P', 'corrections')`,
		`insert into bookings (id, county_id, source_id, name, name_key, booked_at, released_at, first_seen, last_seen, last_change, gen)
 select 'x-' || i, 1 + 2 * (i % 20), 's', 'N' || i, 'first' || md5(i::text) || ' last' || md5((i / 3)::text), '2026-01-01'::timestamptz - i * interval '7 minutes',
 case when i % 3 > 0 then now() end, now(), now(), '2026-01-01'::timestamptz - i * interval '1 minute', 1 from generate_series(1, 40000) i`,
		`insert into court_cases (county_id, court_type, case_number, source_id, defendant, name_key, offense, filed_date, status, snapshot_at, first_seen, last_seen, last_change, gen)
 select 1 + 2 * (i % 20), (array['state', 'superior', 'magistrate', 'warrants'])[1 + i % 4], 'N' || i, 'c', 'D', md5(i::text), 'O', date '2026-01-01' - i / 20,
 (array['pending', 'closed', 'warrant'])[1 + i % 3], now(), now(), now(), '2026-01-01'::timestamptz - i * interval '1 minute', 1 from generate_series(1, 40000) i`,
		`insert into corrections_records (gdc_id, source_id, name, name_key, category, categories, status, first_seen, last_seen, last_change, gen)
 select i, 'p', 'N', md5(i::text), (array['offender', 'parolee', 'sex_offender'])[1 + i % 3], '{offender}', (array['incarcerated', 'paroled', 'released'])[1 + i / 7 % 3],
 now(), now(), '2026-01-01'::timestamptz - i * interval '1 minute', 1 from generate_series(1, 40000) i`,
	} {
		_, err := db.Pool.Exec(ctx, sql)
		require.NoError(t, err)
	}
	for _, sql := range append(more, `analyze`) {
		_, err := db.Pool.Exec(ctx, sql)
		require.NoError(t, err)
	}
	return db, store, seen
}

// explained returns the plan of the statement that a store ran last.
func explained(t *testing.T, db *testdb.DB, seen *modelstest.LastStatement) string {
	t.Helper()
	args := seen.Args
	if len(args) > 0 {
		if _, mode := args[0].(pgx.QueryExecMode); mode {
			args = args[1:]
		}
	}
	rows, err := db.Pool.Query(t.Context(), "explain "+seen.SQL, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(lines, "\n")
}

// placeholder is that of an argument.
var placeholder = regexp.MustCompile(`\$\d+`)

// explainedForAny returns the plan of the statement that a store ran last whatever its arguments are, as Keyed has it.
func explainedForAny(t *testing.T, db *testdb.DB, seen *modelstest.LastStatement) string {
	t.Helper()
	conn, err := db.Pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(t.Context(), "set plan_cache_mode = force_generic_plan; prepare any_keys as "+seen.SQL)
	require.NoError(t, err)
	defer func() {
		_, err := conn.Exec(t.Context(), "reset plan_cache_mode; deallocate any_keys")
		require.NoError(t, err)
	}()
	most := slices.MaxFunc(placeholder.FindAllString(seen.SQL, -1), func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	n, err := strconv.Atoi(most[1:])
	require.NoError(t, err)
	nulls := strings.TrimSuffix(strings.Repeat("null,", n), ",")
	rows, err := conn.Query(t.Context(), "explain execute any_keys("+nulls+")", pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(lines, "\n")
}

// Every list has its index: on many rows no list reads a table from end to end.
func TestListsUseTheirIndexes(t *testing.T) {
	t.Parallel()
	db, store, seen := manyRecords(t)
	ctx := t.Context()
	page := models.Page{Limit: 50}
	fulton := "appling"
	since := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(-time.Hour)
	roster := func(f models.RosterFilter) func() error {
		return func() error { _, err := store.ListBookings(ctx, f, page); return err }
	}
	appling, err := store.Counties().BySlug(fulton)
	require.NoError(t, err)
	people := func(county *models.County) func() error {
		return func() error {
			return store.PeopleBookedSince(ctx, time.Date(2025, 12, 2, 0, 0, 0, 0, time.UTC), county, func(*models.BookedPerson) bool { return true })
		}
	}
	courts := func(f models.CourtFilter) func() error {
		return func() error { _, err := store.ListCourtCases(ctx, f, page); return err }
	}
	corrections := func(f models.CorrectionsFilter) func() error {
		return func() error { _, err := store.ListCorrections(ctx, f, page); return err }
	}
	reviews := func(decided bool) func() error {
		return func() error { _, _, err := store.Reviews(ctx, decided, "", 100); return err }
	}
	for name, c := range map[string]struct {
		list  func() error
		index string
	}{
		"newest bookings":             {roster(models.RosterFilter{}), "bookings_newest"},
		"bookings of a county":        {roster(models.RosterFilter{County: &fulton}), "bookings_county"},
		"booked in a county":          {roster(models.RosterFilter{County: &fulton, Status: new(models.Booked)}), "bookings_county_status"},
		"everybody booked":            {roster(models.RosterFilter{Status: new(models.Booked)}), "bookings_status"},
		"bookings of some days":       {roster(models.RosterFilter{FromDate: modelstest.Day(t, "2025-10-01"), ToDate: modelstest.Day(t, "2025-10-03")}), "bookings_newest"},
		"bookings by name":            {roster(models.RosterFilter{Name: new("c4ca4238a0b9 first")}), "bookings_name"},
		"bookings changed since":      {roster(models.RosterFilter{UpdatedSince: &since}), "bookings_changed"},
		"people booked lately":        {people(nil), "bookings_newest"},
		"people booked in a county":   {people(appling), "bookings_county"},
		"cases changed since":         {courts(models.CourtFilter{UpdatedSince: &since}), "court_cases_changed"},
		"offenders changed since":     {corrections(models.CorrectionsFilter{UpdatedSince: &since}), "corrections_changed"},
		"latest cases":                {courts(models.CourtFilter{}), "court_cases_newest"},
		"cases of a county":           {courts(models.CourtFilter{County: &fulton}), "court_cases_county"},
		"cases of a kind of court":    {courts(models.CourtFilter{CourtType: new(models.WarrantsCourt)}), "court_cases_type"},
		"cases by status":             {courts(models.CourtFilter{Status: new(models.WarrantCase)}), "court_cases_status"},
		"cases by the number's start": {courts(models.CourtFilter{CaseNumberStart: new("N77")}), "court_cases_number"},
		"cases by number":             {courts(models.CourtFilter{CaseNumber: new("N77")}), "court_cases_number"},
		"cases by defendant":          {courts(models.CourtFilter{Name: new("c4ca4238a0b9")}), "court_cases_name"},
		"records that wait":           {reviews(false), "bookings_review"},
		"records decided about":       {reviews(true), "bookings_review"},
		"offenders by name":           {corrections(models.CorrectionsFilter{}), "corrections_by_name"},
		"offenders of a category":     {corrections(models.CorrectionsFilter{Category: new(models.Parolee)}), "corrections_by_category"},
		"offenders of a status":       {corrections(models.CorrectionsFilter{Status: new(models.Paroled)}), "corrections_by_status"},
		"offenders with part of name": {corrections(models.CorrectionsFilter{Name: new("c4ca4238a0b9")}), "corrections_name"},
	} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // they share the tracer
			require.NoError(t, c.list())
			last := seen
			if strings.Contains(last.Before.SQL, " like ") { // it found the candidates of a name, and the rows were read by key
				last = last.Before
			}
			plan := explained(t, db, last)
			require.Contains(t, plan, c.index, plan)
			for _, table := range []string{"bookings", "court_cases", "corrections_records"} {
				require.NotContains(t, plan, "Seq Scan on "+table, plan)
			}
		})
	}
}

// What a snapshot reckons for each of its rows is reckoned in place. A function that is called for each costs ten times as much.
func TestWhatIsReckonedForEachRowIsNoCall(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for _, function := range []string{"georgia_clock(booked_at)", "record_number(rid)"} {
		rows, err := db.Pool.Query(t.Context(), `explain (verbose) select `+function+` from bookings`)
		require.NoError(t, err)
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		name, _, _ := strings.Cut(function, "(")
		require.NotContains(t, strings.Join(plan, "\n"), name)
	}
	var none bool
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select georgia_clock(null) is null and record_number(null) is null`).Scan(&none))
	require.True(t, none)
}
