package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models/db"
)

// floodWindow is the time that a flood limit counts in. An account may get its limit at once; after that
// deliveries leave evenly, one each floodWindow divided by the limit.
const floodWindow = time.Minute

// flood returns when each delivery is due: at once, or as late as the account's flood limit asks. The limit
// is a leaky bucket of one minute (GCRA): tat, the theoretical arrival time, moves one step ahead for each
// delivery, and a delivery is due one window before it. The rows of accounts are locked until commit, so
// concurrent matches share one plan. Deliveries are delayed, never suppressed (DECISIONS.md, "Alerts").
func (m *Matching) flood(ctx context.Context, deliveries []*NewDelivery) ([]time.Time, error) {
	when := make([]time.Time, len(deliveries))
	accounts := map[string]bool{}
	for i, d := range deliveries {
		when[i] = m.now
		accounts[d.Event.AccountID] = true
	}
	ids := make([]string, 0, len(accounts))
	for id := range accounts {
		ids = append(ids, id)
	}
	type plan struct {
		AccountID string
		Limit     int
		Tat       time.Time
	}
	plans, err := collect[plan](ctx, m.tx, "flood_limits", pgx.NamedArgs{"accounts": ids, "now": m.now})
	if err != nil {
		return nil, fmt.Errorf("read flood limits: %w", err)
	}
	if len(plans) == 0 {
		return when, nil
	}
	batch := &pgx.Batch{}
	for _, p := range plans {
		step, tat := floodWindow/time.Duration(p.Limit), p.Tat
		for i, d := range deliveries {
			if d.Event.AccountID != p.AccountID || d.dropped() != nil || d.digested() {
				continue
			}
			if tat.Before(m.now) {
				tat = m.now
			}
			tat = tat.Add(step)
			if at := tat.Add(-floodWindow); at.After(m.now) {
				when[i] = at
			}
		}
		batch.Queue(statements.Get("keep_flood"), pgx.NamedArgs{"account": p.AccountID, "tat": tat})
	}
	if err := m.tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("keep flood limits: %w", err)
	}
	return when, nil
}

// Replan moves what waits for the flood limit of an account to when it is due under its new limit. Retries,
// and what is due already, stay where they are: the limit only ever moves first attempts. was is the limit
// that the plan was made with, limit the new one, both in deliveries a minute; 0 is none. It runs in the
// transaction that changes the account.
func Replan(ctx context.Context, tx pgx.Tx, accountID string, was, limit int, now time.Time) error {
	var tat *time.Time
	if err := tx.QueryRow(ctx, statements.Get("lock_flood"), pgx.NamedArgs{"account": accountID}).Scan(&tat); err != nil {
		return fmt.Errorf("read flood limit: %w", err)
	}
	var delayed int
	if err := tx.QueryRow(ctx, statements.Get("count_delayed"), pgx.NamedArgs{"account": accountID, "now": now}).Scan(&delayed); err != nil {
		return fmt.Errorf("count delayed deliveries: %w", err)
	}
	begin, step := now, time.Duration(0)
	if limit > 0 {
		step = floodWindow / time.Duration(limit)
		begin = now.Add(time.Duration(min(sentOfFlood(tat, was, delayed, now), float64(limit)) * float64(step)))
	}
	_, err := tx.Exec(ctx, statements.Get("replan_deliveries"), pgx.NamedArgs{
		"account": accountID, "now": now, "begin": begin, "step": step.Seconds(), "window": floodWindow.Seconds(),
	})
	if err != nil {
		return fmt.Errorf("plan delayed deliveries: %w", err)
	}
	_, err = tx.Exec(ctx, statements.Get("keep_flood"), pgx.NamedArgs{"account": accountID, "tat": begin.Add(time.Duration(delayed) * step)})
	if err != nil {
		return fmt.Errorf("keep flood limit: %w", err)
	}
	_, err = tx.Exec(ctx, `select pg_notify($1, '')`, db.DeliveriesChannel)
	return err
}

// sentOfFlood returns how many deliveries of the minute's worth are used up by those that were due already.
// The rest of the theoretical arrival time stands for those that are delayed, which Replan counts again.
func sentOfFlood(tat *time.Time, was, delayed int, now time.Time) float64 {
	if tat == nil || was == 0 {
		return 0
	}
	step := floodWindow / time.Duration(was)
	used := tat.Sub(now).Seconds()/step.Seconds() - float64(delayed)
	return max(used, 0)
}
