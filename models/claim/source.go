package claim

import (
	"context"
	"time"

	"rollcall/models"
	"rollcall/resolve"
)

// source is what resolving needs to know of a source, with its family.
type source struct {
	resolve.Policy
	kind models.Family
}

// source looks a source up, once in a transaction.
func (s *session) source(ctx context.Context, id string) (*source, error) {
	if known := s.sources[id]; known != nil {
		return known, nil
	}
	out := &source{Policy: resolve.Policy{ID: id}}
	var seconds int64
	var last *time.Time
	if err := s.one(ctx, "source", args{"source": id}, &out.kind, &out.Lists, &out.Import, &seconds, &last); err != nil {
		return nil, err
	}
	if last != nil {
		out.LastComplete = last.UTC()
	}
	out.Interval = time.Duration(seconds) * time.Second
	s.sources[id] = out
	return out, nil
}

// policyOf returns the policy of a source whose claims were loaded.
func (s *session) policyOf(id string) *resolve.Policy { return &s.sources[id].Policy }

// listSnapshots lists the complete snapshots of the source, this one among them when it is complete.
func listSnapshots(ctx context.Context, r *run) error {
	if !r.Tracks {
		return nil
	}
	if err := r.do(ctx, "note_content", args{"run": r.RunID}); err != nil {
		return err
	}
	r.policy.Complete = nil
	var c resolve.Complete
	return r.each(ctx, "complete_snapshots", args{"source": r.SourceID, "run": r.RunID, "at": r.At, "complete": r.verdict.Complete}, []any{&c.At, &c.Confirms}, func() error {
		c.At = c.At.UTC()
		r.policy.Complete = append(r.policy.Complete, c)
		return nil
	})
}
