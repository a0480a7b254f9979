package ingest

import (
	"context"
	"fmt"

	"rollcall/ingest/fetch"
	"rollcall/internal/plural"
)

// order returns the place of a court's row among those of its instant. The files of one instant follow the numbers in their
// names, in whatever order and runs they are read, and the rows of one file its lines. So a hearing that one line takes back and a
// later one sets again stands, also where the two are in different parts of a file. 0: the pages of a fetch have an order.
// Rosters need no such order: of rows of one instant the one counts that releases nobody (roster.order).
func (u *run) order(document int, line int64) int64 {
	if u.source.Transport.Kind == "http" || document >= len(u.docs) {
		return 0
	}
	return place{fetch.PartNumber(u.source.Transport.Observed.Stem(u.docs[document].Name)), line}.number()
}

// fewer returns why a snapshot of a folder, bucket or of given files may be one that is still being copied: it has fewer
// files than the last complete one. If the next instant has as few, the source sends that many now. Over HTTP the source
// itself says how many pages there are, so none is missing.
func (u *run) fewer(ctx context.Context) (doubt string, err error) {
	if !u.source.lists() || u.source.Transport.Kind == "http" {
		return "", nil
	}
	// What this look at the place found besides proves nothing: all of it may be one copy that is still going on.
	past, err := u.Store.PastDocuments(ctx, u.source.ID, u.at, u.reading)
	if err != nil {
		return "", err
	}
	n := len(u.docs)
	if n >= past.Complete || n == past.Previous && !past.Same {
		return "", nil
	}
	return fmt.Sprintf("it is %s and the last complete one was %d, so others may still be on their way; it counts when the next one has as few", plural.Of(n, "file"), past.Complete), nil
}
