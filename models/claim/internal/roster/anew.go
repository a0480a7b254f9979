package roster

import (
	"context"
	"maps"
	"slices"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/resolve"
)

// Resolve resolves bookings from their claims and decisions without a snapshot, because an operator decided something or a
// rule changed. It writes what became another, and does what follows of it for other records and for watchers. It returns
// the bookings whose published facts changed, also those that follow others. The session must hold the family's lock.
func Resolve(ctx context.Context, s *engine.Session, records []int64) ([]engine.Change, error) {
	ro := newRoster()
	// There is no snapshot, so nothing is complete or absent, and no guard is asked: what an operator decides is not held.
	ro.Run = &engine.Run{Session: s}
	ro.Applied.Generation = s.Gen
	ro.Touched = slices.Clone(records)
	if err := ro.load(ctx, records); err != nil {
		return nil, err
	}
	// Without a snapshot, changes are ascribed to the source of the first booking.
	for _, rid := range records {
		if b := ro.before[rid]; b != nil {
			ro.SourceID = b.Source
			break
		}
	}
	if err := ro.resolve(ctx); err != nil {
		return nil, err
	}
	if err := ro.writeAnew(ctx); err != nil {
		return nil, err
	}
	var out []engine.Change
	for _, rid := range slices.Sorted(maps.Keys(ro.after)) {
		if versions := ro.diffs[rid]; len(versions) > 0 {
			out = append(out, engine.Change{Family: models.Roster, ID: ro.after[rid].ID, Versions: versions})
		}
	}
	return out, nil
}

// writeAnew is what the steps from write on are for a snapshot.
// Causes come before news: a booking that is published and withheld again in one transaction is no event.
func (ro *roster) writeAnew(ctx context.Context) error {
	if err := ro.writeTouched(ctx); err != nil {
		return err
	}
	if err := ro.writeKnown(ctx); err != nil {
		return err
	}
	if err := ro.causes(ctx); err != nil {
		return err
	}
	return ro.news(ctx)
}

// Because returns the record on whose account a booking is withheld, or was until an operator published it: another booking
// or a court case. It is nil when the booking's own claims say so.
func Because(ctx context.Context, s *engine.Session, record int64) (*resolve.Ref, error) {
	var booking, kase int64
	if err := s.One(ctx, "because_of", engine.Args{"record": record}, &booking, &kase); err != nil {
		return nil, err
	}
	switch {
	case booking != 0:
		return &resolve.Ref{Family: models.Roster, Record: booking}, nil
	case kase != 0:
		return &resolve.Ref{Family: models.Courts, Record: kase}, nil
	default:
		return nil, nil //nolint:nilnil // its own claims say so
	}
}
