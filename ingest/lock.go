package ingest

import (
	"context"
	"time"

	"rollcall/models"
)

// ErrBusy says that another run reads the source at this moment.
var ErrBusy = &models.Error{Code: models.CodeConflict, Message: "the source is being read at this moment; try again when that run has ended"}

// lockEvery is how often a run that waits looks whether the other one has ended.
const lockEvery = 500 * time.Millisecond

// lock keeps others from reading the source meanwhile, also in other processes. Who holds it knows that a
// run which is still noted as running was killed. While another one reads the source, it waits as long as the runner's
// patience lasts.
func (r *Runner) lock(ctx context.Context, s *Source) (unlock func(), err error) {
	// The wall clock, and not that of the runner, which may stand still: waiting must end.
	begun, told := time.Now(), false
	for {
		unlock, ok, err := r.Store.LockSource(ctx, s.ID)
		if err != nil {
			return nil, err
		}
		if ok {
			return unlock, r.endInterrupted(ctx, s, unlock)
		}
		// A command that waits says once why nothing happens, however short its patience.
		if r.Patience > 0 && !told && r.Waiting != nil {
			r.Waiting(s.ID)
		}
		told = true
		if time.Since(begun) >= r.Patience {
			return nil, ErrBusy
		}
		select {
		case <-time.After(lockEvery):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// endInterrupted ends the runs of the source whose process was killed, under its lock, which is given back where that fails.
// Else they would stand as running for ever, and the source as being read.
func (r *Runner) endInterrupted(ctx context.Context, s *Source, unlock func()) error {
	err := r.Store.EndInterruptedOf(ctx, s.ID, r.Now())
	if err != nil {
		unlock()
	}
	return err
}

// Deferred reports whether the source failed lately and is not to be asked yet.
// The schedule asks it before each run. An operator's command does not.
func (r *Runner) Deferred(ctx context.Context, s *Source) (bool, error) {
	entry, err := r.entry(ctx, s)
	if err != nil {
		return false, err
	}
	return entry.NotBefore != nil && r.Now().Before(*entry.NotBefore), nil
}
