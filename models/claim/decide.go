package claim

import (
	"context"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/resolve"
)

// decision is what an operator decided, on its way into the tables.
type decision struct {
	record  int64
	kind    string // publish, withhold, merge, unmerge
	reason  models.WithheldReason
	because *resolve.Ref
	other   int64
	actor   string
	note    string
}

// decide stores a decision. A later one takes its place only where the caller ends it.
func (s *action) decide(ctx context.Context, d decision) error {
	a := engine.Args{
		"family": s.Family, "record": d.record, "kind": d.kind, "reason": string(d.reason), "because_family": nil, "because": nil,
		"other": engine.OrNull(d.other), "actor": d.actor, "note": d.note, "now": s.Now,
	}
	if d.because != nil {
		a["because_family"], a["because"] = string(d.because.Family), d.because.Record
	}
	return s.Do(ctx, "decide", a)
}

// DecideIn stores, in a transaction of the caller, what an operator decided about a record and the ground (reason) on which
// it is withheld. The decision takes the place of those before it about the same ground, and the record is resolved anew. A
// record that is published in spite of one ground may be withheld on another.
func (s *Store) DecideIn(ctx context.Context, tx pgx.Tx, of resolve.Ref, kind resolve.DecisionKind, reason models.WithheldReason, actor, note string) error {
	t := s.action(tx, of.Family)
	if err := t.Lock(ctx); err != nil {
		return err
	}
	because, err := t.becauseOf(ctx, of.Record)
	if err != nil {
		return err
	}
	err = t.Do(ctx, "end_other_decisions", engine.Args{"family": t.Family, "record": of.Record, "reason": string(reason), "kind": string(kind), "now": t.Now})
	if err != nil {
		return err
	}
	if err := t.decide(ctx, decision{record: of.Record, kind: string(kind), reason: reason, because: because, actor: actor, note: note}); err != nil {
		return err
	}
	_, err = t.resolve(ctx, of.Record)
	return err
}

// becauseOf returns the other record on whose account a record is withheld, or would be if an operator had not published it;
// nil: its own claims say so. A decision to publish is about that record too.
func (s *action) becauseOf(ctx context.Context, record int64) (*resolve.Ref, error) {
	if s.of.because == nil {
		return nil, nil //nolint:nilnil // none is no error
	}
	return s.of.because(ctx, s.Session, record)
}
