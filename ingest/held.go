package ingest

import "context"

// readHeld reads in their order what came while the source was held, after that has ended: a file that tells only what changed
// is not told again. It stops where the source is held anew. The caller holds the source's lock.
func (r *Runner) readHeld(ctx context.Context, s *Source) error {
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
		if u.entry.HeldSince != nil {
			return nil
		}
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
