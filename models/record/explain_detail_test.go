package record_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/record"
	"rollcall/models/store"
)

// What hangs below records, and their history, is found by key through the views: no statement reads a table of records from
// end to end.
func TestDetailsUseTheirKeys(t *testing.T) {
	t.Parallel()
	db, store, seen := manyRecords(t,
		`insert into roster_claims (source_id, key, record, how, how_at, fingerprint, first_at, said_at, present, facts)
 select 's', id, rid, 'own', now(), 'x', now(), now(), true, '{}' from bookings`,
		`insert into corrections_claims (source_id, key, record, how, how_at, fingerprint, first_at, said_at, present, facts)
 select 'p', gdc_id, cid, 'own', now(), 'x', now(), now(), true, '{}' from corrections_records`,
		`insert into booking_charges (rid, seq, description) select rid, 1, 'D' from bookings where rid <= 8000`,
		`insert into hearings (case_id, event, date, starts_at) select id, '1', '2026-04-01', '2026-04-01' from court_cases where id <= 8000`,
		`insert into dispositions (case_id, seq, date, outcome) select id, 1, '2026-04-01', 'O' from court_cases where id <= 8000`,
		`insert into gdc_links (rid, cid, confidence, probability, origin, linked_at) select i, i, 'high', 1, 'matched', now() from generate_series(1, 8000) i`,
		`insert into court_links (case_id, rid, confidence, probability, origin, linked_at) select i, i, 'high', 1, 'matched', now() from generate_series(1, 8000) i`,
		`insert into court_links (case_id, cid, confidence, probability, origin, linked_at) select i, i, 'high', 1, 'matched', now() from generate_series(1, 8000) i`,
		`insert into record_changes (family, record, at, source_id, field) select f, i, now(), 's', 'name' from generate_series(1, 8000) i, unnest('{roster,courts,corrections}'::text[]) f`,
		`update bookings set merged_into = rid - 1 where rid % 100 = 0 and rid <= 8000`,
		`update court_cases set merged_into = id - 1 where id % 100 = 0 and id <= 8000`,
		`update corrections_records set merged_into = cid - 1 where cid % 100 = 0 and cid <= 8000`,
		`insert into decisions (family, record, kind, other, decided_at) select f, i - 1, 'merge', i, now() from generate_series(100, 8000, 100) i, unnest('{roster,courts,corrections}'::text[]) f`)
	ctx := t.Context()
	records := record.New(store.DB, 0)
	keys := []int64{99, 100, 7, 8, 9}
	kase := &models.CourtCase{Key: 99}
	history := func(f models.Family) func() error {
		return func() error { _, err := store.HistoryOf(ctx, f, keys); return err }
	}
	lastSeen := func(f models.Family) func() error {
		return func() error { _, err := store.LastSeenOf(ctx, f, keys); return err }
	}
	reported := func(f models.Family) func() error {
		return func() error { return record.SeenThen(ctx, records, f, keys, time.Now()) }
	}
	changed := func(f models.Family) func() error {
		return func() error {
			_, err := store.IndexRows(ctx, f, 1, func(*models.IndexRow) error { return nil })
			return err
		}
	}
	for name, read := range map[string]func() error{
		"charges":                      func() error { _, err := store.ChargesOf(ctx, keys); return err },
		"hearings":                     func() error { _, err := store.HearingsOf(ctx, keys); return err },
		"dispositions":                 func() error { _, err := store.DispositionsOf(ctx, keys); return err },
		"cases":                        func() error { _, err := store.CourtCasesByKeys(ctx, keys); return err },
		"links of bookings":            func() error { _, err := store.GdcLinksOf(ctx, keys); return err },
		"links of offenders":           func() error { _, err := store.CountyRecordsOf(ctx, keys); return err },
		"people of cases":              func() error { _, err := store.CourtLinksOfCases(ctx, keys); return err },
		"cases of bookings":            func() error { _, err := store.CourtLinksOfBookings(ctx, keys); return err },
		"cases of offenders":           func() error { _, err := store.CourtLinksOfRecords(ctx, keys); return err },
		"history of bookings":          history(models.Roster),
		"history of cases":             history(models.Courts),
		"history of offenders":         history(models.Corrections),
		"when bookings were seen":      lastSeen(models.Roster),
		"when cases were seen":         lastSeen(models.Courts),
		"when offenders were seen":     lastSeen(models.Corrections),
		"when bookings had been seen":  reported(models.Roster),
		"when offenders had been seen": reported(models.Corrections),
		"bookings since a generation":  changed(models.Roster),
		"cases since a generation":     changed(models.Courts),
		"offenders since a generation": changed(models.Corrections),
		"a merged booking":             func() error { _, err := store.BookingByID(ctx, "x-100"); return err },
		"cases of a number":            func() error { _, err := store.CourtCasesByNumber(ctx, "N100", nil, nil); return err },
		"the calendar of a case":       func() error { _, err := store.CalendarOf(ctx, kase); return err },
	} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // they share the tracer
			require.NoError(t, read())
			plans := []string{explained(t, db, seen)}
			if !strings.Contains(seen.SQL, "@") { // pgx has its own pool
				plans = append(plans, explainedForAny(t, db, seen))
			}
			for _, plan := range plans {
				require.NotContains(t, plan, "next_hearing", "the function is put in place")
				require.NotContains(t, plan, "Merge Join", "it reads what belongs to other keys")
				for _, table := range []string{"bookings", "court_cases", "corrections_records", "hearings", "dispositions", "booking_charges", "record_changes", "gdc_links", "court_links", "roster_claims", "corrections_claims"} {
					require.NotContains(t, plan, "Seq Scan on "+table, plan)
				}
			}
		})
	}
}

// What GORM reads by keys is planned once a connection, however often it runs (db.DB.Keyed).
func TestReadsByKeysArePlannedOnce(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, err := store.Open(t.Context(), db.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	for key := range int64(10) {
		_, err := s.HearingsOf(t.Context(), []int64{key})
		require.NoError(t, err)
	}
	var plans struct{ Custom, Generic int64 }
	require.NoError(t, s.Keyed().Raw(`select sum(custom_plans) as custom, sum(generic_plans) as generic from pg_prepared_statements
 where statement like 'SELECT "case_id",%'`).Scan(&plans).Error)
	require.Zero(t, plans.Custom)
	require.Equal(t, int64(10), plans.Generic)
}
