package claim

import (
	"context"
	"fmt"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/db/joint"
	"rollcall/resolve"
)

// decide stores a decision. A later one takes its place only where the caller ends it.
func (s *action) decide(d models.DecisionRow) error {
	d.Family, d.DecidedAt = s.Family, s.Now
	if err := s.rows.Create(&d).Error; err != nil {
		return fmt.Errorf("store decision: %w", err)
	}
	return nil
}

// decideOn stores what an operator decided about a record and the ground (reason) on which it is withheld. The decision takes
// the place of those before it about the same ground, and the record is resolved anew. A record that is published in spite of
// one ground may be withheld on another.
func (s *Store) decideOn(ctx context.Context, tx *joint.Tx, of resolve.Ref, kind resolve.DecisionKind, reason models.WithheldReason, actor, note string) error {
	t := s.action(tx, of.Family)
	if err := t.Lock(ctx); err != nil {
		return err
	}
	d := models.DecisionRow{Record: of.Record, Kind: string(kind), Reason: &reason, Actor: actor, Note: note}
	because, err := t.becauseOf(ctx, of.Record)
	if err != nil {
		return err
	}
	if because != nil && reason != models.WithheldRestricted { // a restriction is on nobody else's account
		d.BecauseFamily, d.Because = &because.Family, &because.Record
	}
	err = t.Do(ctx, "end_other_decisions", engine.Args{
		"family": t.Family, "record": of.Record, "reason": string(reason), "because_family": d.BecauseFamily, "because": d.Because, "kind": string(kind), "now": t.Now,
	})
	if err != nil {
		return err
	}
	if err := t.decide(d); err != nil {
		return err
	}
	if t.of.withheldBy != "" && reason != models.WithheldRestricted {
		if err := t.decideOnThose(ctx, d); err != nil {
			return err
		}
	}
	_, err = t.resolve(ctx, of.Record)
	return err
}

// decideOnThose stores the decision about a case for the bookings that are withheld on its account, each of which it publishes
// in spite of that case. To withhold the case ends what was decided so. The case may name another booking later: that one
// is reviewed by itself.
func (s *action) decideOnThose(ctx context.Context, d models.DecisionRow) error {
	return s.Do(ctx, s.of.withheldBy, engine.Args{
		"record": d.Record, "publish": d.Kind == string(resolve.Publish), "actor": d.Actor, "note": d.Note, "now": s.Now,
	})
}

// becauseOf returns the other record on whose account a record is withheld, or would be if an operator had not published it;
// nil: its own claims say so. A decision to publish is about that record too.
func (s *action) becauseOf(ctx context.Context, record int64) (*resolve.Ref, error) {
	if s.of.because == nil {
		return nil, nil //nolint:nilnil // none is no error
	}
	return s.of.because(ctx, s.Session, record)
}
