package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"rollcall/ingest/reconcile"
	"rollcall/models"
)

// cleared is the held snapshot that an operator cleared, as its run reported it (FEEDS.md, guarantee 4: he clears that
// shrink, not whatever comes next). nil: there is none that the run may refer to.
type cleared struct {
	id      int64 // of its run
	held    *Report
	itself  bool // this run reads that very snapshot
	accepts reconcile.Counts
}

// clearance finds what an operator cleared, where the snapshot of the run may take his word: it speaks of no earlier
// instant than the one that he could look at. It is that one again when it has the same documents, or is a replay of it or of
// one that was held after it: a replay names its run.
func (u *run) clearance(ctx context.Context) (*cleared, error) {
	if u.entry.WaivedRun == nil || u.rehearse != nil {
		return nil, nil
	}
	held, err := u.Store.Run(ctx, *u.entry.WaivedRun)
	if err != nil {
		return nil, err
	}
	c := &cleared{id: held.ID, held: &Report{}}
	if len(held.Report) > 0 {
		if err := json.Unmarshal(held.Report, c.held); err != nil {
			return nil, fmt.Errorf("read report of run %d: %w", held.ID, err)
		}
	}
	if u.at.Before(c.held.SnapshotAt) {
		return nil, nil
	}
	if c.itself, err = u.rereads(ctx, held.ID); err != nil {
		return nil, err
	}
	if c.held.Held != nil {
		c.accepts = *c.held.Held
	}
	return c, nil
}

// rereads tells whether the run reads the snapshot of a held run, or replays one that was held after it.
func (u *run) rereads(ctx context.Context, held int64) (bool, error) {
	if u.replayOf > held {
		then, err := u.Store.Run(ctx, u.replayOf)
		if err != nil || then.State == models.RunHeld {
			return err == nil, err
		}
	}
	var sums [2][]string
	for i, id := range []int64{held, u.id} {
		archives, err := u.Store.Archives(ctx, id)
		if err != nil {
			return false, err
		}
		for _, a := range archives {
			sums[i] = append(sums[i], string(a.SHA256))
		}
		slices.Sort(sums[i])
	}
	return len(sums[0]) > 0 && slices.Equal(sums[0], sums[1]), nil
}

// same tells whether the run reads the very snapshot that was cleared: nothing holds that but another operator's word.
func (c *cleared) same() bool { return c != nil && c.itself }

// run is the run that was cleared, 0 where none was.
func (c *cleared) run() int64 {
	if c == nil {
		return 0
	}
	return c.id
}

// beyond says of a reason that something was cleared.
func (c *cleared) beyond(reason string) string {
	if c == nil || reason == "" {
		return reason
	}
	return "beyond what an operator cleared, " + reason
}

// counts is what the operator accepted.
func (c *cleared) counts() reconcile.Counts {
	if c == nil {
		return reconcile.Counts{}
	}
	return c.accepts
}

// rows is how many rows the snapshot is compared with: the last complete one's, or the fewer of the one that was cleared if
// that proved its end. nil: it is not asked.
func (c *cleared) rows(last *int) *int {
	switch {
	case c == nil || last == nil:
		return last
	case c.itself:
		return nil
	case len(c.held.Doubts) > 0 || c.held.Fetched > *last:
		return last
	default:
		return &c.held.Fetched
	}
}
