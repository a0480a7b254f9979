package ingest

import (
	"context"

	"rollcall/models/source"
)

// Settle reads the rows again that waited for a court case or a booking which something else than a run of their source has
// told of since. It gives how many of them are facts now.
func (r *Runner) Settle(ctx context.Context, s *Source) (int, error) {
	unlock, err := r.lock(ctx, s)
	if err != nil {
		return 0, err
	}
	defer unlock()
	report := newReport(0, s.ID)
	err = r.settle(ctx, s, report)
	return report.Resolved, err
}

// settle replays the runs, oldest first, of which rows waited for a case that is there now, or releases for their
// bookings: files of a court and messages of a jail come in any order. What is newer than such a row stays, as in any replay. The caller holds the source's lock; what
// became a fact is counted in the report of what it did.
func (r *Runner) settle(ctx context.Context, s *Source, report *Report) error {
	if s.Kind != "courts" && s.Fields["release"] == nil || !report.applied() {
		return nil
	}
	done := map[int64]bool{}
	for {
		ids, err := r.Store.PendingRuns(ctx, s.ID)
		if err != nil {
			return err
		}
		again := false
		for _, id := range ids {
			if done[id] { // what a replay could not settle, another one can not
				continue
			}
			done[id], again = true, true
			u, then, err := r.archived(ctx, s, id)
			if err != nil {
				return err
			}
			replayed, err := r.readAgain(ctx, u, then)
			if err != nil {
				return err
			}
			report.Resolved += replayed.Resolved
		}
		if !again { // else a replay may have told of another case
			return nil
		}
	}
}

// applied tells whether what the run read is facts now.
func (r *Report) applied() bool { return r.State == source.RunOK || r.State == source.RunPartial }
