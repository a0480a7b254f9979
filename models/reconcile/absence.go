package reconcile

import (
	"context"
	"fmt"
	"time"

	"rollcall/models/db"
)

// stillSame is how long after the first snapshot that lacked somebody one of the same bytes confirms it too: a page that
// a server kept is not that old, and in a small jail nothing else may change for weeks.
const stillSame = 24 * time.Hour

// listSnapshots lists the complete snapshots of the source, this one included when it is complete. A file whose
// bytes are those of the one before confirms nothing of what that showed, until stillSame has passed.
func (st *staging) listSnapshots(ctx context.Context) error {
	if st.OtherBytes && st.Confirmations > 1 {
		return st.exec(ctx, "list complete snapshots and their bytes", `create temp table complete_snapshots on commit drop as
 select at, bytes is null or bytes is distinct from lag(bytes) over (order by at) as confirms from (
  select case when r.id = $4 then $2 else r.snapshot_at end as at, min(`+bytesOfRun+`) as bytes from runs r
  where r.source_id = $1 and (r.id = $4 and $3 or r.complete and r.snapshot_at is not null) group by 1) s`, st.SourceID, st.At, st.verdict.Complete, st.RunID)
	}
	return st.exec(ctx, "list complete snapshots", `create temp table complete_snapshots on commit drop as
 select snapshot_at as at, true as confirms from runs where source_id = $1 and complete and snapshot_at is not null
 union select $2::timestamptz, true where $3`, st.SourceID, st.At, st.verdict.Complete)
}

// bytesOfRun tells the bytes that a run r has read, as far as they are still kept.
const bytesOfRun = `(select string_agg(encode(a.sha256, 'hex'), ' ' order by a.seq) from archives a where a.run_id = coalesce(r.replay_of, r.id))`

// absences reads who is missing. All of it follows from two facts: when a key was seen last, and
// which complete snapshots of the source are later than that: so snapshots may arrive in any order,
// twice, or with others missing between them, and the outcome is the same.
//
// Touched are the keys that this snapshot saw or misses and for which later (or this) complete
// snapshots exist; everybody else keeps what is known.
func (st *staging) absences(ctx context.Context) error {
	if !st.Tracks {
		return nil
	}
	if st.verdict.Complete {
		if err := st.spareBookings(ctx); err != nil {
			return err
		}
	}
	// seen: rows of a late snapshot that newer complete ones lack. missed: keys that this complete
	// one lacks, among those present, and, when it is late, among those already missing since later.
	// Most snapshots are the newest: nothing was seen before the last complete one, and nobody has been missing since later.
	touched, err := st.count(ctx, "find the missing", `create temp table touched on commit drop as
 select g.booking_key, g.rid, g.snapshot_at as last from staged s
  join (select ord from fresh_rows f where not exists (select from apart a where a.ord = f.ord and a.older)
   union all select ord from known where (not same or away or adopted or newer) and (not older or adopted and joined is not null)) w on w.ord = s.ord
  cross join lateral (select booking_key, rid, snapshot_at from sightings where source_id = $1 and booking_key = s.booking_key and snapshot_at = s.seen_at limit 1) g
  where s.seen_at < (select max(at) from complete_snapshots)
 union all
 select g.booking_key, g.rid, g.last from apart a join staged s on s.ord = a.ord
  cross join lateral (select g.booking_key, g.rid, `+db.LastSeenSQL+` as last from sightings g join sources src on src.id = g.source_id where g.source_id = $1 and g.booking_key = s.booking_key limit 1) g
  where a.older
 union all
 select g.booking_key, g.rid, g.last from (
  select booking_key, rid, case when misses = 0 then greatest(snapshot_at, (select last_complete from sources where id = $1)) else snapshot_at end as last
   from sightings where source_id = $1 and present
  union all
  select booking_key, rid, snapshot_at from sightings
   where source_id = $1 and not present and missing_since > $2 and exists (select from runs where source_id = $1 and snapshot_at > $2)) g
  where $3 and g.last < $2 and not exists (select from staged s where s.booking_key = g.booking_key)`, st.SourceID, st.At, st.verdict.Complete)
	if err != nil {
		return err
	}
	if touched == 0 {
		if some, err := st.othersTell(ctx); err != nil || !some {
			return err
		}
	}
	st.work.missing, err = st.count(ctx, "count misses", `create temp table missing on commit drop as
 select t.booking_key, t.rid, t.last, m.n, m.since, m.n >= $1 as gone
 from touched t cross join lateral (select min(at) as at from complete_snapshots where at > t.last) f
 cross join lateral (select count(*) filter (where confirms or at >= f.at + make_interval(secs => $2)) as n, f.at as since from complete_snapshots where at > t.last) m where m.n > 0`,
		st.Confirmations, stillSame.Seconds())
	if err != nil {
		return err
	}
	if st.work.missing > 0 {
		err = st.exec(ctx, "write absences", `update sightings g set snapshot_at = m.last, misses = least(m.n, 32767), missing_since = m.since, present = not m.gone
 from missing m where g.source_id = $1 and g.booking_key = m.booking_key`, st.SourceID)
		if err != nil {
			return err
		}
		if err := st.succeedMerged(ctx); err != nil {
			return err
		}
	}
	if st.Releases {
		if err := st.inferReleases(ctx); err != nil {
			return err
		}
	}
	return st.countMissing(ctx)
}

// othersTell tells whether somebody may be over whom this snapshot does not miss anew: another source, which has
// listed everybody of a county of this one, may tell of them no more.
func (st *staging) othersTell(ctx context.Context) (some bool, err error) {
	if !st.Releases || !st.verdict.Complete {
		return false, nil
	}
	err = st.tx.QueryRow(ctx, `select exists (select from source_counties mine join source_counties theirs on theirs.county_id = mine.county_id and theirs.source_id <> mine.source_id
 join sources src on src.id = theirs.source_id and src.last_complete is not null where mine.source_id = $1)`, st.SourceID).Scan(&some)
	if err != nil {
		return false, fmt.Errorf("look for others who tell of the county: %w", err)
	}
	return some, nil
}

// spareBookings notes those as seen whose rows came but could not be taken.
func (st *staging) spareBookings(ctx context.Context) error {
	keys, err := st.sparedKeys(ctx, `with away as materialized (select g.booking_key, g.rid from sightings g
  where g.source_id = $1 and g.present and not exists (select from staged s where s.booking_key = g.booking_key))
 select a.booking_key, b.name, n.name from away a cross join lateral (select name, name_key from bookings where rid = a.rid limit 1) b
  join unnest($2::text[], $3::text[]) n (name, word) on split_part(b.name_key, ' ', 1) = n.word`)
	if err != nil || len(keys) == 0 {
		return err
	}
	return st.exec(ctx, "spare unreadable rows", `update sightings g set snapshot_at = $2, misses = 0, missing_since = null
 where g.source_id = $1 and g.booking_key = any($3) and g.present and g.snapshot_at < $2 and not exists (select from staged s where s.booking_key = g.booking_key)`,
		st.SourceID, st.At, keys)
}

// inferReleases releases those who are missing for long enough, at the time of the first complete
// snapshot after anybody saw them, unless they are still listed or the window moved past them; and takes
// back an inferred release of those who are not missing for long enough any more.
func (st *staging) inferReleases(ctx context.Context) error {
	if err := st.gatherAbsent(ctx); err != nil {
		return err
	}
	var err error
	st.work.gone, err = st.count(ctx, "find inferred releases", `create temp table inferred on commit drop as
 select b.rid, b.released_at as old_released, b.release_inferred as old_inferred, case when m.gone then greatest(n.since, b.booked_at) end as released_at,
  case when m.gone then n.last end as release_after, m.last
 from absent m join bookings b on b.rid = m.rid
 -- A release that another source's absence showed first, after the last sighting, stands.
 cross join lateral (select b.release_after is not null and b.released_at > m.seen and b.released_at <= m.since as stands) e
 cross join lateral (select case when e.stands then b.released_at else m.since end as since, case when e.stands then greatest(b.release_after, m.seen) else m.seen end as last) n
 where case when m.gone then m.since is not null and not m.listed and (b.released_at is null or b.release_after is not null)
   and ($1 = 0 or b.booked_at >= `+windowStart(`m.since`, `$1`)+`)
  else b.release_after is not null end
  and (b.released_at, b.release_after) is distinct from (case when m.gone then greatest(n.since, b.booked_at) end, case when m.gone then n.last end)`, st.WindowDays)
	if err != nil {
		return err
	}
	if st.work.gone == 0 {
		return nil
	}
	return st.writeReleases(ctx, "inferred")
}

// unscheduledDay is how often, in seconds, a source has newer data whose document does not say: its files
// are brought.
const unscheduledDay = 24 * 60 * 60

// gatherAbsent lists the bookings that may be over, once each: a merged one has several keys, and is gone
// when all of them are. They are those missing now, and those that were missing before and stayed open
// because another source listed them, which may have fallen silent since. Listed are those that another key
// still tells of, or another source in its newest complete snapshot, unless that is stale by its own
// schedule; seen is when anybody saw them last, and since the first complete snapshot after that.
func (st *staging) gatherAbsent(ctx context.Context) error {
	err := st.exec(ctx, "gather the absent", `create temp table gathered on commit drop as
 select rid, max(last) as last, bool_and(gone) as gone from (
  select rid, last, gone from missing
  union all
  select g.rid, g.snapshot_at, true from source_counties mine join source_counties theirs on theirs.county_id = mine.county_id and theirs.source_id <> mine.source_id
   join sources src on src.id = theirs.source_id and src.last_complete is not null
   join sightings o on o.source_id = src.id and o.present and o.misses = 0
   join sightings g on g.rid = o.rid and g.source_id = mine.source_id and not g.present join bookings b on b.rid = g.rid and b.released_at is null
   where $2 and mine.source_id = $1) a group by rid`, st.SourceID, st.verdict.Complete)
	if err != nil {
		return err
	}
	return st.exec(ctx, "look who is listed elsewhere", `create temp table absent on commit drop as
 select a.rid, a.last, a.gone, w.seen, coalesce(w.listed, false) as listed, (select min(at) from complete_snapshots where at > w.seen) as since
 from gathered a cross join lateral (select greatest(a.last, max(l.at)) as seen,
  bool_or(o.present and (src.id = $1 or o.misses = 0 and src.last_complete is not null
   and l.at > (select max(at) from complete_snapshots) - 2 * make_interval(secs => coalesce(src.data_seconds, $2)))) as listed
  from sightings o join sources src on src.id = o.source_id
  cross join lateral (select case when o.present and o.misses = 0 then greatest(o.snapshot_at, src.last_complete) else o.snapshot_at end as at) l
  where o.rid = a.rid and not (src.id = $1 and exists (select from missing m where m.booking_key = o.booking_key))) w`, st.SourceID, unscheduledDay)
}

// toldReleased is the source that told of the release of a booking b.
const toldReleased = `coalesce((select h.source_id from record_changes h where h.family = 'roster' and h.record = b.rid and h.field = 'released_at' and h.after is not null order by h.at desc, h.id desc limit 1), b.source_id)`

// spurned tells whether the release of a row s is one that was taken back, because another source goes on
// listing the person of the booking b and still does: told again, it is no news. Else two feeds that
// contradict each other would close and reopen a booking for ever.
const spurned = `exists (select from record_changes h join sightings g on g.rid = h.record and g.source_id = h.source_id and g.present and g.misses = 0
  where h.family = 'roster' and h.record = b.rid and h.field = 'released_at' and h.before is not null and h.after is null and h.source_id <> $1 and (s.release_inferred or s.released_at <= h.at))`

// relist takes back the release of those whom a newer snapshot lists. An inferred one yields at once: their
// rows are those that this source told before, but another source's absence had closed them meanwhile. One
// that another source stated yields to a list of everybody, proven complete, that still has them when it has
// had newer data twice since, and once more: a list may lag, but not for ever. Nothing else of them changes,
// as other sources may know newer facts.
func (st *staging) relist(ctx context.Context) error {
	if !st.Tracks {
		return nil
	}
	// Each booking is looked up by itself (limit), or the server reads all that are over.
	n, err := st.count(ctx, "find whose booking is over", `create temp table over on commit drop as select k.* from known k
 cross join lateral (select from bookings b where b.rid = k.rid and b.released_at is not null limit 1) b where not k.away and not k.older`)
	if err != nil || n == 0 {
		return err
	}
	st.work.relist, err = st.count(ctx, "find who is listed again", `create temp table relisted on commit drop as
 select distinct on (b.rid) b.rid, b.released_at as old_released, b.release_inferred as old_inferred, null::timestamptz as released_at, null::timestamptz as release_after, s.seen_at as last
 from over k join staged s on s.ord = k.ord join bookings b on b.rid = k.rid
 where k.same and b.release_after is not null and s.released_at is null and s.seen_at >= b.released_at
  and not exists (select from complete_snapshots where at > s.seen_at) order by b.rid, s.seen_at desc`)
	if err != nil {
		return err
	}
	if st.verdict.Complete && st.WindowDays == 0 {
		n, err := st.count(ctx, "find who is listed in spite of a release", `insert into relisted
 select distinct on (b.rid) b.rid, b.released_at, b.release_inferred, null, null, s.seen_at
 from over k join staged s on s.ord = k.ord join bookings b on b.rid = k.rid join sources src on src.id = $1
 cross join lateral (select greatest(b.released_at, coalesce((select max(h.at) from record_changes h where h.family = 'roster' and h.record = b.rid and h.field = 'released_at' and h.after is not null), b.first_seen))
  + 2 * make_interval(secs => coalesce(src.data_seconds, $2)) as at) patience
 where not k.adopted and b.released_at is not null and b.release_after is null and s.released_at is null and `+toldReleased+` <> $1
  and s.seen_at > patience.at and not exists (select from complete_snapshots where at > s.seen_at) and (select count(*) from complete_snapshots where at > patience.at) > 1
 order by b.rid, s.seen_at desc`, st.SourceID, unscheduledDay)
		if err != nil {
			return err
		}
		st.work.relist += n
	}
	if st.work.relist == 0 {
		return nil
	}
	return st.writeReleases(ctx, "relisted")
}

// writeReleases writes the releases in a table, or that they are taken back, with their versions.
func (st *staging) writeReleases(ctx context.Context, table string) error {
	err := st.exec(ctx, "write releases as versions", `insert into record_changes (family, record, at, source_id, run_id, field, before, after)
 select 'roster', i.rid, $1, $2, $3, f.field, f.before, f.after from `+table+` i cross join lateral (values
  ('released_at', instant(i.old_released), instant(i.released_at)), ('release_inferred', i.old_inferred::text, (i.released_at is not null)::text)) f (field, before, after)
 where f.before is distinct from f.after`, st.Now, st.SourceID, st.RunID)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "infer releases", `update bookings b set released_at = i.released_at, release_inferred = i.released_at is not null, release_after = i.release_after,
  last_seen = greatest(b.last_seen, i.last), last_change = $1, gen = $2 from `+table+` i where i.rid = b.rid`, st.Now, st.applied.Generation)
	if err != nil {
		return err
	}
	var closed, reopened int
	err = st.tx.QueryRow(ctx, `select count(*) filter (where old_released is null), count(*) filter (where released_at is null) from `+table).Scan(&closed, &reopened)
	if err != nil {
		return fmt.Errorf("count inferred releases: %w", err)
	}
	st.applied.Closed += closed
	st.applied.Reopened += reopened
	return nil
}

func (st *staging) countMissing(ctx context.Context) error {
	if st.work.missing == 0 {
		return nil
	}
	if err := st.tx.QueryRow(ctx, `select count(*) filter (where not gone) from missing`).Scan(&st.applied.Missing); err != nil {
		return fmt.Errorf("count the missing: %w", err)
	}
	return nil
}
