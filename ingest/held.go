package ingest

import "context"

// readHeld reads, in their order, the files that came while the source was held. A source that reports only changes does not
// report them again, so they would be lost. It stops where the source is held anew. The caller holds the source's lock.
func (r *Runner) readHeld(ctx context.Context, s *Source) error {
	// The next list names everybody again, so nothing of those between is lost.
	if s.lists() {
		return nil
	}
	ids, err := r.Store.WaitingRuns(ctx, s.ID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		u, then, err := r.archived(ctx, s, id)
		if err != nil {
			return err
		}
		// One of those before was held in turn. What comes after it waits, as changes have an order.
		if u.entry.HeldSince != nil {
			return nil
		}
		// A county that is held leaves the others of its source as they are.
		if u.only != nil {
			scope, err := r.scopeEntry(ctx, s, u.only)
			if err != nil {
				return err
			}
			if scope.HeldSince != nil {
				continue
			}
		}
		if _, err := r.readAgain(ctx, u, then); err != nil {
			return err
		}
	}
	return nil
}
