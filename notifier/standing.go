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
	standingChunk   = 20_000
	standingRetry   = 250 * time.Millisecond
	compactInterval = 10 * time.Minute
)

// Standing keeps every active watcher of all accounts in a match.Index, current with the database
// whichever replica changes one: it follows the revisions of watchers. Safe for concurrent use.
type Standing struct {
	store *store.Store
	log   *slog.Logger

	mu     sync.Mutex // of whoever reads on
	index  *match.Index
	rev    int64 // watchers up to this revision are in the index
	loaded bool
}

// NewStanding makes an empty index; the first CatchUp loads it.
func NewStanding(store *store.Store, log *slog.Logger) *Standing {
	return &Standing{store: store, log: log, index: match.NewIndex()}
}

// Run keeps the index current until ctx ends, so that a match finds little to catch up with.
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

// listen wakes the follower at every change of watchers, connecting again when the connection is lost.
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
		s.log.WarnContext(ctx, "watchers feed lost", "error", err, "retry", standingRetry)
		timer := time.NewTimer(standingRetry)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

// CatchUp reads the watchers that changed since the last call: when it returns, the index holds all that
// were committed when it was called.
func (s *Standing) CatchUp(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		changed, err := s.store.WatchersSince(ctx, s.rev, standingChunk, !s.loaded)
		if err != nil {
			return err
		}
		s.take(changed)
		if len(changed) < standingChunk {
			if !s.loaded {
				s.index.Compact()
				s.loaded = true
				continue // those that ended while the first were read
			}
			return nil
		}
	}
}

// take brings watchers, in the order of their revisions, into the index.
func (s *Standing) take(changed []models.StandingWatcher) {
	var add []match.Watcher
	for i := range changed {
		w := &changed[i]
		s.rev = w.Rev
		if !w.Active {
			s.index.Remove(w.ID)
			continue
		}
		county := ""
		if w.CountyID != nil {
			county = s.store.Counties().ByID(*w.CountyID).Slug
		}
		add = append(add, match.Watcher{ID: w.ID, Name: w.Name, County: county, Level: levelOf(w.Level), Born: birthOf(w.Dob, w.BirthYear)})
	}
	s.index.Add(add...)
}

// reach catches up when the index has not seen revision rev.
func (s *Standing) reach(ctx context.Context, rev int64) error {
	s.mu.Lock()
	behind := s.rev < rev || !s.loaded
	s.mu.Unlock()
	if !behind {
		return nil
	}
	return s.CatchUp(ctx)
}

// Len counts the watchers in the index.
func (s *Standing) Len() int { return s.index.Len() }

// levelOf reads a level that the database has checked.
func levelOf(l models.MatchLevel) match.Level {
	level, err := match.ParseLevel(string(l))
	if err != nil {
		return match.Normal
	}
	return level
}

// birthOf is what is known of a birth, for matching.
func birthOf[Y int | int16](dob *models.Date, year *Y) match.Birth {
	switch {
	case dob != nil:
		return match.Birth{Year: int16(dob.Year), Month: uint8(dob.Month), Day: uint8(dob.Day)} //nolint:gosec // of a calendar day
	case year != nil:
		return match.Birth{Year: int16(*year)}
	}
	return match.Birth{}
}
