package reconcile

import (
	"context"
	"fmt"

	"rollcall/models"
	"rollcall/models/db"
)

// movedWithin is how far from the time of a row bookings are looked at, in seconds; the rule is stricter.
const movedWithin = 3600

// setApart makes the list of rows whose keys are known and which are yet of bookings that nobody knew, and
// takes them from the known.
func (st *staging) setApart(ctx context.Context) error {
	if err := st.exec(ctx, "make list of keys set apart", `create temp table apart (ord bigint, older boolean) on commit drop`); err != nil {
		return err
	}
	if st.work.told > 0 {
		if err := st.setReused(ctx); err != nil {
			return err
		}
	}
	if st.work.joined > 0 {
		if err := st.splitJoined(ctx); err != nil {
			return err
		}
	}
	if st.work.apart == 0 {
		return nil
	}
	return st.tally(ctx)
}

// setReused sets those rows apart that tell of a stay which began after the release of their number's last one,
// stated or seen by absence: the number was given again, perhaps to somebody else, and from then on leads to
// the new booking. Who comes back from an absence with the old time of booking never left. A release told by its day alone is over with that day. What comes again of the earlier stay, when the
// number leads to a later one, tells nothing new.
func (st *staging) setReused(ctx context.Context) error {
	n, err := st.count(ctx, "find numbers that were used again", `insert into apart select k.ord, false from known k join staged s on s.ord = k.ord join bookings b on b.rid = k.rid
 where not k.same and not k.older and b.released_at is not null and s.booked_at > b.released_at
  and (georgia_clock(b.released_at)::time <> '00:00' or georgia_clock(s.booked_at)::date > georgia_clock(b.released_at)::date)`)
	if err != nil {
		return err
	}
	if n > 0 {
		if err := st.dropApart(ctx, n); err != nil {
			return err
		}
	}
	return st.exec(ctx, "find rows of earlier stays", `update known k set older = true, newer = false from staged s, bookings b
 where s.ord = k.ord and b.rid = k.rid and not k.same and not k.older and s.released_at <= b.booked_at and exists (
  select from bookings e where e.county_id = s.county_id and e.booked_at = s.booked_at and e.rid <> b.rid and e.name_key = s.name_key and e.released_at is not null and e.release_after is null)`)
}

// splitJoined looks at the rows whose keys were found to be several of one booking. Those that one snapshot
// tells together are bookings of their own after all: all but the one that joined first go apart. Of the
// others, a row is older than what is known when the booking was seen later under another of its keys.
func (st *staging) splitJoined(ctx context.Context) error {
	n, err := st.count(ctx, "find keys that are told together", `insert into apart
 select k.ord, k.older from known k join staged s on s.ord = k.ord where k.joined is not null and exists (
  select from known o join staged t on t.ord = o.ord where o.rid = k.rid and o.ord <> k.ord and o.joined is not null and ($1 or t.seen_at = s.seen_at)
   and (o.joined, t.booking_key) < (k.joined, s.booking_key))`, st.Tracks)
	if err != nil {
		return err
	}
	if n > 0 {
		if err := st.dropApart(ctx, n); err != nil {
			return err
		}
	}
	return st.exec(ctx, "find older rows of joined keys", `update known k set older = true, newer = false from staged s, sources src
 where s.ord = k.ord and src.id = $1 and k.joined is not null and not k.older and exists (
  select from `+db.SightingsOf("k.rid")+` g where g.source_id = $1 and g.booking_key <> s.booking_key and `+db.LastSeenSQL+` > s.seen_at
   and not exists (select from apart a join staged t on t.ord = a.ord where t.booking_key = g.booking_key))`, st.SourceID)
}

// dropApart takes n rows from the known that were set apart. What was told under their keys before was told of another booking.
func (st *staging) dropApart(ctx context.Context, n int) error {
	st.work.apart += n
	err := st.exec(ctx, "forget words of other bookings", `with a as materialized (select $1::text as source_id, s.booking_key from apart a join staged s on s.ord = a.ord)
 update sightings g set told = null from a where g.source_id = a.source_id and g.booking_key = a.booking_key and g.told is not null`, st.SourceID)
	if err != nil {
		return err
	}
	return st.exec(ctx, "set bookings apart", `delete from known k using apart a where a.ord = k.ord`)
}

// findMoved lists, in the table moved, the rows of keys that the source never used (ord) whose bookings it told
// before under keys that this snapshot does not name (rid). Each of the two must have no other candidate.
func (st *staging) findMoved(ctx context.Context) error {
	if st.work.fresh == 0 {
		return nil
	}
	err := st.exec(ctx, "make list of moved keys", `create temp table moved (ord bigint, rid bigint) on commit drop`)
	if err != nil || st.Moved == nil || st.Imported || st.filling {
		return err
	}
	rows, err := st.tx.Query(ctx, `select s.ord, b.rid, b.name, b.dob, b.booked_at, coalesce(g.person_key, ''), b.charges, b.released_at is not null, s.name, s.dob, s.booked_at, coalesce(s.person_key, ''), s.charges, s.released_at is not null
 from staged s cross join lateral (select georgia_clock(s.booked_at) as clock, s.booked_at - georgia_clock(s.booked_at)::time as midnight) l
 join lateral (
  select rid, name, dob, booked_at, charges, released_at, withheld from bookings b where b.county_id = s.county_id and b.booked_at between s.booked_at - make_interval(secs => $3) and s.booked_at + make_interval(secs => $3)
  union
  select rid, name, dob, booked_at, charges, released_at, withheld from bookings b where b.county_id = s.county_id and b.booked_at between l.midnight - interval '1 hour' and l.midnight + interval '1 hour'
  union
  select rid, name, dob, booked_at, charges, released_at, withheld from bookings b where l.clock::time = '00:00' and b.county_id = s.county_id and b.booked_at between s.booked_at and s.booked_at + interval '25 hours') b on true
 join lateral (select person_key from `+db.SightingsOf("b.rid")+` g where g.source_id = $1 order by snapshot_at desc, booking_key limit 1) g on true
 where exists (select from sightings where source_id = $1) and not exists (select from known k where k.ord = s.ord) and not exists (select from apart a where a.ord = s.ord) and b.withheld is distinct from 'merged'
  and not exists (select from known k join staged t on t.ord = k.ord where k.rid = b.rid and ($2 or t.seen_at = s.seen_at))`, st.SourceID, st.Tracks, movedWithin)
	if err != nil {
		return fmt.Errorf("look for moved keys: %w", err)
	}
	defer rows.Close()
	var pairs [][2]int64
	for rows.Next() {
		var p [2]int64
		var known, row models.Stay
		if err := rows.Scan(&p[0], &p[1], &known.Name, &known.DOB, &known.BookedAt, &known.PersonKey, &known.Charges, &known.Over, &row.Name, &row.DOB, &row.BookedAt, &row.PersonKey, &row.Charges, &row.Over); err != nil {
			return fmt.Errorf("look for moved keys: %w", err)
		}
		if st.Moved(known, row) {
			pairs = append(pairs, p)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("look for moved keys: %w", err)
	}
	ords, rids := onlyPairs(pairs)
	if st.work.moved = len(ords); st.work.moved == 0 {
		return nil
	}
	return st.exec(ctx, "list moved keys", `insert into moved select * from unnest($1::bigint[], $2::bigint[])`, ords, rids)
}

// onlyPairs are those pairs of row and booking of which neither could be paired otherwise.
func onlyPairs(pairs [][2]int64) (ords, rids []int64) {
	ofRow, ofBooking := map[int64]int{}, map[int64]int{}
	for _, p := range pairs {
		ofRow[p[0]]++
		ofBooking[p[1]]++
	}
	for _, p := range pairs {
		if ofRow[p[0]] == 1 && ofBooking[p[1]] == 1 {
			ords, rids = append(ords, p[0]), append(rids, p[1])
		}
	}
	return ords, rids
}

// moveKeys makes the rows in moved rows of their bookings, which every one of their keys leads to.
func (st *staging) moveKeys(ctx context.Context) error {
	if st.work.moved == 0 {
		return nil
	}
	n, err := st.count(ctx, "move keys", `insert into known (ord, rid, same, away, newer, older, adopted, joined)
 select m.ord, m.rid, false, false, s.seen_at > l.last, s.seen_at < l.last, true, $2 from moved m join staged s on s.ord = m.ord
 cross join lateral (select max(`+db.LastSeenSQL+`) as last from `+db.SightingsOf("m.rid")+` g join sources src on src.id = g.source_id where g.source_id = $1) l`, st.SourceID, st.Now)
	st.applied.Adopted += n
	if err != nil {
		return err
	}
	if err := st.tally(ctx); err != nil || st.Tracks {
		return err
	}
	// A file of many snapshots has rows of several keys; the newest of a booking counts.
	return st.exec(ctx, "find older rows of moved keys", `update known k set older = true, newer = false from staged s where s.ord = k.ord and not k.older
 and exists (select from known j where j.joined is not null and j.rid = k.rid)
 and exists (select from known o join staged t on t.ord = o.ord where o.rid = k.rid and t.seen_at > s.seen_at)`)
}

// sightJoined keeps what the source said under several keys of one booking: whatever it says next under
// another key than the newest is read, as the booking has the facts of that one. Keys set apart lead to their own.
func (st *staging) sightJoined(ctx context.Context) error {
	w := &st.work
	if w.moved > 0 {
		err := st.exec(ctx, "join keys", `update sightings g set joined = '-infinity' from moved m where g.rid = m.rid and g.source_id = $1 and g.joined is null`, st.SourceID)
		if err != nil {
			return err
		}
	}
	if w.joined > 0 {
		err := st.exec(ctx, "read other keys anew", `update sightings g set print = '' from known k join staged s on s.ord = k.ord
 where k.joined is not null and g.source_id = $1 and g.rid = k.rid and g.print <> '' and (k.older and k.adopted) = (g.booking_key = s.booking_key) and (k.adopted or not k.older)`, st.SourceID)
		if err != nil {
			return err
		}
	}
	if w.apart == 0 {
		return nil
	}
	return st.exec(ctx, "give keys set apart their bookings", `update sightings g set rid = f.rid, joined = null, grown = s.grown, sign = nullif(s.sign, 'no'), print = s.print, person_key = s.person_key, locator = s.locator,
  snapshot_at = case when a.older then g.snapshot_at else s.seen_at end, present = g.present or not a.older, misses = case when a.older then g.misses else 0 end, missing_since = case when a.older then g.missing_since end
 from apart a join staged s on s.ord = a.ord join (select ord, rid from fresh_rows union all select ord, rid from known where adopted) f on f.ord = a.ord
 where g.source_id = $1 and g.booking_key = s.booking_key`, st.SourceID)
}
