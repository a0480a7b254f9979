package models

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
)

// Channels of notifications.
const (
	changesChannel    = "rollcall_changes"    // generations: "roster 17"
	eventsChannel     = "rollcall_events"     // ids of accounts that have new events
	deliveriesChannel = "rollcall_deliveries" // there is something to deliver
	watchersChannel   = "rollcall_watchers"   // watchers changed
)

const (
	feedPoll     = time.Second     // between looks at what there is, should a notification be lost
	feedPatience = 5 * time.Second // for a look, before the connection counts as dead
	feedWait     = 250 * time.Millisecond
	feedLongWait = 15 * time.Second
)

// listener follows a channel. Notifications may be lost with a connection, so it looks at what there is once
// the channel is listened to and every feedPoll after, on that connection: one that died in silence is found
// out by asking it something.
type listener struct {
	channel string
	look    func(ctx context.Context, conn *pgx.Conn) error
	heard   func(payload string)
}

// listen follows a channel on a connection of its own, not of the pool, until ctx ends or the connection is
// lost; then it gives why.
func (s *Store) listen(ctx context.Context, l listener) error {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return fmt.Errorf("connect to listen to %s: %w", l.channel, err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), feedPatience)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if _, err := conn.Exec(ctx, `listen `+l.channel); err != nil {
		return fmt.Errorf("listen to %s: %w", l.channel, err)
	}
	for {
		if err := patiently(ctx, conn, l.look); err != nil {
			return fmt.Errorf("look at what %s tells of: %w", l.channel, err)
		}
		if err := hear(ctx, conn, l.heard); err != nil {
			return fmt.Errorf("wait for %s: %w", l.channel, err)
		}
	}
}

// patiently bounds a look, which a dead connection would never end.
func patiently(ctx context.Context, conn *pgx.Conn, look func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, feedPatience)
	defer cancel()
	return look(ctx, conn)
}

// hear yields what is announced for the length of feedPoll.
func hear(ctx context.Context, conn *pgx.Conn, heard func(payload string)) error {
	until, cancel := context.WithTimeout(ctx, feedPoll)
	defer cancel()
	for {
		n, err := conn.WaitForNotification(until)
		if err != nil {
			if until.Err() != nil && ctx.Err() == nil && !conn.IsClosed() {
				return nil
			}
			return err
		}
		heard(n.Payload)
	}
}

// follow listens until ctx ends, connecting again when the connection is lost, later and later until a look
// succeeds. lost is called each time that it was.
func (s *Store) follow(ctx context.Context, logger *slog.Logger, l listener, lost func()) {
	wait, look := feedWait, l.look
	l.look = func(ctx context.Context, conn *pgx.Conn) error {
		err := look(ctx, conn)
		if err == nil {
			wait = feedWait
		}
		return err
	}
	for {
		err := s.listen(ctx, l)
		lost()
		if ctx.Err() != nil {
			return
		}
		logger.WarnContext(ctx, "notifications lost", "channel", l.channel, "error", err, "retry", wait)
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		wait = min(2*wait, feedLongWait)
	}
}

// whenever is the look and the ear of who only wants to know that there may be something new.
func whenever(channel string, heard func()) listener {
	return listener{
		channel: channel, heard: func(string) { heard() },
		look: func(ctx context.Context, conn *pgx.Conn) error {
			heard()
			return conn.Ping(ctx)
		},
	}
}
