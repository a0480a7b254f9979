// Package search answers list queries from memory: one page of record keys in list order and the
// exact number of matches, for any name, filter, date range and offset, in well under a
// millisecond. An Index holds one family of models and follows its committed changes;
// docs/decisions/0003-list-index.md says why and what that guarantees.
//
// It holds no records and decides nothing about them: rows are read by key from the database,
// which also answers whatever an index cannot yet.
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

// Index is the models.ListIndex of one family. Find takes no lock; Run keeps it current.
type Index struct {
	store  *store.Store
	family models.Family
	logger *slog.Logger
	// The newest snapshot; nil until the first load.
	current atomic.Pointer[snapshot]
	pool    sync.Pool     // of *scratch
	wanted  chan struct{} // someone waits for a newer generation
	loaded  chan struct{} // closed when the first snapshot is there
	// Finished merges, which Run takes up between two reads.
	merges  chan merge
	merging bool // Run's own
}

var _ models.ListIndex = (*Index)(nil)

// New makes an empty index of a family; Run fills it.
func New(store *store.Store, family models.Family, logger *slog.Logger) *Index {
	return &Index{
		store: store, family: family, logger: logger.With("family", family),
		wanted: make(chan struct{}, 1), loaded: make(chan struct{}), merges: make(chan merge, 1),
	}
}

// Find answers q as of the newest generation that the index has seen; ok is false while it has
// seen none. A page past the end has no keys but the right total.
func (x *Index) Find(q models.IndexQuery) (page models.IndexPage, ok bool) {
	s := x.current.Load()
	if s == nil {
		return models.IndexPage{}, false
	}
	return s.find(q, &x.pool), true
}

// patience bounds CatchUp: SQL answers sooner than an index that is this late.
const patience = time.Second

// errLate makes the caller ask SQL instead.
var errLate = errors.New("the index has not caught up")

// CatchUp returns when the index has seen generation gen, or an error when it has not within a
// second or ctx.
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

// publish makes s what Find sees.
func (x *Index) publish(s *snapshot) {
	if old := x.current.Swap(s); old != nil {
		close(old.moved)
	} else {
		close(x.loaded)
	}
}

// errMany is told when so much has changed that loading anew is cheaper.
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
