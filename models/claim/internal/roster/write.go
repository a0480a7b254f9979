package roster

import (
	"context"
	"iter"
	"maps"
	"slices"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// write writes the claims and known bookings that became others, the moves of claims, and which counties were read.
func (ro *roster) write(ctx context.Context) error {
	if err := ro.writeTouched(ctx); err != nil {
		return err
	}
	if err := ro.moves(ctx, ro.created); err != nil {
		return err
	}
	if err := ro.NoteAttracted(ctx, ro.attracted); err != nil {
		return err
	}
	if err := ro.writeKnown(ctx); err != nil {
		return err
	}
	// When unchanged rows of a complete snapshot were seen follows from the list of those.
	// Of any other snapshot each unchanged row is noted, or its people would seem to have been seen last long ago.
	if !ro.Proven.Complete {
		if err := ro.Do(ctx, "touch_unchanged", engine.Args{"source": ro.SourceID}); err != nil {
			return err
		}
	}
	return engine.NoteCounties(ctx, ro.Run)
}

// writeTouched writes the claims that became others, in the order of their keys.
func (ro *roster) writeTouched(ctx context.Context) error {
	return engine.WriteClaims(ctx, ro.Session, nil, slices.SortedFunc(maps.Values(ro.claims), byKey))
}

// writeKnown writes the bookings at hand that became others, some thousands at once.
func (ro *roster) writeKnown(ctx context.Context) error {
	for some := range slices.Chunk(slices.Sorted(maps.Keys(ro.after)), engine.Chunk) {
		if err := writeBookings(ctx, ro.Session, ro.before, ro.after, ro.diffs, some); err != nil {
			return err
		}
	}
	return nil
}

// byKey orders claims by key, then by stay.
func byKey(a, b *resolve.BookingClaim) int {
	switch {
	case a.Key != b.Key && a.Key < b.Key:
		return -1
	case a.Key != b.Key:
		return 1
	default:
		return int(a.Stay) - int(b.Stay)
	}
}

// moves notes by which rule new claims came to bookings that were there. Identity is history: unmerge and a look at why two
// sources share a booking read it. Those that merged bookings attracted are noted otherwise (NoteAttracted).
func (ro *roster) moves(ctx context.Context, claims []*resolve.BookingClaim) error {
	return ro.Copy(ctx, "claim_moves", []string{"family", "source_id", "key", "stay", "at", "to_record", "rule", "run_id"}, func(yield func([]any, error) bool) {
		for _, c := range claims {
			if c.How == resolve.Merged {
				continue
			}
			if !yield([]any{string(ro.Family), c.Source.ID, c.Key, c.Stay, ro.Now, c.Record, string(c.How), engine.OrNull(ro.RunID)}, nil) {
				return
			}
		}
	})
}

// writtenBookings are the columns of a booking that a run may change, and whether its history does.
var writtenBookings = []string{
	"rid", "source_id", "name", "name_key", "dob", "birth_year", "booked_at", "released_at", "release_inferred", "release_after", "planned_release",
	"charges", "bond_cents", "agency", "has_photo",
	"withheld", "because_booking", "because_case", "withheld_since", "first_seen", "last_seen", "changed",
}

// writeBookings updates those of the bookings rids that became others, with their charges where these did. diffs holds what
// differs between before and after. Bookings whose published facts are as they were keep their generation.
// Rows go to a temporary table first, and one statement then updates all of them.
func writeBookings(ctx context.Context, s *engine.Session, before map[int64]*resolve.BookingRecord, after map[int64]*resolve.BookingState,
	diffs map[int64][]resolve.Version, rids []int64,
) error {
	var write, charged []int64
	changed := map[int64]bool{}
	// changed decides about the generation, moved about what no reader sees: both must be written.
	// Caches and the list index follow generations: one that rises without a change of what is published empties them for nothing.
	for _, rid := range rids {
		versions := diffs[rid]
		// A photograph has no history, yet readers see whether there is one.
		changed[rid] = len(versions) > 0 || before[rid].HasPhoto != after[rid].HasPhoto
		if changed[rid] || moved(before[rid], &after[rid].BookingRecord) {
			write = append(write, rid)
		}
		if slices.ContainsFunc(versions, func(v resolve.Version) bool { return v.Field == "charges" || v.Field == "charge_details" }) {
			charged = append(charged, rid)
		}
	}
	if len(write) == 0 {
		return nil
	}
	for _, name := range []string{"create_written_bookings", "clear_written_bookings"} {
		if err := s.Do(ctx, name, nil); err != nil {
			return err
		}
	}
	err := s.Copy(ctx, "written_bookings", writtenBookings, func(yield func([]any, error) bool) {
		for _, rid := range write {
			b := &after[rid].BookingRecord
			if !yield(slices.Concat([]any{rid, b.Source}, bookingFacts(b), []any{b.FirstSeen, b.LastSeen, changed[rid]}), nil) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	if err := s.Do(ctx, "update_bookings", engine.Args{"now": s.Now, "gen": s.Gen}); err != nil {
		return err
	}
	if len(charged) == 0 {
		return nil
	}
	if err := s.Do(ctx, "clear_booking_charges", engine.Args{"records": charged}); err != nil {
		return err
	}
	return writeCharges(ctx, s, func(yield func(int64, []snapshot.Charge) bool) {
		for _, rid := range charged {
			if !yield(rid, after[rid].Charges) {
				return
			}
		}
	})
}

// moved reports whether something of a booking changed that its history does not show.
func moved(before, after *resolve.BookingRecord) bool {
	same := before.Source == after.Source && before.FirstSeen.Equal(after.FirstSeen) && before.LastSeen.Equal(after.LastSeen) &&
		(before.After == nil) == (after.After == nil) && (before.After == nil || before.After.Equal(*after.After))
	return !same || !before.Visibility.Same(after.Visibility)
}

// bookingFacts returns the columns of a booking between its source and its instants. A booking that an operator published
// names no cause any more.
// New and known bookings are written by the same list, so neither can forget a column.
func bookingFacts(b *resolve.BookingRecord) []any {
	var by, kase *int64
	v := b.Visibility
	if v.Because != nil && v.Withheld() != models.Published {
		if by = &v.Because.Record; v.Because.Family == models.Courts {
			by, kase = nil, &v.Because.Record
		}
	}
	return []any{
		b.Name, match.SearchKey(b.Name), b.DOB, engine.OrNull(b.Year), b.BookedAt, b.Released, b.Inferred, b.After, b.Planned,
		resolve.Descriptions(b.Charges), b.Bond, engine.OrNull(b.Agency), b.HasPhoto,
		engine.OrNull(string(v.Withheld())), by, kase, engine.OrNull(v.Since),
	}
}

// writeCharges writes the charges of bookings one by one, where they have more than descriptions: the descriptions are in the
// booking itself.
func writeCharges(ctx context.Context, s *engine.Session, all iter.Seq2[int64, []snapshot.Charge]) error {
	columns := []string{"rid", "seq", "description", "statute", "severity", "bond_cents", "bond_text", "bond_kind", "disposition"}
	return s.Copy(ctx, "booking_charges", columns, func(yield func([]any, error) bool) {
		for rid, charges := range all {
			if !resolve.Detailed(charges) {
				continue
			}
			for i, c := range charges {
				if !yield([]any{
					rid, int16(i + 1), c.Description, engine.OrNull(c.Statute), engine.OrNull(c.Severity), c.BondCents, engine.OrNull(c.BondText),
					engine.OrNull(string(c.BondKind)), engine.OrNull(c.Disposition),
				}, nil) {
					return
				}
			}
		}
	})
}
