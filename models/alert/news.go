package alert

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db/joint"
	"rollcall/models/snapshot"
)

// News reads what batches of changes have watchers notified of, in the transaction that wrote them. Nothing is locked or
// marked: it is for a snapshot that is tried out and rolled back.
func (s *Store) News(ctx context.Context, tx pgx.Tx, batches []int64) (n snapshot.News, err error) {
	rows, err := collect[openChange](ctx, tx, "rehearsed_changes", pgx.NamedArgs{"batches": batches, "limit": snapshot.MostNews + 1})
	if err != nil {
		return n, fmt.Errorf("read rehearsed changes: %w", err)
	}
	if n.More = len(rows) > snapshot.MostNews; n.More {
		rows = rows[:snapshot.MostNews]
	}
	n.Changes = s.changesOf(rows)
	var back []int64
	for _, c := range n.Changes {
		if c.TakesBack() {
			back = append(back, c.ID)
		}
	}
	if len(back) > 0 {
		n.Notified, err = notifiedOf(ctx, tx, back)
	}
	return n, err
}

// errForetold rolls back what only looks.
var errForetold = errors.New("foretold")

// Foretell calls fn with a transaction that is rolled back, to find out what a match would do.
func (s *Store) Foretell(ctx context.Context, fn func(context.Context, *Matching) error) error {
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		if err := fn(ctx, &Matching{store: s, tx: tx.Pgx(), rows: tx.Gorm(), now: s.Moment()}); err != nil {
			return err
		}
		return errForetold
	})
	if errors.Is(err, errForetold) {
		return nil
	}
	return fmt.Errorf("foretell events: %w", err)
}

// toldOf is a change of a booking that a watcher is notified of.
type toldOf struct {
	hitOf
	change int64
}

// New returns those of events that tell their watcher something new: a watcher is notified of a booking once, and not after
// other news of the record.
func (m *Matching) New(ctx context.Context, events []*NewEvent) ([]*NewEvent, error) {
	var watchers []string
	var rids, changes []int64
	for _, e := range events {
		if e.Change.Kind == models.EventBooking {
			watchers, rids, changes = append(watchers, e.Watcher.ID), append(rids, *e.Change.RID), append(changes, e.Change.ID)
		}
	}
	if len(rids) == 0 {
		return events, nil
	}
	rows, err := m.tx.Query(ctx, statements.Get("told_before"), pgx.NamedArgs{"watchers": watchers, "rids": rids, "changes": changes})
	if err != nil {
		return nil, fmt.Errorf("read earlier events: %w", err)
	}
	known := map[toldOf]bool{}
	var of toldOf
	_, err = pgx.ForEachRow(rows, []any{&of.watcher, &of.rid, &of.change}, func() error { known[of] = true; return nil })
	if err != nil {
		return nil, fmt.Errorf("read earlier events: %w", err)
	}
	out := make([]*NewEvent, 0, len(events))
	for _, e := range events {
		if of, some := e.hitOf(); !some || e.Change.Kind != models.EventBooking || !known[toldOf{of, e.Change.ID}] {
			out = append(out, e)
		}
	}
	return out, nil
}
