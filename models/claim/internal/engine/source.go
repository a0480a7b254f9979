package engine

import (
	"context"
	"time"

	"rollcall/resolve"
)

// policy looks a source up, once in a transaction. Its complete snapshots are not loaded yet.
func (s *Session) policy(ctx context.Context, id string) (*resolve.Policy, error) {
	if known := s.sources[id]; known != nil {
		return known, nil
	}
	out := &resolve.Policy{ID: id}
	var seconds int64
	var last *time.Time
	if err := s.One(ctx, "source", Args{"source": id}, nil, &out.Lists, &out.Import, &seconds, &last); err != nil {
		return nil, err
	}
	if last != nil {
		out.LastComplete = last.UTC()
	}
	out.Interval = time.Duration(seconds) * time.Second
	s.sources[id] = out
	return out, nil
}

// PolicyOf returns the policy of a source of which a claim was loaded in this session, and nil for others. All claims of the
// source share it.
func (s *Session) PolicyOf(id string) *resolve.Policy { return s.sources[id] }

// ListSnapshots is the step that lists the complete snapshots of the source in its Policy, this one among them when it is
// complete. It runs again when the proof was lowered. A source whose absences mean nothing has none.
func ListSnapshots(ctx context.Context, r *Run) error {
	if !r.Tracks {
		return nil
	}
	if err := r.Do(ctx, "note_content", Args{"run": r.RunID, "approved": r.Approved}); err != nil {
		return err
	}
	r.Policy.Complete = nil
	var c resolve.Complete
	return r.Each(ctx, "complete_snapshots", Args{"source": r.SourceID, "run": r.RunID, "at": r.At, "complete": r.Proven.Complete},
		[]any{&c.At, &c.Confirms, &c.Released}, func() error {
			c.At = c.At.UTC()
			r.Policy.Complete = append(r.Policy.Complete, c)
			return nil
		})
}
