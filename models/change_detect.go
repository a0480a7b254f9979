package models

import (
	"context"
	"fmt"
	"time"
)

// DefaultBaselineWindow is how old a booking may be to fire in a baseline (DECISIONS.md, "Alerts").
const DefaultBaselineWindow = 24 * time.Hour

// outageIntervals is after how many intervals without a success a source's next run is a baseline.
const outageIntervals = 3

// detect writes what this transaction changed as changes, by comparing what was known before it with
// the bookings as they are now: so several steps that touch one booking are one net change. The rules
// are those of DECISIONS.md, "Alerts".
func (st *staging) detect(ctx context.Context) error {
	baseline, err := st.baseline(ctx)
	if err != nil {
		return err
	}
	if err := st.listBefore(ctx); err != nil {
		return err
	}
	if err := st.hushSealed(ctx); err != nil {
		return err
	}
	// Bookings and releases from before this instant are no news.
	var since *time.Time
	if baseline {
		at := st.Now.Add(-st.baselineWindow())
		since = &at
	}
	n, err := st.count(ctx, "find changes", `create temp table found on commit drop as
 -- new records
 select 'booking' as kind, b.rid, null::text as old_name, null::date as old_dob, null::smallint as old_year, null::bigint as retracts, null::bigint as old_bond
  from fresh_rows f join bookings b on b.rid = f.rid where b.withheld is null and b.booked_at >= coalesce($1, '-infinity'::timestamptz)
 union all
 select 'release', b.rid, null, null, null, null, null
  from fresh_rows f join bookings b on b.rid = f.rid where b.withheld is null and b.released_at >= coalesce($1, '-infinity'::timestamptz)
 union all
 -- records that were there
 select 'release', b.rid, null, null, null, null, null from before o join bookings b on b.rid = o.rid
  where o.withheld is null and b.withheld is null and o.released_at is null and b.released_at is not null
 union all
 select 'bond_change', b.rid, null, null, null, null, o.bond_cents from before o join bookings b on b.rid = o.rid
  where o.withheld is null and b.withheld is null and o.bond_cents is distinct from b.bond_cents
 union all
 select 'retraction', b.rid, null, null, null, r.id, null from before o join bookings b on b.rid = o.rid
  cross join lateral (select id from changes c where c.rid = b.rid and c.kind = 'release' order by id desc limit 1) r
  where o.withheld is null and b.withheld is null and o.released_at is not null and b.released_at is null
   and not exists (select from changes t where t.retracts = r.id)
 union all
 -- a person whom nobody could recognise until the name or the birth was corrected
 select case when b.released_at is null then 'booking' else 'release' end, b.rid, o.name, o.dob, o.birth_year, null, null from before o join bookings b on b.rid = o.rid
  where o.withheld is null and b.withheld is null and (o.name_key, o.dob, o.birth_year) is distinct from (b.name_key, b.dob, b.birth_year)
   and case when b.released_at is null then b.booked_at >= coalesce($1, '-infinity'::timestamptz)
        else o.released_at is not null and b.released_at >= $2 end
 union all
 -- records that begin or cease to be public
 select 'booking', b.rid, null, null, null, null, null from before o join bookings b on b.rid = o.rid
  where o.withheld is not null and b.withheld is null and b.released_at is null and b.booked_at >= coalesce($1, '-infinity'::timestamptz)
 union all
 select 'sealed', b.rid, null, null, null, null, null from before o join bookings b on b.rid = o.rid
  where o.withheld is null and b.withheld is not null and (exists (select from changes c where c.rid = b.rid)
   or exists (select from merged_records m where m.family = 'roster' and m.record = b.rid))`, since, st.Now.Add(-st.baselineWindow()))
	if err != nil || n == 0 {
		return err
	}
	return st.writeChanges(ctx)
}

func (st *staging) baselineWindow() time.Duration {
	if st.BaselineWindow > 0 {
		return st.BaselineWindow
	}
	return DefaultBaselineWindow
}

// baseline tells whether this is the first successful run of the source, or the first after an outage. A source
// without a schedule has no outage, however late its files come.
func (st *staging) baseline(ctx context.Context) (bool, error) {
	var baseline bool
	err := st.tx.QueryRow(ctx, `select greatest(last_applied, last_success) is null
 or coalesce($2 - greatest(last_applied, last_success) > make_interval(secs => interval_seconds) * $3, false)
 or coalesce(interval_seconds is not null and $2 - data_at > make_interval(secs => data_seconds) * $3, false) from sources where id = $1`, st.SourceID, st.Now, outageIntervals).Scan(&baseline)
	if err != nil {
		return false, fmt.Errorf("tell whether it is a baseline: %w", err)
	}
	return baseline, nil
}

// listBefore lists what was known, before this transaction, of the bookings that it touched.
func (st *staging) listBefore(ctx context.Context) error {
	err := st.exec(ctx, "list what was known", `create temp table before on commit drop as
 select distinct on (c.rid) c.rid, c.old_name as name, c.old_key as name_key, c.old_dob as dob, c.old_year as birth_year, c.old_released as released_at, c.old_bond as bond_cents, c.old_withheld as withheld
 from changed c order by c.rid, c.ord`)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "list who was withheld or is no more", `insert into before
 select r.rid, b.name, b.name_key, b.dob, b.birth_year, b.released_at, b.bond_cents, r.old_withheld from resealed_now r join bookings b on b.rid = r.rid
 where not exists (select from before o where o.rid = r.rid) and not exists (select from fresh_rows f where f.rid = r.rid)`)
	if err != nil {
		return err
	}
	if err := st.listReleased(ctx, "relisted"); err != nil || !st.Tracks || !st.Releases {
		return err
	}
	return st.listReleased(ctx, "inferred")
}

// listReleased adds the bookings of a table of inferred releases to those that were touched.
func (st *staging) listReleased(ctx context.Context, table string) error {
	return st.exec(ctx, "list whose release was inferred", `insert into before
 select i.rid, b.name, b.name_key, b.dob, b.birth_year, i.old_released, b.bond_cents, b.withheld from `+table+` i join bookings b on b.rid = i.rid
 where not exists (select from before o where o.rid = i.rid) and not exists (select from fresh_rows f where f.rid = i.rid)`)
}

// writeChanges writes found as changes of one batch, with the facts of the bookings as they are now,
// and asks for them to be matched.
func (st *staging) writeChanges(ctx context.Context) error {
	err := st.tx.QueryRow(ctx, `insert into change_batches (source_id, run_id, detected_at, watcher_rev) values ($1, nullif($2::bigint, 0), $3, 0) returning id`, st.SourceID, st.RunID, st.detectedAt()).Scan(&st.batch)
	if err != nil {
		return fmt.Errorf("begin batch of changes: %w", err)
	}
	_, err = st.count(ctx, "write changes", `insert into changes (batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, dob, birth_year, booked_at, released_at, charges, bond_cents,
  old_bond_cents, old_name, old_dob, old_birth_year, retracts)
 select distinct on (f.rid, f.kind) $1, f.kind, $2, $3, b.rid, b.id, b.county_id, b.name, b.dob, b.birth_year, b.booked_at, b.released_at, b.charges, b.bond_cents,
  f.old_bond, f.old_name, f.old_dob, f.old_year, f.retracts
 from found f join bookings b on b.rid = f.rid order by f.rid, f.kind, f.old_name nulls first`, st.batch, st.detectedAt(), st.SourceID)
	if err != nil {
		return err
	}
	if st.store.jobs == nil {
		return nil
	}
	return st.store.jobs.Match(ctx, st.tx)
}

func (st *staging) detectedAt() time.Time {
	if st.Clock != nil {
		return st.Clock().UTC()
	}
	return st.Now.UTC()
}

// sealBatch notes which watchers there are, as the last thing before the commit: whoever creates a
// watcher waits for that moment, so every watcher is either before this batch or after it.
func (st *staging) sealBatch(ctx context.Context) error {
	if st.batch == 0 {
		return nil
	}
	if err := st.exec(ctx, "wait for watchers", lockWatchers); err != nil {
		return err
	}
	return st.exec(ctx, "note the watchers", `update change_batches set watcher_rev = coalesce((select max(rev) from watchers), 0) where id = $1`, st.batch)
}
