package claim

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"rollcall/match"
	"rollcall/models"
	"rollcall/resolve"
)

// write writes claims and known bookings that became others. What a booking becomes of its causes is written with them.
func (ro *roster) write(ctx context.Context) error {
	if err := ro.writeTouched(ctx); err != nil {
		return err
	}
	if err := ro.moves(ctx, ro.created); err != nil {
		return err
	}
	if err := ro.writeKnown(ctx); err != nil {
		return err
	}
	if !ro.verdict.Complete {
		if err := ro.do(ctx, "touch_unchanged", args{"source": ro.SourceID}); err != nil {
			return err
		}
	}
	return ro.do(ctx, "note_counties", args{"source": ro.SourceID})
}

// writeTouched writes the claims that became others, in the order of their keys.
func (ro *roster) writeTouched(ctx context.Context) error {
	return writeClaims(ctx, ro.session, nil, slices.SortedFunc(maps.Values(ro.claims), byKey))
}

// writeKnown writes the bookings at hand.
func (ro *roster) writeKnown(ctx context.Context) error {
	for some := range slices.Chunk(slices.Sorted(maps.Keys(ro.after)), chunk) {
		if err := ro.session.writeBookings(ctx, ro.before, ro.after, ro.diffs, some); err != nil {
			return err
		}
	}
	return nil
}

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

// moves notes by which rule new claims came to bookings that were there.
func (ro *roster) moves(ctx context.Context, claims []*resolve.BookingClaim) error {
	return copyInto(ctx, ro.tx, "claim_moves", []string{"family", "source_id", "key", "stay", "at", "to_record", "rule", "run_id"}, func(yield func([]any, error) bool) {
		for _, c := range claims {
			if !yield([]any{string(ro.family), c.Source.ID, c.Key, c.Stay, ro.now, c.Record, string(c.How), orNull(ro.RunID)}, nil) {
				return
			}
		}
	})
}

var writtenBookings = []string{
	"rid", "source_id", "name", "name_key", "dob", "birth_year", "booked_at", "released_at", "release_inferred", "release_after", "planned_release", "charges", "bond_cents",
	"withheld", "sealed_by", "sealed_case", "withheld_since", "first_seen", "last_seen", "changed",
}

// writeBookings updates bookings, with their charges where these became others. diffs are what differs between before and after.
func (s *session) writeBookings(ctx context.Context, before map[int64]*resolve.BookingRecord, after map[int64]*resolve.BookingState, diffs map[int64][]resolve.Version, rids []int64) error {
	var write, charged []int64
	changed := map[int64]bool{}
	for _, rid := range rids {
		versions := diffs[rid]
		changed[rid] = len(versions) > 0
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
		if err := s.do(ctx, name, nil); err != nil {
			return err
		}
	}
	err := copyInto(ctx, s.tx, "written_bookings", writtenBookings, func(yield func([]any, error) bool) {
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
	if err := s.do(ctx, "update_bookings", args{"now": s.now, "gen": s.gen}); err != nil {
		return err
	}
	if len(charged) == 0 {
		return nil
	}
	if err := s.do(ctx, "clear_booking_charges", args{"records": charged}); err != nil {
		return err
	}
	return s.writeCharges(ctx, func(yield func(int64, []models.Charge) bool) {
		for _, rid := range charged {
			if !yield(rid, after[rid].Charges) {
				return
			}
		}
	})
}

// moved reports whether something of a booking became another that its history does not show.
func moved(before, after *resolve.BookingRecord) bool {
	same := before.Source == after.Source && before.FirstSeen.Equal(after.FirstSeen) && before.LastSeen.Equal(after.LastSeen) &&
		(before.After == nil) == (after.After == nil) && (before.After == nil || before.After.Equal(*after.After))
	return !same || !before.Visibility.Same(after.Visibility)
}

// bookingFacts are the columns of a booking between its source and its instants.
func bookingFacts(b *resolve.BookingRecord) []any {
	var by, kase *int64
	v := b.Visibility
	if v.Because != nil && v.Withheld() != models.Published {
		if by = &v.Because.Record; v.Because.Family == models.Courts {
			by, kase = nil, &v.Because.Record
		}
	}
	return []any{
		b.Name, match.SearchKey(b.Name), b.DOB, orNull(b.Year), b.BookedAt, b.Released, b.Inferred, b.After, b.Planned, resolve.Descriptions(b.Charges), b.Bond,
		orNull(string(v.Withheld())), by, kase, orNull(v.Since),
	}
}

// writeCharges writes charges one by one, of bookings where they have more than descriptions.
func (s *session) writeCharges(ctx context.Context, all iter.Seq2[int64, []models.Charge]) error {
	columns := []string{"rid", "seq", "description", "statute", "severity", "bond_cents", "bond_text", "disposition"}
	return copyInto(ctx, s.tx, "booking_charges", columns, func(yield func([]any, error) bool) {
		for rid, charges := range all {
			if !resolve.Detailed(charges) {
				continue
			}
			for i, c := range charges {
				if !yield([]any{rid, int16(i + 1), c.Description, orNull(c.Statute), orNull(c.Severity), c.BondCents, orNull(c.BondText), orNull(c.Disposition)}, nil) {
					return
				}
			}
		}
	})
}

// insert makes the bookings that nobody knew, and the claims that wait for theirs.
func (ro *roster) insert(ctx context.Context) error {
	apart := slices.SortedFunc(maps.Values(ro.split), byKey)
	if err := ro.make(ctx, apart, true); err != nil {
		return err
	}
	if !ro.Imported && !ro.newKeys() && len(ro.again) == 0 {
		return nil
	}
	return ro.eachNew(ctx, func(groups []group[models.RosterRow]) error {
		claims := make([]*resolve.BookingClaim, 0, len(groups))
		for i := range groups {
			if c := ro.foldNew(&groups[i]); c != nil {
				claims = append(claims, c)
			}
		}
		return ro.make(ctx, claims, false)
	})
}

// eachNew takes the rows of new keys, in the order of booking, some thousands at once.
func (ro *roster) eachNew(ctx context.Context, do func([]group[models.RosterRow]) error) error {
	name := "new_rows_once"
	if ro.repeats {
		name = "new_rows"
	}
	if err := ro.do(ctx, name, args{"source": ro.SourceID}); err != nil {
		return err
	}
	var groups []group[models.RosterRow]
	for {
		rows, err := ro.tx.Query(ctx, ro.sql.get("fetch_new_rows"))
		if err != nil {
			return fmt.Errorf("fetch new rows: %w", err)
		}
		var n int
		if groups, n, err = readGroups(rows, groups); err != nil {
			return fmt.Errorf("fetch new rows: %w", err)
		}
		if n == 0 {
			break
		}
		last := len(groups) - 1
		if err := do(groups[:last]); err != nil {
			return err
		}
		groups = slices.Clone(groups[last:])
	}
	if err := do(groups); err != nil {
		return err
	}
	return ro.do(ctx, "close_new_rows", nil)
}

// foldNew folds the rows of a new key into a claim; nil when none of them was taken.
func (ro *roster) foldNew(g *group[models.RosterRow]) *resolve.BookingClaim {
	c := resolve.NewBooking(ro.policy, g.key, 0)
	c.HowAt = ro.now
	if taken, _ := ro.tell(c, nil, g, ro.newestOf(g, c)); !taken {
		return nil
	}
	if !c.Facts.Known() {
		row := g.rows[len(g.rows)-1]
		ro.applied.Rejected = append(ro.applied.Rejected, models.RejectedRow{
			Line: row.line, Field: "release.number", Reason: "waits for its booking, which no file has told of yet", Awaits: &models.Awaited{Booking: g.key, SeenAt: row.data.SeenAt},
		})
		return nil
	}
	return c
}

// make makes bookings of claims, in their order. known says that the claims were there before.
func (ro *roster) make(ctx context.Context, claims []*resolve.BookingClaim, known bool) error {
	if len(claims) == 0 {
		return nil
	}
	slices.SortStableFunc(claims, func(a, b *resolve.BookingClaim) int { return a.Facts.BookedAt.Compare(b.Facts.BookedAt) })
	states := make([]resolve.BookingState, len(claims))
	for i, c := range claims {
		states[i] = resolve.Booking(resolve.BookingInput{Claims: []*resolve.BookingClaim{c}, Now: ro.now})
		c.Disputed = len(states[i].Disputed) > 0
	}
	if err := ro.number(ctx, claims, states); err != nil {
		return err
	}
	for i, c := range claims {
		c.Record = states[i].Record
		ro.lateRelease(&states[i].BookingRecord)
		ro.date(&states[i].BookingRecord)
		if ro.rehearsal.wanted && states[i].Visibility.Withheld() == "" {
			since := states[i].BookedAt
			ro.rehearsal.Fresh = trim(append(ro.rehearsal.Fresh, models.Gone{Name: states[i].Name, Since: &since}), maxListed, byName)
		}
	}
	if ro.firstID == 0 {
		ro.firstID = states[0].Record
	}
	ro.lastID = states[len(states)-1].Record
	ro.applied.New += len(claims)
	columns := slices.Concat([]string{"id", "county_id", "known_at", "last_change", "gen", "imported"}, writtenBookings[:len(writtenBookings)-1])
	err := copyInto(ctx, ro.tx, "bookings", columns, func(yield func([]any, error) bool) {
		for i := range states {
			b := &states[i].BookingRecord
			first := []any{b.ID, b.County, ro.now, ro.now, ro.gen, ro.Imported, b.Record, b.Source}
			if !yield(slices.Concat(first, bookingFacts(b), []any{b.FirstSeen, b.LastSeen}), nil) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	err = ro.writeCharges(ctx, func(yield func(int64, []models.Charge) bool) {
		for i := range states {
			if !yield(states[i].Record, states[i].Charges) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	if known {
		return writeClaims(ctx, ro.session, nil, claims)
	}
	return writeClaims(ctx, ro.session, claims, nil)
}

// date notes when the newest of the bookings that watchers may be told of began or ended.
func (ro *roster) date(b *resolve.BookingRecord) {
	if b.Visibility.Withheld() != "" {
		return
	}
	if ro.newest = later(ro.newest, b.BookedAt); b.Released != nil {
		ro.newest = later(ro.newest, *b.Released)
	}
}

// lateRelease notes the release of a booking that nobody knew and that newer snapshots lack already: it was in jail at
// first, as its history shows.
func (ro *roster) lateRelease(b *resolve.BookingRecord) {
	if b.After == nil {
		return
	}
	open := *b
	open.Released, open.Inferred = nil, false
	for _, v := range resolve.Diff(open.Fields(), b.Fields()) {
		ro.versions = append(ro.versions, version{b.Record, b.Source, v})
	}
	ro.applied.Closed++
}
