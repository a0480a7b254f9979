package db

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/internal/backoff"
)

// The channels of NOTIFY, each with its payload. PostgreSQL delivers at commit, so a listener finds
// the rows that are announced.
const (
	// changesChannel carries a family and its new generation: "roster 17".
	changesChannel = "rollcall_changes"
	// EventsChannel carries the id of an account that has new events.
	EventsChannel = "rollcall_events"
	// DeliveriesChannel has no payload: some delivery is due.
	DeliveriesChannel = "rollcall_deliveries"
	// WatchersChannel has no payload: some watcher changed.
	WatchersChannel = "rollcall_watchers"
)

// How often a listener looks by itself, and how long it waits before it connects again.
const (
	// feedPoll is the time between two looks at what there is. A lost notification costs no more
	// than it.
	feedPoll = time.Second
	// feedWait is the wait after the first lost connection; it doubles up to feedLongWait.
	feedWait     = 250 * time.Millisecond
	feedLongWait = 15 * time.Second
)

// ClosePatience bounds a look on a listening connection, and the closing of any connection that is
// not of the pool. After it the connection counts as dead.
const ClosePatience = 5 * time.Second

// Listener follows a channel. Notifications are lost with a connection, so it looks at what there
// is once the channel is listened to, and every feedPoll after. The look runs on the listening
// connection itself: one that died silently is found by asking it something.
type Listener struct {
	// channel is a constant of this package: it is written into the statement.
	channel string
	// look reads what there is, and returns an error when the connection is not usable any more.
	look func(ctx context.Context, conn *pgx.Conn) error
	// Heard is called with the payload of each notification, between looks and never at the same
	// time.
	Heard func(payload string)
}

// Listen follows a channel on a connection of its own, outside the pool, until ctx ends or the
// connection is lost. It returns why, and never nil.
func (d *DB) Listen(ctx context.Context, l Listener) error {
	conn, err := pgx.ConnectConfig(ctx, d.plain.pool.Config().ConnConfig)
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
			return fmt.Errorf("look at what %s announces: %w", l.channel, err)
		}
		if err := hear(ctx, conn, l.Heard); err != nil {
			return fmt.Errorf("wait for %s: %w", l.channel, err)
		}
	}
}

// patiently bounds a look. A half-open TCP connection would otherwise block it without end.
func patiently(ctx context.Context, conn *pgx.Conn, look func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, ClosePatience)
	defer cancel()
	return look(ctx, conn)
}

// hear passes on notifications for the length of feedPoll. It returns nil when that time is over
// and the connection still stands.
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

// Follow listens until ctx ends and connects again when the connection is lost, with growing waits
// until a look succeeds. lost is called each time that it was, and once more at the end.
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

// Whenever returns a listener that calls heard when there may be something new: at each
// notification and at each look.
func Whenever(channel string, heard func()) Listener {
	return Listener{
		channel: channel, Heard: func(string) { heard() },
		look: func(ctx context.Context, conn *pgx.Conn) error {
			heard()
			return conn.Ping(ctx)
		},
	}
}
