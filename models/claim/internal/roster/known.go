package roster

import (
	"context"
	"maps"
	"slices"

	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// keyed is a key that the source used before, with the booking that its claim is attached to; 0: none yet, the claim is
// pending.
type keyed struct {
	key    string
	record int64
}

// foldKnown folds the rows of keys that the source used before into their claims, some thousands at once. Rows that only
// repeat what is known are counted on the server.
func (ro *roster) foldKnown(ctx context.Context) error {
	// Keys that go apart must be known first: their rows are read even if they only repeat what is known.
	if err := ro.apart(ctx); err != nil {
		return err
	}
	// Most rows of most snapshots go no further than this statement: their fingerprint is that of their claim.
	known, err := ro.knownKeys(ctx)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(known, engine.Chunk) {
		if err := ro.foldKeys(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// foldKeys folds the rows of some known keys.
func (ro *roster) foldKeys(ctx context.Context, known []keyed) error {
	claims, err := ro.claimsUnder(ctx, known)
	if err != nil {
		return err
	}
	keys := make([]string, len(known))
	for i, k := range known {
		keys[i] = k.key
	}
	groups, err := ro.rowsOf(ctx, keys)
	if err != nil {
		return err
	}
	// Whether the claims of a merge say that their booking is over depends on the lists of all their sources.
	if slices.ContainsFunc(known, func(k keyed) bool { return slices.ContainsFunc(ro.of[k.record], isMerged) }) {
		if err := ro.policies(ctx); err != nil {
			return err
		}
	}
	// Only now is it known which bookings the keys name.
	earlier, err := ro.earlier(ctx, groups, claims)
	if err != nil {
		return err
	}
	for i := range groups {
		g := &groups[i]
		// knownKeys counted these rows as unchanged; what they really are is counted while they are folded.
		ro.Applied.Unchanged -= len(g.Rows)
		ro.foldGroup(g, claims[g.Key], earlier)
	}
	return nil
}

// newKeys reports whether the source uses a key that it did not use before. Most snapshots have none, and three statements
// would look at each row for them.
func (ro *roster) newKeys() bool { return ro.rows < ro.Applied.Rows }

// claimsUnder loads the claims of keys, with their bookings and all that is claimed of these. A claim of a booking at hand is
// the one in memory.
// Without that, two copies of one claim could take different rows, and the one written last would win.
func (ro *roster) claimsUnder(ctx context.Context, known []keyed) (map[string]*resolve.BookingClaim, error) {
	// A pending claim has no booking to be loaded with, so it is read by its key.
	var pending []string
	records := make([]int64, len(known))
	for i, k := range known {
		if records[i] = k.record; k.record == 0 {
			pending = append(pending, k.key)
		}
	}
	if err := ro.load(ctx, records); err != nil {
		return nil, err
	}
	out := make(map[string]*resolve.BookingClaim, len(known))
	for _, k := range known {
		for _, c := range ro.of[k.record] {
			if c.Key == k.key && c.Stay == 0 && c.Source.ID == ro.SourceID {
				out[k.key] = c
			}
		}
	}
	if len(pending) == 0 {
		return out, nil
	}
	waiting, err := engine.ClaimsByKey[resolve.BookingFacts](ctx, ro.Session, ro.SourceID, pending)
	maps.Copy(out, waiting)
	return out, err
}

// claim is the claim as it is in memory, where it is that of a booking at hand.
func (ro *roster) claim(c *resolve.BookingClaim) *resolve.BookingClaim {
	for _, known := range ro.of[c.Record] {
		if known.ID() == c.ID() {
			return known
		}
	}
	return c
}

// recordsOf returns the records of claims, each once and in order.
func recordsOf(claims map[string]*resolve.BookingClaim) []int64 {
	var records []int64
	for _, c := range claims {
		if c.Record != 0 {
			records = append(records, c.Record)
		}
	}
	slices.Sort(records)
	return slices.Compact(records)
}

// knownKeys returns the keys whose rows say more than that a known booking is still there, and counts the rows of the
// others. Keys that go apart are among them whatever their rows say.
func (ro *roster) knownKeys(ctx context.Context) ([]keyed, error) {
	var older int
	var keys []string
	var records []int64
	a := engine.Args{"source": ro.SourceID, "repeated": ro.Repeats, "complete": ro.Proven.Complete, "apart": slices.Collect(maps.Keys(ro.joined))}
	if err := ro.One(ctx, "known_keys", a, &ro.rows, &older, &keys, &records); err != nil {
		return nil, err
	}
	ro.Applied.Unchanged += ro.rows - older
	ro.Applied.Older += older
	known := make([]keyed, len(keys))
	for i, key := range keys {
		known[i] = keyed{key, records[i]}
	}
	return slices.Compact(known), nil
}

// earlier loads the bookings of an earlier period that rows may repeat under a number that was used again. Such a row states
// a release that is not later than the booking which the key names now.
func (ro *roster) earlier(ctx context.Context, groups []engine.Group[snapshot.RosterRow],
	claims map[string]*resolve.BookingClaim,
) ([]resolve.BookingRecord, error) {
	var counties []int16
	var booked []any
	for i := range groups {
		known := ro.before[claims[groups[i].Key].Record]
		for _, row := range groups[i].Rows {
			if known != nil && row.Data.ReleasedAt != nil && !row.Data.KeyOnly && !row.Data.ReleasedAt.After(known.BookedAt) {
				counties, booked = append(counties, row.Data.CountyID), append(booked, row.Data.BookedAt)
			}
		}
	}
	if len(counties) == 0 {
		return nil, nil
	}
	var records []int64
	var rid int64
	err := ro.Each(ctx, "earlier_bookings", engine.Args{"counties": counties, "booked": booked}, []any{&rid}, func() error {
		records = append(records, rid)
		return nil
	})
	if err != nil || len(records) == 0 {
		return nil, err
	}
	loaded, err := bookings(ctx, ro.Session, records)
	if err != nil {
		return nil, err
	}
	out := make([]resolve.BookingRecord, 0, len(loaded))
	for _, b := range loaded {
		out = append(out, *b)
	}
	return out, nil
}

// foldGroup folds the rows of one known key into its claim, unless they name another booking than before: then they are set
// aside for recognise, or counted as older where they repeat an earlier period.
func (ro *roster) foldGroup(g *engine.Group[snapshot.RosterRow], c *resolve.BookingClaim, earlier []resolve.BookingRecord) {
	if c.Record == 0 {
		ro.foldPending(g, c)
		return
	}
	known := ro.before[c.Record]
	knownBy := resolve.KnownBy(known, c, ro.of[c.Record])
	unchanged := c.Listed() && len(g.Rows) == 1 && c.SameFingerprint(g.Rows[0].Data.Fingerprint)
	ro.order(g, c)
	newest := deciding(g.Rows)
	if known != nil && (!unchanged || ro.joined[c.Key]) && !newest.KeyOnly {
		switch {
		case ro.joined[c.Key]:
			// The claim takes the rows, but not for this booking: recognise looks for the one that they mean.
			if taken, _ := ro.tell(c, nil, g); taken {
				ro.again[g.Key], ro.split[g.Key] = g.Rows, c
				ro.seen[known.Record] = engine.Later(ro.seen[known.Record], c.LastSeen())
			}
			return
		case !newest.SeenAt.Before(c.LastSeen()) && !c.SameFingerprint(newest.Fingerprint) && resolve.Reused(knownBy, newest):
			ro.again[g.Key] = g.Rows
			return
		// A file of releases may repeat the earlier period.
		// Its release is of somebody who left before. To fold it in would release the person who is in jail now.
		case !newest.SeenAt.Before(c.LastSeen()) && resolve.OfEarlier(knownBy, others(earlier, known.Record), newest):
			ro.Applied.Older++
			return
		}
	}
	// What the claim said before is compared with the row below, when it says something else already.
	// The guards count what the source itself said before, not what the booking shows: another source may know better.
	facts, count := c.Facts, c.SaidAt
	if known != nil {
		ro.seen[known.Record] = engine.Later(ro.seen[known.Record], c.LastSeen())
	}
	taken, contested := ro.tell(c, known, g)
	if !taken {
		return
	}
	ro.touchClaim(c)
	switch {
	case g.Last().SeenAt.Before(count):
		ro.Applied.Older++
	case contested: // it is counted as refused
		// Such a row counts as presence and age (resolve.Leads), and changes no fact of the booking.
		ro.Impact.Refuse(resolve.RewriteBirth)
	case c.How == resolve.Merged && ro.leadOf(c.Record) != c:
		ro.Applied.Unchanged++ // the booking's own key rules
	case unchanged:
		ro.Applied.Unchanged++
		ro.unchanged[c.Record]++
	default:
		ro.weigh(known, &facts, newest)
	}
}

// foldPending folds the rows of a key under which only a release is known. A row that names the person completes the claim:
// recognise looks for its booking, and insert makes it where there is none. Until then the claim is pending.
// Nobody is shown for a release alone: it names nobody, and its booking may be of a juvenile.
func (ro *roster) foldPending(g *engine.Group[snapshot.RosterRow], c *resolve.BookingClaim) {
	release := c.Facts.Released
	ro.order(g, c)
	if taken, _ := ro.tell(c, nil, g); !taken {
		return
	}
	if !c.Facts.Known() {
		ro.Applied.Pending += len(g.Rows)
		ro.touchClaim(c)
		return
	}
	// It was of an earlier booking under the key, or the source has taken it back since.
	if release != nil && c.Facts.Released == nil {
		ro.Applied.Older++
	} else {
		ro.Applied.Resolved++
	}
	ro.pending[c.Key] = c
	ro.again[g.Key] = g.Rows
}

// others returns a list without one booking.
func others(list []resolve.BookingRecord, but int64) []resolve.BookingRecord {
	return slices.DeleteFunc(slices.Clone(list), func(b resolve.BookingRecord) bool { return b.Record == but })
}

// weigh counts, for the mass-change guard, what a row changes of a booking that the source reported before.
// What a row changes of a booking that only another source reported is news and no rewrite.
func (ro *roster) weigh(known *resolve.BookingRecord, before *resolve.BookingFacts, row *snapshot.RosterRow) {
	if known == nil {
		return
	}
	ro.told[known.Record] = true
	// Only of people in jail can implausibly many be released.
	if known.Released == nil {
		ro.spoken++
	}
	for _, fact := range resolve.Rewrites(before, row, ro.Tracks) {
		ro.Impact.Note(fact)
	}
	if text, changed := resolve.Becomes(before, row); changed {
		ro.bonds[text]++
	}
}
