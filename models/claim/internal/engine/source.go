package engine

import (
	"context"
	"time"

	"rollcall/resolve"
)

// policy looks a source up, once in a transaction.
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

// PolicyOf returns the policy of a source whose claims were loaded.
func (s *Session) PolicyOf(id string) *resolve.Policy { return s.sources[id] }

// ListSnapshots lists the complete snapshots of the source, this one among them when it is complete.
func ListSnapshots(ctx context.Context, r *Run) error {
	if !r.Tracks {
		return nil
	}
	if err := r.Do(ctx, "note_content", Args{"run": r.RunID}); err != nil {
		return err
	}
	r.Policy.Complete = nil
	var c resolve.Complete
	return r.Each(ctx, "complete_snapshots", Args{"source": r.SourceID, "run": r.RunID, "at": r.At, "complete": r.Verdict.Complete}, []any{&c.At, &c.Confirms}, func() error {
		c.At = c.At.UTC()
		r.Policy.Complete = append(r.Policy.Complete, c)
		return nil
	})
}
