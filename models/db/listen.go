package db

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/internal/backoff"
)

// Channels of notifications.
const (
	changesChannel    = "rollcall_changes"    // generations: "roster 17"
	EventsChannel     = "rollcall_events"     // ids of accounts that have new events
	DeliveriesChannel = "rollcall_deliveries" // there is something to deliver
	WatchersChannel   = "rollcall_watchers"   // watchers changed
)

const (
	feedPoll     = time.Second // between looks at what there is, should a notification be lost
	feedWait     = 250 * time.Millisecond
	feedLongWait = 15 * time.Second
)

// ClosePatience bounds a look at a listening connection, and the end of any connection that is not of the pool, before
// it counts as dead.
const ClosePatience = 5 * time.Second

// Listener follows a channel. Notifications may be lost with a connection, so it looks at what there is once
// the channel is listened to and every feedPoll after, on that connection: one that died in silence is found
// out by asking it something.
type Listener struct {
	channel string
	look    func(ctx context.Context, conn *pgx.Conn) error
	Heard   func(payload string) // is called with each notification
}

// Listen follows a channel on a connection of its own, not of the pool, until ctx ends or the connection is
// lost; then it gives why.
func (d *DB) Listen(ctx context.Context, l Listener) error {
	conn, err := pgx.ConnectConfig(ctx, d.pool.Config().ConnConfig)
	if err != nil {
		return fmt.Errorf("connect to listen to %s: %w", l.channel, err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ClosePatience)
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
		if err := hear(ctx, conn, l.Heard); err != nil {
			return fmt.Errorf("wait for %s: %w", l.channel, err)
		}
	}
}

// patiently bounds a look, which a dead connection would never end.
func patiently(ctx context.Context, conn *pgx.Conn, look func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, ClosePatience)
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

// Follow listens until ctx ends, connecting again when the connection is lost, later and later until a look
// succeeds. lost is called each time that it was.
func (d *DB) Follow(ctx context.Context, logger *slog.Logger, l Listener, lost func()) {
	waits, look := backoff.Backoff{First: feedWait, Most: feedLongWait}, l.look
	l.look = func(ctx context.Context, conn *pgx.Conn) error {
		err := look(ctx, conn)
		if err == nil {
			waits.Reset()
		}
		return err
	}
	for {
		err := d.Listen(ctx, l)
		lost()
		if ctx.Err() != nil {
			return
		}
		wait := waits.Next()
		logger.WarnContext(ctx, "notifications lost", "channel", l.channel, "error", err, "retry", wait)
		if backoff.Sleep(ctx, wait) != nil {
			return
		}
	}
}

// Whenever is the look and the ear of who only wants to know that there may be something new.
func Whenever(channel string, heard func()) Listener {
	return Listener{
		channel: channel, Heard: func(string) { heard() },
		look: func(ctx context.Context, conn *pgx.Conn) error {
			heard()
			return conn.Ping(ctx)
		},
	}
}
