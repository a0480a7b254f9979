package claim

import (
	"context"
	"slices"

	"rollcall/models"
	"rollcall/resolve"
)

// bookingsAnew resolves bookings from their claims and decisions without a snapshot: an operator decided something, or a
// rule changed. What follows of it, for others and for watchers, is done too.
func bookingsAnew(ctx context.Context, s *session, records []int64) ([]Change, error) {
	ro := newRoster()
	ro.run = &run{session: s}
	ro.applied.Generation = s.gen
	ro.touched = slices.Clone(records)
	if err := ro.load(ctx, records); err != nil {
		return nil, err
	}
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
	var out []Change
	for _, rid := range records {
		before, after := ro.before[rid], ro.after[rid]
		if before == nil || after == nil {
			continue
		}
		if versions := ro.diffs[rid]; len(versions) > 0 {
			out = append(out, Change{Family: models.Roster, ID: after.ID, Versions: versions})
		}
	}
	return out, nil
}

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

// becauseOfBooking is the record on whose account a booking is withheld, or was until an operator published it.
func becauseOfBooking(ctx context.Context, s *session, record int64) (*resolve.Ref, error) {
	var booking, kase int64
	if err := s.one(ctx, "because_of", args{"record": record}, &booking, &kase); err != nil {
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
