package notifier

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/store"
)

const (
	// Watchers that one statement reads.
	standingChunk = 20_000
	// Wait before the connection that notifies of watchers is opened again.
	standingRetry = 250 * time.Millisecond
	// Time between two compactions of the index.
	compactInterval = 10 * time.Minute
)

// Standing holds every active watcher of all accounts in a match.Index. It follows the revisions of watchers in
// the database, so it is current whichever replica changes one. It is safe for concurrent use.
type Standing struct {
	store *store.Store
	log   *slog.Logger

	// Held while watchers are read, so that revisions enter the index in order.
	mu    sync.Mutex
	index *match.Index
	// Watchers up to this revision are in the index, and some later ones.
	rev int64
	// False until all watchers have been read once.
	loaded bool
}

// NewStanding returns an empty index; the first CatchUp loads it.
func NewStanding(store *store.Store, log *slog.Logger) *Standing {
	return &Standing{store: store, log: log, index: match.NewIndex()}
}

// Run keeps the index current until ctx ends, so that a match has little to catch up with.
func (s *Standing) Run(ctx context.Context) {
	wake := make(chan struct{}, 1)
	listening := make(chan struct{})
	go func() {
		defer close(listening)
		s.listen(ctx, wake)
	}()
	compact := time.NewTicker(compactInterval)
	defer compact.Stop()
	for {
		select {
		case <-ctx.Done():
			<-listening
			return
		case <-wake:
			if err := s.CatchUp(ctx); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "watchers not followed", "error", err)
			}
		case <-compact.C:
			s.index.Compact()
		}
	}
}

// listen wakes the follower at each change of watchers, and connects again when the connection is lost.
func (s *Standing) listen(ctx context.Context, wake chan<- struct{}) {
	for ctx.Err() == nil {
		err := s.store.ListenWatchers(ctx, func() {
			select {
			case wake <- struct{}{}:
			default:
			}
		})
		if ctx.Err() != nil || errors.Is(err, context.Canceled) {
			return
		}
		s.log.WarnContext(ctx, "connection for changes of watchers lost", "error", err, "retry", standingRetry)
		timer := time.NewTimer(standingRetry)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

// CatchUp reads the watchers that changed since the last call. When it returns without an error, the index
// holds all that were committed when it was called. After an error the next call reads them again.
func (s *Standing) CatchUp(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	settled, err := s.store.SettledWatchers(ctx)
	if err != nil {
		return err
	}
	for at := s.rev; ; {
		changed, err := s.store.WatchersSince(ctx, at, standingChunk, !s.loaded)
		if err != nil {
			return err
		}
		s.take(changed)
		if len(changed) == standingChunk {
			at = changed[standingChunk-1].Rev
			continue
		}
		if s.loaded {
			s.rev = settled // what is later is read again: an older change may commit yet
			return nil
		}
		s.index.Compact()
		s.loaded = true // and read those that ended while the first ones were read
	}
}

// take brings watchers into the index, in the order of their revisions. Ended and paused ones leave it.
func (s *Standing) take(changed []models.StandingWatcher) {
	var add []match.Watcher
	for i := range changed {
		w := &changed[i]
		if !w.Active {
			s.index.Remove(w.ID)
			continue
		}
		county := ""
		if w.CountyID != nil {
			county = s.store.Counties().ByID(*w.CountyID).Slug
		}
		add = append(add, match.Watcher{ID: w.ID, Name: w.Name, County: county, Level: levelOf(w.Level), Born: w.Born()})
	}
	s.index.Add(add...)
}

// reach catches up if the index has not seen revision rev. A change is matched only against an index that holds
// every watcher committed before it; otherwise a watcher created a moment earlier would miss the booking.
func (s *Standing) reach(ctx context.Context, rev int64) error {
	s.mu.Lock()
	behind := s.rev < rev || !s.loaded
	s.mu.Unlock()
	if !behind {
		return nil
	}
	return s.CatchUp(ctx)
}

// Len returns the number of watchers in the index.
func (s *Standing) Len() int { return s.index.Len() }

// levelOf converts a level that the database has checked.
func levelOf(l models.MatchLevel) match.Level {
	level, err := match.ParseLevel(string(l))
	if err != nil {
		return match.Normal
	}
	return level
}
