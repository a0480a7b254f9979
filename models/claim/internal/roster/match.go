package roster

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// recognise finds the bookings that newcomers are: rows of keys that the source did not use before, and of keys that name
// another booking now. A newcomer that it does not recognise becomes a booking of its own when the rest is written. The
// rule is resolve.Identify; who is recognised wrongly is shown with the charges of another, so it asks for certainty.
func (ro *roster) recognise(ctx context.Context) error {
	keys, rows, err := ro.newcomers(ctx)
	if err != nil {
		return err
	}
	// All newcomers are compared at once: one is recognised only if neither side has another candidate.
	matched := map[string]resolve.Match{}
	var records []int64
	for _, m := range resolve.Identify(ro.identity(), rows) {
		matched[keys[m.Row]] = m
		records = append(records, m.Record)
	}
	if err := ro.load(ctx, records); err != nil {
		return err
	}
	stays, err := ro.lastStays(ctx)
	if err != nil {
		return err
	}
	// Keys that name another booking now: what they said before is kept as an earlier period, or goes apart.
	for key, again := range ro.again {
		m, ok := matched[key]
		if c := ro.pending[key]; c != nil {
			ro.complete(c, m, ok)
			continue
		}
		if c := ro.split[key]; c != nil {
			if err := ro.goApart(ctx, c, m, ok); err != nil {
				return err
			}
			continue
		}
		if err := ro.setAside(ctx, key, stays[key]); err != nil {
			return err
		}
		if ok {
			ro.attach(key, again, m)
		}
	}
	return ro.foldMatched(ctx, matched)
}

// identity returns by which rule newcomers of the source are recognised.
func (ro *roster) identity() resolve.Identity {
	return resolve.Identity{Lists: ro.Tracks, Renumbered: ro.Renumbered, Rekey: resolve.Rekey(ro.Composite, ro.Tracks)}
}

// newcomers returns the newest rows of new keys, with the bookings that they may be: candidates of the same county and about
// the same time. keys[i] is the key of rows[i]. A takeover has no candidates, nor has a county without bookings: a first load
// looks for none.
// The statement near_bookings narrows the search by county and time. Who is the same person is decided by resolve.Identify.
func (ro *roster) newcomers(ctx context.Context) (keys []string, rows []resolve.Newcomer, err error) {
	again := make([]string, 0, len(ro.again))
	for key := range ro.again {
		again = append(again, key)
	}
	if ro.Imported || !ro.newKeys() && len(again) == 0 {
		return nil, nil, nil
	}
	var some bool
	if err := ro.One(ctx, "any_near", nil, &some); err != nil || !some {
		return nil, nil, err
	}
	var records []int64 // that others were merged into
	var (
		key    string
		c      resolve.Candidate
		merged bool
		dob    pgtype.Date
	)
	err = ro.Each(ctx, "near_bookings", engine.Args{"source": ro.SourceID, "again": again, "reach": resolve.Reach},
		[]any{&key, &c.Record, &c.By, &merged, &c.Name, &dob, &c.BookedAt, &c.Charges, &c.Over, &c.Mine, &c.PersonKey, &c.At}, func() error {
			c.DOB = engine.DayOf(dob)
			// The statement returns the candidates of one key together.
			if len(keys) == 0 || keys[len(keys)-1] != key {
				keys, rows = append(keys, key), append(rows, resolve.Newcomer{Reused: ro.again[key] != nil && ro.pending[key] == nil})
			}
			last := &rows[len(rows)-1]
			found := c
			found.Charges, found.At, found.Named = slices.Clone(c.Charges), slices.Clone(c.At), len(c.At) > 0
			last.Near = append(last.Near, found)
			if merged {
				records = append(records, c.Record)
			}
			return nil
		})
	if err != nil || len(keys) == 0 {
		return nil, nil, err
	}
	if err := ro.unmerged(ctx, records, rows); err != nil {
		return nil, nil, err
	}
	// Candidates are compared with the newest row of a key: older ones of the same file may be corrected by it.
	newest, err := ro.newestRows(ctx, keys)
	for i, key := range keys {
		if row := newest[key]; row != nil {
			rows[i].Stay, rows[i].At = stayOf(row), row.SeenAt
		}
	}
	return keys, rows, err
}

// stayOf returns the booking period that a row speaks of.
func stayOf(row *snapshot.RosterRow) resolve.Stay {
	return resolve.Stay{
		Person: personOf(row), BookedAt: resolve.Instant(row.BookedAt), PersonKey: row.PersonKey,
		Charges: resolve.Descriptions(row.Charges), Over: row.ReleasedAt != nil,
	}
}

// personOf returns the person that a row speaks of.
func personOf(row *snapshot.RosterRow) resolve.Person {
	return resolve.Person{Name: row.Name, DOB: row.DOB, Year: row.BirthYear}
}

// newestRows reads the newest row of each of some keys. Releases that name only a key are passed over: they name nobody.
func (ro *roster) newestRows(ctx context.Context, keys []string) (map[string]*snapshot.RosterRow, error) {
	groups, err := ro.rowsOf(ctx, keys)
	out := make(map[string]*snapshot.RosterRow, len(groups))
	for i := range groups {
		for _, row := range groups[i].Rows {
			if !row.Data.KeyOnly {
				out[groups[i].Key] = row.Data
			}
		}
	}
	return out, err
}

// foldMatched folds the rows of new keys that were recognised, in the order of the keys.
func (ro *roster) foldMatched(ctx context.Context, matched map[string]resolve.Match) error {
	var keys []string
	// Rows of keys that name another booking now are in memory, and were attached before.
	// The others are read in one statement: a second source of a jail may bring all of its people as newcomers.
	for key := range matched {
		if ro.again[key] == nil {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	groups, err := ro.rowsOf(ctx, keys)
	if err != nil {
		return err
	}
	for i := range groups {
		ro.attach(groups[i].Key, groups[i].Rows, matched[groups[i].Key])
	}
	return nil
}

// attach makes a claim for rows that were recognised as a known booking, and folds them in. Where all of them are refused,
// there is none.
func (ro *roster) attach(key string, rows []engine.Row[snapshot.RosterRow], m resolve.Match) {
	c := resolve.NewBooking(ro.Policy, key, 0)
	c.HowAt = ro.Now
	g := &engine.Group[snapshot.RosterRow]{Key: key, Rows: rows}
	ro.order(g, c)
	newest := deciding(g.Rows)
	if taken, _ := ro.tell(c, nil, g); !taken {
		ro.fresh[key] = true
		return
	}
	known := ro.before[m.Record]
	// The source spoke of the booking under another key: what the row changes of it counts for the guards.
	if before := ro.leadOf(m.Record); before != nil && m.By == 0 {
		if !before.Age.Restricted() && c.Age.Restricted() {
			ro.Impact.Note(resolve.RewriteRestricted)
		}
		late := c.SaidAt.Before(before.LastSeen())
		ro.weigh(known, &before.Facts, newest)
		if late {
			ro.Applied.Older++
		}
		ro.seen[m.Record] = engine.Later(ro.seen[m.Record], before.LastSeen())
	}
	ro.fresh[key] = true
	ro.recognised(c, m)
}

// leadOf returns the claim by which the source speaks of a booking; nil: it does not.
func (ro *roster) leadOf(record int64) *resolve.BookingClaim {
	mine := ro.ownOf(record)
	if len(mine) == 0 {
		return nil
	}
	return resolve.Leads(mine)[0]
}

// ownOf returns the claims of the run's own source about a booking.
func (ro *roster) ownOf(record int64) (mine []*resolve.BookingClaim) {
	for _, c := range ro.of[record] {
		if c.Source.ID == ro.SourceID {
			mine = append(mine, c)
		}
	}
	return mine
}

// setAside keeps what a key said of an earlier booking as an earlier period of the key, under the stay after last: now the
// key names another booking. The claim lists nobody any more.
// A jail that begins to count anew uses its numbers twice. What the earlier booking says must not change by that.
func (ro *roster) setAside(ctx context.Context, key string, last int16) error {
	claims, err := engine.ClaimsByKey[resolve.BookingFacts](ctx, ro.Session, ro.SourceID, []string{key})
	if err != nil || claims[key] == nil {
		return err
	}
	c := ro.claim(claims[key])
	a := engine.Args{"source": ro.SourceID, "key": key, "stay": last + 1, "now": ro.Now, "run": ro.RunID, "family": ro.Family}
	if err := ro.Do(ctx, "set_aside", a); err != nil {
		return err
	}
	// The statement moved it in the table; the copy in memory follows.
	c.Stay, c.Present = last+1, false
	ro.Touch(c.Record)
	return nil
}

// goApart takes a claim from the booking that it was attached to, because its key is listed beside another key of that
// booking: the two are two bookings after all. The claim goes to the booking that it was matched with, else to one of its
// own, which insert makes.
func (ro *roster) goApart(ctx context.Context, c *resolve.BookingClaim, m resolve.Match, matched bool) error {
	from := c.Record
	ro.of[from] = slices.DeleteFunc(ro.of[from], func(k *resolve.BookingClaim) bool { return k == c })
	ro.Touch(from)
	// It begins anew: since when it claims its values is history of the other booking.
	c.How, c.HowAt, c.Since, c.Record = resolve.Own, ro.Now, nil, 0
	if matched {
		delete(ro.split, c.Key)
		ro.take(c, m)
	}
	ro.fresh[c.Key] = true
	return ro.Do(ctx, "note_split", engine.Args{
		"source": ro.SourceID, "key": c.Key, "now": ro.Now, "run": ro.RunID, "family": ro.Family, "from": from,
		"to": engine.OrNull(c.Record),
	})
}

// complete attaches a claim that was pending to the booking that it was matched with. Without a match, insert makes one.
// Its release was known before its booking: both are applied at once, and the history begins with the released booking.
func (ro *roster) complete(c *resolve.BookingClaim, m resolve.Match, matched bool) {
	ro.fresh[c.Key] = true
	if c.HowAt = ro.Now; !matched {
		return
	}
	delete(ro.pending, c.Key)
	ro.recognised(c, m)
}

// recognised takes a newcomer's claim for a booking that is known.
func (ro *roster) recognised(c *resolve.BookingClaim, m resolve.Match) {
	if m.How == resolve.Rekeyed {
		ro.rekeyed[c.Key] = m.Record
	}
	ro.created = append(ro.created, c)
	ro.take(c, m)
}

// take adds a claim to those of the booking that it was matched with.
func (ro *roster) take(c *resolve.BookingClaim, m resolve.Match) {
	ro.Applied.Adopted++
	c.How, c.Record = m.How, m.Record
	if m.By != 0 {
		c.How, c.HowAt = resolve.Merged, m.MergedAt
		ro.attracted = append(ro.attracted, engine.Attracted{Key: c.Key, By: m.By, How: m.How})
	}
	ro.told[m.Record] = true
	ro.keepLead(m.Record)
	ro.of[m.Record] = append(ro.of[m.Record], c)
	ro.touchClaim(c)
}

// lastStays returns the highest number of an earlier period, by key, of the keys that name other bookings now.
// A claim is named by key and stay, so each earlier period needs a number that none has.
func (ro *roster) lastStays(ctx context.Context) (map[string]int16, error) {
	out := map[string]int16{}
	if len(ro.again) == 0 {
		return out, nil
	}
	keys := make([]string, 0, len(ro.again))
	for key := range ro.again {
		keys = append(keys, key)
	}
	var key string
	var stay int16
	return out, ro.Each(ctx, "last_stays", engine.Args{"source": ro.SourceID, "keys": keys}, []any{&key, &stay}, func() error {
		out[key] = stay
		return nil
	})
}

// apart finds keys of one booking that the snapshot lists beside each other. They are bookings of their own after all,
// except the key that was attached first. Where only changes are reported, rows of one instant stand beside each other.
func (ro *roster) apart(ctx context.Context) error {
	type listed struct {
		record int64
		at     time.Time
	}
	first := map[listed]bool{}
	var l listed
	var key string
	return ro.Each(ctx, "listed_together", engine.Args{"source": ro.SourceID}, []any{&l.record, &key, &l.at}, func() error {
		at := l
		if at.at = l.at.UTC(); ro.Tracks {
			at.at = time.Time{}
		}
		if first[at] {
			ro.joined[key] = true
		}
		first[at] = true
		return nil
	})
}
