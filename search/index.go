// Package search answers list queries from memory: one page of record keys in list order and the
// exact number of matches, for any name, filter, date range and offset, in well under a
// millisecond. docs/decisions/0003-list-index.md says why and what that guarantees.
//
// An Index holds one family and follows its committed changes. It consists of segments: unchanging
// sets of records, which hold their names as words of a lexicon with postings, and their facets as
// sets of positions. A snapshot is a large segment with a small one for the changes since. Package
// models/record asks an Index for the keys of a page, and reads the rows by key.
//
// It holds no records and decides nothing about them. A record that was withheld a moment ago may
// still be in the index, but its row is read from the database. Queries that an index cannot
// answer are answered by SQL. So an index can only make lists faster, never wrong.
package search

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"rollcall/models"
	"rollcall/models/store"
)

// Index implements models.ListIndex for one family. Find takes no lock; Run keeps the index
// current. It is safe for concurrent use.
type Index struct {
	store  *store.Store
	family models.Family
	logger *slog.Logger
	// The newest snapshot; nil until the first load.
	current atomic.Pointer[snapshot]
	// Of *scratch, so that a search allocates nothing but its page.
	pool sync.Pool
	// Receives when a caller waits for a newer generation.
	wanted chan struct{}
	// Closed when the first snapshot is there.
	loaded chan struct{}
	// Finished merges, which Run takes up between two reads.
	merges chan merge
	// A merge is running. Only Run's goroutine uses it.
	merging bool
}

var _ models.ListIndex = (*Index)(nil)

// New returns an empty index of a family; Run fills it.
func New(store *store.Store, family models.Family, logger *slog.Logger) *Index {
	return &Index{
		store: store, family: family, logger: logger.With("family", family),
		wanted: make(chan struct{}, 1), loaded: make(chan struct{}), merges: make(chan merge, 1),
	}
}

// Find answers q as of the newest generation that the index has seen. ok is false while it has seen
// none; SQL then answers. A page past the end has no keys but the exact total.
func (x *Index) Find(q models.IndexQuery) (page models.IndexPage, ok bool) {
	s := x.current.Load()
	if s == nil {
		return models.IndexPage{}, false
	}
	return s.find(q, &x.pool), true
}

// patience bounds CatchUp. SQL answers sooner than an index that is this late.
const patience = time.Second

// errLate makes the caller ask SQL instead.
var errLate = errors.New("the index has not caught up")

// CatchUp waits until the index has seen generation gen. It returns an error after a second or when
// ctx ends, and the caller asks SQL instead.
func (x *Index) CatchUp(ctx context.Context, gen int64) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		s, moved := x.current.Load(), (<-chan struct{})(x.loaded)
		if s != nil {
			if s.gen >= gen {
				return nil
			}
			moved = s.moved
		}
		select {
		case x.wanted <- struct{}{}:
		default:
		}
		select {
		case <-moved:
		case <-timer.C:
			return errLate
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// publish makes s the snapshot that Find sees, and wakes those who wait for a newer one.
func (x *Index) publish(s *snapshot) {
	if old := x.current.Swap(s); old != nil {
		close(old.moved)
	} else {
		close(x.loaded)
	}
}

// errMany means that so much has changed that loading everything anew is cheaper.
var errMany = errors.New("too many changes")

// refresh brings the index to the newest generation.
func (x *Index) refresh(ctx context.Context) error {
	s := x.current.Load()
	if s == nil || s.gen == 0 {
		return x.load(ctx)
	}
	var newer []models.IndexRow
	most := max(s.main.len()/2, 1<<17)
	gen, err := x.store.IndexRows(ctx, x.family, s.gen, func(r *models.IndexRow) error {
		if len(newer) == most {
			return errMany
		}
		newer = append(newer, *r)
		return nil
	})
	if errors.Is(err, errMany) {
		return x.load(ctx)
	}
	if err != nil || gen == s.gen {
		return err
	}
	next, err := s.with(newer, gen)
	if err != nil {
		return fmt.Errorf("apply changes of %s: %w", x.family, err)
	}
	x.publish(next)
	return nil
}

// load reads every record.
func (x *Index) load(ctx context.Context) error {
	compare := sortingOf(x.family)
	b := newBuilder(compare)
	gen, err := x.store.IndexRows(ctx, x.family, 0, b.add)
	if err != nil {
		return err
	}
	s, err := newSnapshot(b.segment(), nil, gen, compare)
	if err != nil {
		return fmt.Errorf("load index of %s: %w", x.family, err)
	}
	x.publish(s)
	x.logger.InfoContext(ctx, "list index loaded", "records", s.main.len(), "words", s.main.lexicon.words.len(), "generation", gen)
	return nil
}
