package roster

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// load takes bookings and all of their claims into memory, as far as they are not there. A claim that is at hand already is
// shared and not read again: it may have become another.
func (ro *roster) load(ctx context.Context, records []int64) error {
	// What is in memory may be newer than the tables, which are written at the end.
	records = slices.DeleteFunc(slices.Clone(records), func(rid int64) bool { return rid == 0 || ro.before[rid] != nil })
	slices.Sort(records)
	for some := range slices.Chunk(slices.Compact(records), engine.Chunk) {
		loaded, err := bookings(ctx, ro.Session, some)
		if err != nil {
			return err
		}
		claims, err := engine.ClaimsOf[resolve.BookingFacts](ctx, ro.Session, some)
		if err != nil {
			return err
		}
		for rid, b := range loaded {
			ro.before[rid], ro.of[rid] = b, claims[rid]
			for i, c := range ro.of[rid] {
				if known := ro.claims[c.ID()]; known != nil {
					ro.of[rid][i] = known
				}
			}
			// With one claim of the source there is no other that could take the lead.
			// The copy is made before rows are folded in: after that it is lost what the source said under its lead key.
			if len(ro.ownOf(rid)) > 1 {
				ro.keepLead(rid)
			}
		}
	}
	return nil
}

// keepLead keeps a copy of the claim by which the source speaks of a booking, before another one may take its place
// (succeed).
func (ro *roster) keepLead(rid int64) {
	c := ro.leadOf(rid)
	if _, kept := ro.lead[rid]; kept || c == nil {
		return
	}
	before := *c
	before.Since = maps.Clone(c.Since)
	ro.lead[rid] = before
}

// bookings loads bookings as they are stored, by key, with their visibility as operators left it.
func bookings(ctx context.Context, s *engine.Session, records []int64) (map[int64]*resolve.BookingRecord, error) {
	out := make(map[int64]*resolve.BookingRecord, len(records))
	decisions, err := s.DecisionsOf(ctx, records)
	if err != nil {
		return nil, err
	}
	var (
		b        resolve.BookingRecord
		dob      pgtype.Date
		charges  []string
		withheld *string
		by, kase int64
		since    *time.Time
	)
	// One set of variables is scanned over and over; what is kept of pointers is copied.
	into := []any{
		&b.Record, &b.ID, &b.Source, &b.County, &b.Name, &dob, &b.Year, &b.BookedAt, &b.Released, &b.Inferred, &b.After, &b.Planned,
		&charges, &b.Bond, &b.Agency, &withheld, &by, &kase, &since, &b.FirstSeen, &b.LastSeen, &b.Merged, &b.HasPhoto,
	}
	err = s.Each(ctx, "load_bookings", engine.Args{"records": records}, into, func() error {
		got := b
		got.DOB = engine.DayOf(dob)
		got.BookedAt, got.FirstSeen, got.LastSeen = b.BookedAt.UTC(), b.FirstSeen.UTC(), b.LastSeen.UTC()
		got.Released, got.After, got.Planned = engine.UTC(b.Released), engine.UTC(b.After), engine.UTC(b.Planned)
		for _, description := range charges {
			got.Charges = append(got.Charges, snapshot.Charge{Description: description})
		}
		// A booking is withheld on account of one record at most, of either family.
		// When that one ends, the others are looked for (followCauses).
		var because *resolve.Ref
		switch {
		case by != 0:
			because = &resolve.Ref{Family: models.Roster, Record: by}
		case kase != 0:
			because = &resolve.Ref{Family: models.Courts, Record: kase}
		}
		got.Visibility = resolve.Before(engine.ReasonOf(withheld), because, engine.UTC(since), decisions[b.Record])
		if b.Bond != nil {
			cents := *b.Bond
			got.Bond = &cents
		}
		out[b.Record] = &got
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, bookingCharges(ctx, s, out, records)
}

// bookingCharges loads the details of charges. A booking whose charges have only descriptions has no rows of them.
func bookingCharges(ctx context.Context, s *engine.Session, bookings map[int64]*resolve.BookingRecord, records []int64) error {
	var rid int64
	var seq int16
	var c snapshot.Charge
	return s.Each(ctx, "load_booking_charges", engine.Args{"records": records},
		[]any{&rid, &seq, &c.Description, &c.Statute, &c.Severity, &c.BondCents, &c.BondText, &c.BondKind, &c.Disposition}, func() error {
			b := bookings[rid]
			if i := int(seq) - 1; b != nil && i >= 0 && i < len(b.Charges) {
				got := c
				if c.BondCents != nil {
					cents := *c.BondCents
					got.BondCents = &cents
				}
				b.Charges[i] = got
			}
			return nil
		})
}

// policies loads what resolving custody needs to know of the other sources of the bookings at hand: whether their absence
// releases, their windows, and their complete snapshots. Each source is loaded once in a run. A person whom another live
// source lists is not gone, so without it a shared booking would be closed too early.
func (ro *roster) policies(ctx context.Context) error {
	var ids []string
	for _, claims := range ro.of {
		for _, c := range claims {
			if id := c.Source.ID; !ro.policed[id] {
				ro.policed[id] = true
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	var id string
	var releases bool
	var window int
	err := ro.Each(ctx, "policies", engine.Args{"sources": ids}, []any{&id, &releases, &window}, func() error {
		p := ro.PolicyOf(id)
		// Its source document is not at hand: the policy is what the last run of that source noted (start).
		p.Releases, p.WindowDays = releases, window
		return nil
	})
	if err != nil {
		return err
	}
	var at time.Time
	return ro.Each(ctx, "complete_of", engine.Args{"sources": ids, "since": time.Time{}}, []any{&id, &at}, func() error {
		// Byte-for-byte copies matter only for the run's own source, whose list the engine loads.
		p := ro.PolicyOf(id)
		p.Complete = append(p.Complete, resolve.Complete{At: at.UTC(), Confirms: true})
		return nil
	})
}
