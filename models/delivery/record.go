package delivery

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// RecordAttempts keeps attempts and moves their deliveries on, all or nothing, and gives the
// registrations that were disabled by it; what was under way to those is dropped.
//
// A delivery moves only while by holds it in the same round, save that a success always counts: what
// was cancelled, or taken by another process because the lease ran out, keeps its state, and the
// attempt is kept beside it.
func (s *Store) RecordAttempts(ctx context.Context, by string, results []models.DeliveryResult, health []models.WebhookHealth) (disabled []string, err error) {
	err = s.InTx(ctx, func(tx pgx.Tx) error {
		var b pgx.Batch
		s.queueResults(&b, by, results)
		queueHealth(&b, s.Now(), health, &disabled)
		return tx.SendBatch(ctx, &b).Close()
	})
	if err != nil {
		return nil, fmt.Errorf("record attempts: %w", err)
	}
	return disabled, nil
}

func (s *Store) queueResults(b *pgx.Batch, by string, results []models.DeliveryResult) {
	// In one order everywhere, so that two who lock several rows never wait for each other.
	slices.SortFunc(results, func(a, b models.DeliveryResult) int { return strings.Compare(a.ID, b.ID) })
	n := len(results)
	ids, states, reasons, classes := make([]string, n), make([]string, n), make([]*string, n), make([]string, n)
	rounds, failures, latencies := make([]int, n), make([]int, n), make([]int, n)
	nexts, ats := make([]*time.Time, n), make([]time.Time, n)
	statuses, answers, errs := make([]*int, n), make([]*string, n), make([]*string, n)
	for i, r := range results {
		ids[i], rounds[i], states[i], failures[i], nexts[i] = r.ID, r.Round, string(r.State), r.Failures, r.Next
		if r.Reason != "" {
			why := string(r.Reason)
			reasons[i] = &why
		}
		a := r.Attempt
		ats[i], statuses[i], latencies[i], classes[i], answers[i], errs[i] = a.At, a.Status, a.LatencyMS, a.Class, a.Answer, a.Error
	}
	b.Queue(`select from deliveries where id = any($1) order by id for update`, ids)
	b.Queue(`insert into attempts (delivery_id, at, status, latency_ms, class, answer, error)
 select * from unnest($1::text[], $2::timestamptz[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[])`,
		ids, ats, statuses, latencies, classes, answers, errs)
	const moves = `d.state in ('pending', 'failed') and d.round = r.round and (d.leased_by = $7 or r.state = 'delivered')`
	b.Queue(`update deliveries d set attempts = d.attempts + 1, updated_at = $8,
 state = case when `+moves+` then r.state else d.state end, reason = case when `+moves+` then r.reason else d.reason end,
 failures = case when `+moves+` then r.failures else d.failures end, next_attempt = case when `+moves+` then r.next else d.next_attempt end,
 leased_until = case when `+moves+` then null else d.leased_until end, leased_by = case when `+moves+` then null else d.leased_by end
 from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::int[], $6::timestamptz[]) r(id, round, state, reason, failures, next)
 where d.id = r.id`, ids, rounds, states, reasons, failures, nexts, by, s.Now())
}

// queueHealth changes registrations only when there is something to change: most attempts of most
// endpoints are delivered, and so were those before.
func queueHealth(b *pgx.Batch, now time.Time, health []models.WebhookHealth, disabled *[]string) {
	if len(health) == 0 {
		return
	}
	n := len(health)
	ids, worked, since, why := make([]string, n), make([]bool, n), make([]*time.Time, n), make([]string, n)
	for i, h := range health {
		ids[i], worked[i], since[i], why[i] = h.ID, h.Worked, h.FailingSince, h.Disable
	}
	b.Queue(`with news as (
  select w.id, case when n.worked then n.since else coalesce(w.failing_since, n.since) end as since
  from webhooks w join unnest($1::text[], $2::bool[], $3::timestamptz[]) n(id, worked, since) on n.id = w.id
  where w.failing_since is not null and n.worked or n.since is not null and w.failing_since is null order by w.id for update of w)
update webhooks w set failing_since = news.since from news where w.id = news.id`, ids, worked, since)
	if !slices.ContainsFunc(why, func(s string) bool { return s != "" }) {
		return
	}
	// Another process may have seen a success in between: then it has not been failing since.
	b.Queue(`with gone as (
  update webhooks w set status = 'disabled', disabled_reason = n.why from unnest($1::text[], $2::timestamptz[], $3::text[]) n(id, since, why)
  where w.id = n.id and n.why <> '' and w.status = 'active' and w.failing_since <= n.since returning w.id
), dropped as (
  update deliveries d set state = 'dropped', reason = 'disabled', next_attempt = null, updated_at = $4
  from gone where d.webhook_id = gone.id and d.state in ('pending', 'failed')
) select id from gone`, ids, since, why, now).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		*disabled = found
		return err
	})
}

// DropDeliveries ends deliveries that the process holds without an attempt.
func (s *Store) DropDeliveries(ctx context.Context, by string, ids []string, why models.DropReason) error {
	_, err := s.Pool().Exec(ctx, `update deliveries d set state = 'dropped', reason = $3, next_attempt = null, leased_until = null, leased_by = null, updated_at = $4 from (
 select id from deliveries where id = any($1) and leased_by = $2 and state in ('pending', 'failed') order by id for update) held
 where d.id = held.id`, ids, by, why, s.Now())
	if err != nil {
		return fmt.Errorf("drop deliveries: %w", err)
	}
	return nil
}

// ListenDeliveries calls heard whenever there may be something new to deliver, and once when it is
// connected. It returns when the connection or ctx ends.
func (s *Store) ListenDeliveries(ctx context.Context, heard func()) error {
	return s.Listen(ctx, db.Whenever(db.DeliveriesChannel, heard))
}
