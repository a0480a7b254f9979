package client

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"time"
)

// Families of records, as SyncChange.Family has them.
const (
	FamilyRoster      = "ROSTER"
	FamilyCourts      = "COURTS"
	FamilyCorrections = "CORRECTIONS"
)

// SyncChange is a record that changed or went.
type SyncChange struct {
	// Family is FamilyRoster, FamilyCourts or FamilyCorrections.
	Family string `json:"family"`
	// Kind is CHANGED or GONE; see Gone.
	Kind string `json:"kind"`
	// ID is that of the record in GraphQL.
	ID string `json:"id"`
	// MergedInto is the id of the record that this one was found to be; empty: none, or none that is published.
	MergedInto string `json:"mergedInto"`
	// Record is what SyncOptions.Record selects, as JSON; null where the record is not published by now.
	Record json.RawMessage `json:"record"`
}

// Gone reports whether the record must be taken out of the copy: it was withheld, deleted or merged.
func (c *SyncChange) Gone() bool { return c.Kind == "GONE" }

// SyncBatch is a page of changes.
type SyncBatch struct {
	// Changes are by family, and within a family the oldest first. It may be empty.
	Changes []SyncChange
	// Next is where to go on. Store it when Changes are applied: nothing is missed from there.
	Next string
	// More says that another page follows at once.
	More bool
	// Meta is of the request.
	Meta Meta
}

// SyncOptions choose what Sync yields.
type SyncOptions struct {
	// Families to follow; nil: all three. It counts for a new cursor alone.
	Families []string
	// Record is what to read of each changed record, in the words of GraphQL, such as
	// "... on RosterRecord { name status }"; empty: the id alone.
	Record string
	// First is the size of a page, 1 to 1000; 0: 500.
	First int
	// Every is the wait when nothing is left; 0: a minute.
	Every time.Duration
}

// Sync keeps a copy of the records equal to what is published: it yields what changed and what went since the cursor after,
// and goes on to do so until the loop or ctx ends. An empty cursor begins with all records. An error ends it; sync again
// from the last Next. CodeCursorExpired: forget the copy and begin with an empty cursor.
func (c *Client) Sync(ctx context.Context, o SyncOptions, after string) iter.Seq2[SyncBatch, error] {
	if o.First == 0 {
		o.First = 500
	}
	if o.Every == 0 {
		o.Every = time.Minute
	}
	return func(yield func(SyncBatch, error) bool) {
		for {
			b, err := c.syncPage(ctx, o, after)
			if !yield(b, err) || err != nil {
				return
			}
			if after = b.Next; b.More {
				continue
			}
			if err := sleep(ctx, o.Every); err != nil {
				yield(SyncBatch{}, err)
				return
			}
		}
	}
}

// syncPage asks for one page of changes.
func (c *Client) syncPage(ctx context.Context, o SyncOptions, after string) (SyncBatch, error) {
	vars, record := map[string]any{"first": o.First}, ""
	if after != "" {
		vars["after"] = after
	} else if o.Families != nil {
		vars["families"] = o.Families
	}
	if strings.TrimSpace(o.Record) != "" {
		record = " record { " + o.Record + " }"
	}
	var out struct {
		Changes struct {
			Changes  []SyncChange
			PageInfo struct {
				EndCursor   string
				HasNextPage bool
			}
		}
	}
	m, err := c.Query(ctx, "query($after: String, $first: Int, $families: [RecordFamily!]) { changes(after: $after, first: $first, families: $families) { changes { family kind id mergedInto"+
		record+" } pageInfo { endCursor hasNextPage } } }", vars, &out)
	p := out.Changes
	return SyncBatch{Changes: p.Changes, Next: p.PageInfo.EndCursor, More: p.PageInfo.HasNextPage, Meta: m}, err
}
