package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models/db"
)

// floodWindow is what an account's flood limit counts in: so many deliveries at once, then evenly.
const floodWindow = time.Minute

// flood gives when each delivery is due: at once, or as late as the account's flood limit asks. The
// limit is that of a leaky bucket of one minute: so many at once, then evenly.
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
	// The limit stays what it is until commit: whoever changes it plans anew what is written here.
	rows, err := m.tx.Query(ctx, `with a as materialized (select id, flood_limit from accounts where id = any($1) and flood_limit > 0 order by id for share)
 select a.id, a.flood_limit, coalesce(t.flood_tat, $2) from a join alert_accounts t on t.account_id = a.id order by a.id for update of t`, ids, m.now)
	if err != nil {
		return nil, fmt.Errorf("read flood limits: %w", err)
	}
	var (
		id    string
		limit int
		tat   time.Time
		batch = &pgx.Batch{}
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &limit, &tat}, func() error {
		step := floodWindow / time.Duration(limit)
		for i, d := range deliveries {
			if d.Event.AccountID != id || d.dropped() != nil {
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
		batch.Queue(`update alert_accounts set flood_tat = $2 where account_id = $1`, id, tat)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read flood limits: %w", err)
	}
	if batch.Len() == 0 {
		return when, nil
	}
	if err := m.tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("keep flood limits: %w", err)
	}
	return when, nil
}

// Replan moves what waits for the flood limit of an account to when it is due under its new limit. Retries,
// and what is due already, stay where they are: the limit only ever moves first attempts. was is the limit
// that the plan was made with.
func Replan(ctx context.Context, tx pgx.Tx, accountID string, was, limit int, now time.Time) error {
	var tat *time.Time
	// Whoever plans deliveries of the account holds this row.
	err := tx.QueryRow(ctx, `insert into alert_accounts as t (account_id) values ($1) on conflict (account_id) do update set account_id = t.account_id returning flood_tat`, accountID).Scan(&tat)
	if err != nil {
		return fmt.Errorf("read flood limit: %w", err)
	}
	const waiting = `account_id = $1 and state = 'pending' and next_attempt > $2 and event_id is not null`
	var delayed int
	if err := tx.QueryRow(ctx, `select count(*) from deliveries where `+waiting, accountID, now).Scan(&delayed); err != nil {
		return fmt.Errorf("count delayed deliveries: %w", err)
	}
	begin, step := now, time.Duration(0)
	if limit > 0 {
		step = floodWindow / time.Duration(limit)
		begin = now.Add(time.Duration(min(sentOfFlood(tat, was, delayed, now), float64(limit)) * float64(step)))
	}
	_, err = tx.Exec(ctx, `with held as (select id, next_attempt, created_at from deliveries where `+waiting+` order by id for update),
 place as (select id, row_number() over (order by next_attempt, created_at, id) as n from held)
 update deliveries d set next_attempt = greatest($2::timestamptz, $3::timestamptz + make_interval(secs => place.n * $4::float8 - $5::float8)), updated_at = $2 from place where d.id = place.id`,
		accountID, now, begin, step.Seconds(), floodWindow.Seconds())
	if err != nil {
		return fmt.Errorf("plan delayed deliveries: %w", err)
	}
	_, err = tx.Exec(ctx, `update alert_accounts set flood_tat = $2 where account_id = $1`, accountID, begin.Add(time.Duration(delayed)*step))
	if err != nil {
		return fmt.Errorf("keep flood limit: %w", err)
	}
	_, err = tx.Exec(ctx, `select pg_notify($1, '')`, db.DeliveriesChannel)
	return err
}

// sentOfFlood is how much of the minute's worth is used up by what was due already, in deliveries.
func sentOfFlood(tat *time.Time, was, delayed int, now time.Time) float64 {
	if tat == nil || was == 0 {
		return 0
	}
	step := floodWindow / time.Duration(was)
	used := tat.Sub(now).Seconds()/step.Seconds() - float64(delayed)
	return max(used, 0)
}
