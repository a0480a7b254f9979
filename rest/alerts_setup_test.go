package rest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// addAlerts stores a little of everything that belongs to alerts, under ids that stay the same. The
// events' times lie before the test's now.
func (b *bundle) addAlerts(tb testing.TB) {
	tb.Helper()
	for _, sql := range []string{
		`insert into watchers (id, account_id, name, county_id, events, level, dob, birth_year, label, note, paused, created_at) values
 ('alrt_1', $1, 'Jane Doe', null, '{booking,release,bond_change}', 'normal', null, null, null, null, false, '2026-03-01T10:00:00Z'),
 ('alrt_2', $1, 'O''Brien-Núñez, John', (select id from counties where slug = 'fulton'), '{release}', 'wide', '1984-02-29', 1984, 'desk 4', 'ask Ann', true, '2026-03-02T10:00:00Z')`,
		`insert into change_batches (source_id, detected_at, watcher_rev) values ('jail', '2026-03-08T06:35:00Z', 0)`,
		`insert into changes (batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, booked_at, charges)
 select c.id, 'booking', c.detected_at, 'jail', b.rid, b.id, b.county_id, b.name, b.booked_at, b.charges from bookings b, change_batches c
 where b.id in ('ben-hill-2026-000123', 'fulton-2019-000042') and $1 <> ''`,
		`insert into hits (id, account_id, watcher_id, rid, probability, reasons, at, feedback)
 select h.id, $1, h.watcher, b.rid, h.p, h.reasons, h.at, h.feedback from bookings b join (values
 ('hit_1', 'alrt_1', 'ben-hill-2026-000123', 0.9712, array['surname agrees', 'given name agrees'], '2026-03-08T06:35:00Z'::timestamptz, null),
 ('hit_2', 'alrt_2', 'fulton-2019-000042', 0.9000, array['surname agrees'], '2026-03-07T06:35:00Z'::timestamptz, 'unsure')) h(id, watcher, booking, p, reasons, at, feedback)
 on b.id = h.booking`,
		`insert into events (id, account_id, kind, change_id, watcher_id, rid, hit_id, level, probability, reasons, at, created_at)
 select 'evt_' || right(h.id, 1), $1, 'booking', c.id, h.watcher_id, h.rid, h.id, 'normal', h.probability, h.reasons, c.detected_at, c.detected_at from hits h join changes c on c.rid = h.rid order by h.id`,
		`insert into webhooks (id, account_id, url, events, payload_version, notices, paused, status, disabled_reason, created_at) values
 ('wh_1', $1, 'https://hooks.desk.example/rollcall', '{booking,release,bond_change}', 1, '{}', false, 'active', null, '2026-03-01T10:05:00Z'),
 ('wh_2', $1, 'https://hooks.desk.example:8443/v2?desk=4', '{release}', 2, '{retraction,sealed}', false, 'active', null, '2026-03-02T10:05:00Z'),
 ('wh_3', $1, 'https://old.desk.example/', '{booking}', 1, '{}', true, 'disabled', 'every attempt of the last five days failed', '2026-03-03T10:05:00Z')`,
		`insert into deliveries (id, account_id, webhook_id, event_id, message_id, watcher_id, kind, body, state, reason, attempts, failures, next_attempt, created_at, updated_at) values
 ('dlv_1', $1, 'wh_1', 'evt_1', 'evt_1', 'alrt_1', 'booking', '{"event":"booking"}', 'failed', null, 1, 1, '2026-03-10T15:00:30Z', '2026-03-10T14:59:59Z', '2026-03-10T15:00:00Z'),
 ('dlv_2', $1, 'wh_1', null, 'evt_test', null, 'booking', '{"event":"booking"}', 'delivered', null, 1, 0, null, '2026-03-09T10:00:00Z', '2026-03-09T10:00:01Z'),
 ('dlv_3', $1, 'wh_2', 'evt_1', 'evt_1', 'alrt_1', 'booking', '{"event":"booking"}', 'dropped', 'exhausted', 4, 4, null, '2026-03-08T06:35:01Z', '2026-03-08T07:15:00Z')`,
		`insert into attempts (delivery_id, at, status, latency_ms, class, answer, error)
 select d, at::timestamptz, status, ms, class, answer, error from (values ('dlv_1', '2026-03-10T15:00:00Z', null::int, 5000, 'timeout', null, 'no answer within 5s'),
 ('dlv_2', '2026-03-09T10:00:00Z', 200, 84, 'delivered', 'ok', null), ('dlv_3', '2026-03-08T06:35:01Z', 500, 120, 'status', 'oops', 'answered 500 Internal Server Error')) v(d, at, status, ms, class, answer, error)
 where $1 <> ''`,
	} {
		_, err := b.db.Pool.Exec(tb.Context(), sql, b.argsOf(sql)...)
		require.NoError(tb, err, sql)
	}
}

// argsOf gives the account to those statements that take it.
func (b *bundle) argsOf(sql string) []any {
	for i := range len(sql) - 1 {
		if sql[i:i+2] == "$1" {
			return []any{b.mine.ID}
		}
	}
	return nil
}
