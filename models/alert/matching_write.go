package alert

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// NewEvent is an event to be made of a change, for one watcher or, as a notice about a source, for one
// account.
type NewEvent struct {
	Change *models.Change
	// Watcher is nil for a notice about a source.
	Watcher   *models.Watcher
	AccountID string
	// Probability that watcher and record are the same person, from 0 to 1 (docs/matching.md), and the
	// reasons for it.
	Probability float64
	Reasons     []string
	// Retracts is the id of the event that this one takes back; nil for most.
	Retracts *string
	// About are the ids of all events that a notice about a withheld record speaks of, the newest made at AboutAt.
	About   []string
	AboutAt time.Time

	// ID is set by WriteEvents; it is the webhook-id of all deliveries of the event.
	ID string
	// HitID is set by WriteEvents unless it is known; nil for a notice about a source.
	HitID *string
}

// WriteEvents inserts events with their hits and returns those that are new. A watcher is notified of a
// change once, and of a booking once, however often this runs: unique indexes leave the others out.
func (m *Matching) WriteEvents(ctx context.Context, events []*NewEvent) ([]*NewEvent, error) {
	if len(events) == 0 {
		return nil, nil
	}
	if err := m.writeHits(ctx, events); err != nil {
		return nil, err
	}
	// Held for the last few statements only: events are numbered in the order of commits, so a follower misses none.
	if _, err := m.tx.Exec(ctx, db.LockEvents); err != nil {
		return nil, fmt.Errorf("wait for events: %w", err)
	}
	made, err := m.insertEvents(ctx, events)
	if err != nil {
		return nil, fmt.Errorf("write events: %w", err)
	}
	return slices.DeleteFunc(events, func(e *NewEvent) bool { return !made[e.ID] }), nil
}

// insertEvents sets the ids of events and returns the ids of those that did not exist yet.
func (m *Matching) insertEvents(ctx context.Context, events []*NewEvent) (made map[string]bool, err error) {
	n := len(events)
	ids, accounts, kinds := make([]string, n), make([]string, n), make([]string, n)
	changes, rids, ats := make([]int64, n), make([]*int64, n), make([]time.Time, n)
	watchers, hits, retracts, levels := make([]*string, n), make([]*string, n), make([]*string, n), make([]*string, n)
	probabilities, reasons := make([]float64, n), make([]*string, n)
	for i, e := range events {
		e.ID = models.NewID("evt")
		if e.Watcher != nil {
			watchers[i], levels[i] = &e.Watcher.ID, new(string(e.Watcher.Level))
		}
		ids[i], accounts[i], kinds[i], changes[i], rids[i], ats[i] = e.ID, e.AccountID, string(e.Change.Kind), e.Change.ID, e.Change.RID, e.Change.DetectedAt
		hits[i], retracts[i], probabilities[i] = e.HitID, e.Retracts, e.Probability
		if reasons[i], err = e.reasons(); err != nil {
			return nil, err
		}
	}
	rows, err := m.tx.Query(ctx, statements.Get("write_events"), pgx.NamedArgs{
		"ids": ids, "accounts": accounts, "kinds": kinds, "changes": changes, "watchers": watchers, "rids": rids, "hits": hits, "retracts": retracts,
		"levels": levels, "probabilities": probabilities, "reasons": reasons, "ats": ats, "now": m.now,
	})
	if err != nil {
		return nil, err
	}
	made = make(map[string]bool, n)
	var id string
	_, err = pgx.ForEachRow(rows, []any{&id}, func() error { made[id] = true; return nil })
	return made, err
}

// reasons is why the watcher matched, as a JSON list; nil where nothing was compared.
func (e *NewEvent) reasons() (*string, error) {
	if e.Reasons == nil {
		return nil, nil //nolint:nilnil // none is no error
	}
	text, err := json.Marshal(e.Reasons)
	return new(string(text)), err
}

// hitOf identifies a hit: a watcher has one for each record.
type hitOf struct {
	watcher string
	rid     int64
}

// hitOf returns the hit that an event belongs to; some is false for notices about sources.
func (e *NewEvent) hitOf() (of hitOf, some bool) {
	if e.Watcher == nil || e.Change.RID == nil {
		return hitOf{}, false
	}
	return hitOf{e.Watcher.ID, *e.Change.RID}, true
}

// writeHits inserts the hits of events or finds those that exist. Of several events of one hit the newest
// change decides: a correction renews why the watcher matches.
func (m *Matching) writeHits(ctx context.Context, events []*NewEvent) error {
	newest := map[hitOf]*NewEvent{}
	for _, e := range events {
		of, some := e.hitOf()
		if some && e.HitID == nil && (newest[of] == nil || newest[of].Change.ID < e.Change.ID) {
			newest[of] = e
		}
	}
	if len(newest) == 0 {
		return nil
	}
	// In one order everywhere: two transactions may make the same hits.
	ordered := slices.SortedFunc(maps.Keys(newest), func(a, b hitOf) int { return cmp.Or(strings.Compare(a.watcher, b.watcher), cmp.Compare(a.rid, b.rid)) })
	n := len(ordered)
	ids, accounts, watchers, rids := make([]string, n), make([]string, n), make([]string, n), make([]int64, n)
	probabilities, reasons, ats := make([]float64, n), make([]string, n), make([]time.Time, n)
	for i, of := range ordered {
		e := newest[of]
		why, err := json.Marshal(orNone(e.Reasons))
		if err != nil {
			return fmt.Errorf("write hits: %w", err)
		}
		ids[i], accounts[i], watchers[i], rids[i] = models.NewID("hit"), e.AccountID, of.watcher, of.rid
		probabilities[i], reasons[i], ats[i] = e.Probability, string(why), e.Change.DetectedAt
	}
	rows, err := m.tx.Query(ctx, statements.Get("write_hits"), pgx.NamedArgs{
		"ids": ids, "accounts": accounts, "watchers": watchers, "rids": rids, "probabilities": probabilities, "reasons": reasons, "ats": ats,
	})
	if err != nil {
		return fmt.Errorf("write hits: %w", err)
	}
	found := make(map[hitOf]*string, n)
	var of hitOf
	var id string
	_, err = pgx.ForEachRow(rows, []any{&of.watcher, &of.rid, &id}, func() error { found[of] = new(id); return nil })
	if err != nil {
		return fmt.Errorf("write hits: %w", err)
	}
	for _, e := range events {
		if of, some := e.hitOf(); some && e.HitID == nil {
			e.HitID = found[of]
		}
	}
	return nil
}

// orNone keeps a list from being null.
func orNone(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
