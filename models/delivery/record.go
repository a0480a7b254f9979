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

// RecordAttempts stores attempts and moves their deliveries on, all or nothing. It returns the ids of the
// endpoints that were disabled by it; what was under way to those is dropped.
//
// A delivery moves only while by holds it in the same round, except that a success always counts. What was
// cancelled, or taken by another process because the lease ended, keeps its state, and the attempt is stored
// beside it.
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

// queueResults adds the statements for attempts and states to a batch.
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
	b.Queue(statements.Get("move_deliveries"), pgx.NamedArgs{
		"ids": ids, "rounds": rounds, "states": states, "reasons": reasons, "failures": failures, "nexts": nexts, "by": by, "now": s.Now(),
	})
	b.Queue(statements.Get("keep_attempts"), pgx.NamedArgs{
		"ids": ids, "ats": ats, "statuses": statuses, "latencies": latencies, "classes": classes, "answers": answers, "errors": errs,
	})
}

// queueHealth adds the statements for endpoints only when one has something to change: most attempts of most
// endpoints are delivered, and so were those before.
func queueHealth(b *pgx.Batch, now time.Time, health []models.WebhookHealth, disabled *[]string) {
	if len(health) == 0 {
		return
	}
	n := len(health)
	ids, worked, since, why, bounces := make([]string, n), make([]bool, n), make([]*time.Time, n), make([]string, n), make([]int, n)
	for i, h := range health {
		ids[i], worked[i], since[i], why[i], bounces[i] = h.ID, h.Worked, h.FailingSince, h.Disable, h.Bounces
	}
	b.Queue(statements.Get("note_health"), pgx.NamedArgs{"ids": ids, "worked": worked, "since": since, "bounces": bounces})
	if !slices.ContainsFunc(why, func(s string) bool { return s != "" }) {
		return
	}
	b.Queue(statements.Get("disable_webhooks"), pgx.NamedArgs{"ids": ids, "since": since, "why": why, "now": now}).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		*disabled = found
		return err
	})
}

// DropDeliveries ends deliveries that the process by holds, without an attempt.
func (s *Store) DropDeliveries(ctx context.Context, by string, ids []string, why models.DropReason) error {
	_, err := s.Pool().Exec(ctx, statements.Get("drop_deliveries"), pgx.NamedArgs{"ids": ids, "by": by, "why": why, "now": s.Now()})
	if err != nil {
		return fmt.Errorf("drop deliveries: %w", err)
	}
	return nil
}

// ListenDeliveries calls heard whenever there may be something new to deliver, and once when it is connected.
// It returns when the connection or ctx ends; the caller listens again.
func (s *Store) ListenDeliveries(ctx context.Context, heard func()) error {
	return s.Listen(ctx, db.Whenever(db.DeliveriesChannel, heard))
}
