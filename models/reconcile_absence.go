package models

import (
	"context"
	"fmt"
)

// listSnapshots lists the complete snapshots of the source, this one included when it is complete.
func (st *staging) listSnapshots(ctx context.Context) error {
	return st.exec(ctx, "list complete snapshots", `create temp table complete_snapshots on commit drop as
 select snapshot_at as at from runs where source_id = $1 and complete and snapshot_at is not null
 union select $2::timestamptz where $3`, st.SourceID, st.At, st.verdict.Complete)
}

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
	err := st.exec(ctx, "find the missing", `create temp table touched on commit drop as
 select g.booking_key, g.rid, g.snapshot_at as last from staged s
  join (select ord from fresh_rows union all select ord from known where (not same or away or adopted or newer) and not older) w on w.ord = s.ord
  join sightings g on g.source_id = $1 and g.booking_key = s.booking_key
  where g.snapshot_at = s.seen_at and s.seen_at < (select max(at) from complete_snapshots)
 union all
 select g.booking_key, g.rid, case when g.present and g.misses = 0 then greatest(g.snapshot_at, src.last_complete) else g.snapshot_at end
  from sightings g join sources src on src.id = g.source_id
  where $3 and g.source_id = $1 and (g.present or g.missing_since > $2) and not exists (select from staged s where s.booking_key = g.booking_key)
   and case when g.present and g.misses = 0 then greatest(g.snapshot_at, src.last_complete) else g.snapshot_at end < $2`, st.SourceID, st.At, st.verdict.Complete)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "count misses", `create temp table missing on commit drop as
 select t.booking_key, t.rid, t.last, m.n, m.since, m.n >= $1 as gone
 from touched t cross join lateral (select count(*) as n, min(at) as since from complete_snapshots where at > t.last) m where m.n > 0`, st.Confirmations)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "write absences", `update sightings g set snapshot_at = m.last, misses = least(m.n, 32767), missing_since = m.since, present = not m.gone
 from missing m where g.source_id = $1 and g.booking_key = m.booking_key`, st.SourceID)
	if err != nil {
		return err
	}
	if !st.Releases {
		return st.countMissing(ctx)
	}
	return st.inferReleases(ctx)
}

// spareBookings notes those as seen whose rows came but could not be taken.
func (st *staging) spareBookings(ctx context.Context) error {
	keys, err := st.sparedKeys(ctx, `select g.booking_key, b.name, n.name from unnest($2::text[], $3::text[]) n (name, word)
 join bookings b on split_part(b.name_key, ' ', 1) = n.word join sightings g on g.rid = b.rid
 where g.source_id = $1 and g.present and not exists (select from staged s where s.booking_key = g.booking_key)`)
	if err != nil {
		return err
	}
	return st.exec(ctx, "spare unreadable rows", `update sightings g set snapshot_at = $2, misses = 0, missing_since = null
 where g.source_id = $1 and g.booking_key = any($3) and g.present and g.snapshot_at < $2 and not exists (select from staged s where s.booking_key = g.booking_key)`,
		st.SourceID, st.At, keys)
}

// inferReleases releases those who are missing for long enough, at the time of the first complete
// snapshot that missed them, unless another source still lists them or the window moved past them;
// and takes back an inferred release of those who are not missing for long enough any more.
func (st *staging) inferReleases(ctx context.Context) error {
	err := st.exec(ctx, "find inferred releases", `create temp table inferred on commit drop as
 select b.rid, b.released_at as old_released, b.release_inferred as old_inferred, case when m.gone then greatest(n.since, b.booked_at) end as released_at,
  case when m.gone then n.last end as release_after, m.last
 from missing m join bookings b on b.rid = m.rid
 -- A release that another source's absence showed first, after this one's last sighting, stands.
 cross join lateral (select b.release_after is not null and b.released_at > m.last and b.released_at <= m.since as stands) e
 cross join lateral (select case when e.stands then b.released_at else m.since end as since, case when e.stands then greatest(b.release_after, m.last) else m.last end as last) n
 where case when m.gone then (b.released_at is null or b.release_after is not null)
   and ($1 = 0 or b.booked_at > m.since - make_interval(days => $1))
   and not exists (select from sightings o join sources src on src.id = o.source_id where o.rid = b.rid and o.source_id <> $2 and o.present and o.misses = 0
    and greatest(o.snapshot_at, src.last_complete) >= m.since)
  else b.release_after is not null end
  and (b.released_at, b.release_after) is distinct from (case when m.gone then greatest(n.since, b.booked_at) end, case when m.gone then n.last end)`, st.WindowDays, st.SourceID)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "write releases as versions", `insert into record_changes (family, record, at, source_id, run_id, field, before, after)
 select 'roster', i.rid, $1, $2, $3, f.field, f.before, f.after from inferred i cross join lateral (values
  ('released_at', instant(i.old_released), instant(i.released_at)), ('release_inferred', i.old_inferred::text, (i.released_at is not null)::text)) f (field, before, after)
 where f.before is distinct from f.after`, st.Now, st.SourceID, st.RunID)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "infer releases", `update bookings b set released_at = i.released_at, release_inferred = i.released_at is not null, release_after = i.release_after,
  last_seen = greatest(b.last_seen, i.last), last_change = $1, gen = $2 from inferred i where i.rid = b.rid`, st.Now, st.applied.Generation)
	if err != nil {
		return err
	}
	var closed, reopened int
	err = st.tx.QueryRow(ctx, `select count(*) filter (where old_released is null), count(*) filter (where released_at is null) from inferred`).Scan(&closed, &reopened)
	if err != nil {
		return fmt.Errorf("count inferred releases: %w", err)
	}
	st.applied.Closed += closed
	st.applied.Reopened += reopened
	return st.countMissing(ctx)
}

func (st *staging) countMissing(ctx context.Context) error {
	if err := st.tx.QueryRow(ctx, `select count(*) filter (where not gone) from missing`).Scan(&st.applied.Missing); err != nil {
		return fmt.Errorf("count the missing: %w", err)
	}
	return nil
}
