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

// HasOpenChanges tells whether changes wait that were detected longer ago than grace: their job may be
// lost.
func (s *Store) HasOpenChanges(ctx context.Context, grace time.Duration) (bool, error) {
	var open bool
	err := s.pool.QueryRow(ctx, `select exists (select from changes where matched_at is null and detected_at < $1)`, s.now().UTC().Add(-grace)).Scan(&open)
	if err != nil {
		return false, fmt.Errorf("look for open changes: %w", err)
	}
	return open, nil
}
