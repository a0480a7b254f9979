package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Channels of Listen. WatchersChannel tells that watchers changed; EventsChannel tells the id of an
// account that has new events.
const (
	WatchersChannel = "rollcall_watchers"
	EventsChannel   = "rollcall_events"
)

// StandingWatcher is what matching needs of a watcher.
type StandingWatcher struct {
	ID        string
	Name      string
	CountyID  *int16 // nil: all counties
	Level     MatchLevel
	Dob       *Date
	BirthYear *int16
	Active    bool // neither deleted nor paused
	Rev       int64
}

// WatchersSince gives up to limit watchers that changed after revision rev, in the order of revisions;
// with activeOnly those that watch, for a first load. Revisions become visible in order: whoever has
// read up to one has all before it.
func (s *Store) WatchersSince(ctx context.Context, rev int64, limit int, activeOnly bool) ([]StandingWatcher, error) {
	rows, err := s.pool.Query(ctx, `select id, name, county_id, level, dob, birth_year, deleted_at is null and not paused, rev from watchers
 where rev > $1 and (not $3 or deleted_at is null and not paused) order by rev limit $2`, rev, limit, activeOnly)
	if err != nil {
		return nil, fmt.Errorf("follow watchers: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[StandingWatcher])
	if err != nil {
		return nil, fmt.Errorf("follow watchers: %w", err)
	}
	return found, nil
}

// Listen calls heard("") once it is connected to channel, heard with each notification's payload after,
// and heard("") again at least every 15 seconds, until ctx ends or the connection is lost; then it gives
// why. The connection is not of the pool. Whoever must miss nothing reads what is new on every call,
// and calls Listen again.
func (s *Store) Listen(ctx context.Context, channel string, heard func(payload string)) error {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return fmt.Errorf("connect to listen: %w", err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), feedPatience)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if _, err := conn.Exec(ctx, `listen `+pgx.Identifier{channel}.Sanitize()); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	heard("")
	for {
		until, cancel := context.WithTimeout(ctx, feedPoll)
		n, err := conn.WaitForNotification(until)
		cancel()
		switch {
		case err == nil:
			heard(n.Payload)
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, context.DeadlineExceeded) && !conn.IsClosed():
			if err := ping(ctx, conn); err != nil {
				return fmt.Errorf("listen: %w", err)
			}
			heard("")
		default:
			return fmt.Errorf("listen: %w", err)
		}
	}
}

// ping tells a connection that is merely quiet from a dead one.
func ping(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, feedPatience)
	defer cancel()
	return conn.Ping(ctx)
}

// OpenWork is what waits for jobs that may have been lost.
type OpenWork struct {
	Changes    bool          // there are changes that no job has matched yet
	Deliveries []DueDelivery // whose attempt was due more than the grace ago, oldest first
}

// OpenWork looks for changes and deliveries whose time came before now minus grace: their jobs may be
// lost. It gives up to limit deliveries.
func (s *Store) OpenWork(ctx context.Context, grace time.Duration, limit int) (OpenWork, error) {
	var w OpenWork
	before := s.now().UTC().Add(-grace)
	err := s.pool.QueryRow(ctx, `select exists (select from changes where matched_at is null and detected_at < $1)`, before).Scan(&w.Changes)
	if err != nil {
		return w, fmt.Errorf("look for open changes: %w", err)
	}
	rows, err := s.pool.Query(ctx, `select id, next_attempt from deliveries where state in ('pending', 'failed') and next_attempt < $1 order by next_attempt limit $2`, before, limit)
	if err != nil {
		return w, fmt.Errorf("look for open deliveries: %w", err)
	}
	if w.Deliveries, err = pgx.CollectRows(rows, pgx.RowToStructByPos[DueDelivery]); err != nil {
		return w, fmt.Errorf("look for open deliveries: %w", err)
	}
	return w, nil
}
