package alert_test

import (
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

// Every list of alerts has its index: on many rows none reads a table from end to end.
func TestListsOfAlertsUseTheirIndexes(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx := t.Context()
	seen := &modelstest.LastStatement{}
	store, err := store.Open(ctx, db.URL, store.Options{Tracer: seen})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	for _, sql := range []string{
		`insert into accounts (id, name, email, plan, created_at) select 'a' || i, 'A', 'a' || i || '@example.org', 'enterprise', now() from generate_series(0, 9) i`,
		`insert into sources (id, title, kind) values ('s', 'S', 'roster')`,
		`insert into bookings (rid, id, county_id, source_id, name, name_key, booked_at, first_seen, last_seen, last_change, gen) select i, i, 1, 's', 'N', 'n', now(), now(), now(), now(), 1 from generate_series(1, 5000) i`,
		`insert into watchers (id, account_id, name, events, created_at) select 'w' || i, 'a' || i % 10, 'N', '{booking}', now() - i * interval '1 second' from generate_series(0, 4999) i`,
		`insert into change_batches (source_id, detected_at, watcher_rev) values ('s', now(), 0)`,
		`insert into changes (batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, booked_at, charges, matched_at) select 1, 'booking', now(), 's', i, i, 1, 'N', now(), '{}', now() from generate_series(1, 5000) i`,
		`insert into hits (id, account_id, watcher_id, rid, probability, reasons, at) select 'h' || i, 'a' || i % 10, 'w' || i % 100, 1 + i, 1, '{}', now() - i * interval '1 second' from generate_series(0, 4999) i`,
		`insert into events (id, account_id, kind, change_id, watcher_id, rid, hit_id, at, created_at) select 'e' || i, 'a' || i % 10, 'booking', 1 + i, 'w' || i % 100, 1 + i, 'h' || i, now(), now() from generate_series(0, 4999) i`,
		`insert into webhooks (id, account_id, url, events, created_at) select 'k' || i, 'a' || i % 10, 'https://example.org', '{booking}', now() from generate_series(0, 99) i`,
		`insert into deliveries (id, account_id, webhook_id, event_id, message_id, watcher_id, kind, body, state, next_attempt, created_at, updated_at)
 select 'd' || i, 'a' || i % 10, 'k' || i % 100, 'e' || i, 'e' || i, 'w' || i % 100, 'booking', '', case when i % 50 = 0 then 'pending' else 'delivered' end, case when i % 50 = 0 then now() end, now() - i * interval '1 second', now() from generate_series(0, 4999) i`,
		`analyze`,
	} {
		_, err := db.Pool.Exec(ctx, sql)
		require.NoError(t, err, sql)
	}
	page := models.Page{Limit: 20}
	list := func(f models.DeliveryFilter) func() error {
		return func() error { _, err := store.Deliveries(ctx, "a1", f, page); return err }
	}
	for name, c := range map[string]struct {
		list  func() error
		index string
	}{
		"watchers of an account":     {func() error { _, err := store.Watchers(ctx, "a1", page); return err }, "watchers_account"},
		"watchers since a revision":  {func() error { _, err := store.WatchersSince(ctx, 4990, 100, false); return err }, "watchers_rev"},
		"hits of a watcher":          {func() error { _, err := store.Hits(ctx, "a1", "w1", page); return err }, "hits_watcher"},
		"deliveries of an account":   {list(models.DeliveryFilter{}), "deliveries_account"},
		"deliveries of a webhook":    {list(models.DeliveryFilter{WebhookID: new("k1")}), "deliveries_webhook"},
		"deliveries of a watcher":    {list(models.DeliveryFilter{WatcherID: new("w1")}), "deliveries_watcher"},
		"open deliveries":            {list(models.DeliveryFilter{State: new(models.DeliveryPending)}), "deliveries_"},
		"changes that nobody took":   {func() error { _, err := store.HasOpenChanges(ctx, time.Minute); return err }, "changes_open"},
		"events after a number":      {func() error { _, err := store.EventsAfter(ctx, "a1", 10, 20); return err }, "events_account"},
		"notices after a number":     {func() error { _, err := store.NoticesAfter(ctx, "a1", 10, 20); return err }, "events_account"},
		"hits of an account":         {func() error { return store.EachHit(ctx, "a1", nil, func(*models.FoundHit) error { return nil }) }, "hits_"},
		"hits after one":             {func() error { _, err := store.Hits(ctx, "a1", "w1", models.Page{Limit: 20, After: "h1"}); return err }, "hits_watcher"},
		"an inbox":                   {func() error { _, err := store.Inbox(ctx, "a1", models.HitFilter{}, page); return err }, "hits_"},
		"unread hits of an account":  {func() error { _, err := store.UnreadHits(ctx, "a1", 100); return err }, "hits_state"},
		"newest events":              {func() error { _, err := store.LatestEvents(ctx, "a1", 20); return err }, "events_account"},
		"events of an account after": {func() error { _, _, err := store.LastEvent(ctx, "a1"); return err }, "events_account"},
	} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // they share the tracer
			require.NoError(t, c.list())
			rows, err := db.Pool.Query(ctx, "explain "+seen.SQL, append([]any{pgx.QueryExecModeSimpleProtocol}, seen.Args...)...)
			require.NoError(t, err)
			lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
			require.NoError(t, err)
			plan := strings.Join(lines, "\n")
			require.Contains(t, plan, c.index, plan)
			for _, table := range []string{"watchers", "hits", "events", "deliveries", "changes"} {
				require.NotContains(t, plan, "Seq Scan on "+table, plan)
			}
		})
	}
}
