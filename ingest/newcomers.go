package ingest

import (
	"context"
	"maps"
	"slices"

	"rollcall/ingest/mapping"
	"rollcall/ingest/reconcile"
	"rollcall/models/snapshot"
)

// newcomers are the people of a source that reports only changes. Such a source may write who is a juvenile when somebody is booked
// and leave it out when a bond changes, so only those who are new to it are asked for their flag.
type newcomers struct {
	*run
	flagged map[string]bool // by key, whether a row of it has a flag; nil: nobody is asked
}

// newcomers begins to look at the rows of a run.
func (u *run) newcomers() *newcomers {
	n := &newcomers{run: u}
	if last, ok := u.before(); ok && !u.source.lists() && !u.late() && reconcile.AsksFlags(last) {
		n.flagged = map[string]bool{}
	}
	return n
}

// see notes the flag of a row.
func (n *newcomers) see(row *snapshot.RosterRow) {
	if n.flagged != nil && !row.KeyOnly {
		n.flagged[row.Key] = n.flagged[row.Key] || row.Flagged()
	}
}

// count counts, when all rows are read, those who are new to the source, and their flags.
func (n *newcomers) count(ctx context.Context) error {
	if len(n.flagged) == 0 {
		return nil
	}
	known, err := n.Store.KnownKeys(ctx, n.entry.ID, slices.Collect(maps.Keys(n.flagged)))
	if err != nil {
		return err
	}
	for _, key := range known {
		delete(n.flagged, key)
	}
	n.came = mapping.Reported{People: len(n.flagged)}
	for _, flag := range n.flagged {
		if flag {
			n.came.Flags++
		}
	}
	return nil
}

// flagless returns why the flags of a snapshot are not believed: of a source that reports only changes neither those of all rows nor
// those of newcomers.
func (u *run) flagless(last, now mapping.Reported) []string {
	blind := reconcile.Flags(last, now)
	if len(blind) > 0 && !u.source.lists() {
		return reconcile.Flags(last, u.came)
	}
	return blind
}
