package reconcile

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/models/db"
)

// detect writes what this transaction changed as changes, by comparing what was known before it with
// the bookings as they are now: so several steps that touch one booking are one net change. The rules
// are those of DECISIONS.md, "Alerts".
func (st *staging) detect(ctx context.Context) error {
	if st.work.nothingChanged() {
		return nil
	}
	baseline, err := st.baseline(ctx)
	if err != nil {
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
 with before as materialized (`+st.before()+`),
 pair as materialized (
  select b.rid, o.withheld is null as was_public, b.withheld is null as is_public, o.released_at as old_released, b.released_at, o.bond_cents as old_bond, b.bond_cents, b.booked_at,
   o.name as old_name, o.dob as old_dob, o.birth_year as old_year, (o.name_key, o.dob, o.birth_year) is distinct from (b.name_key, b.dob, b.birth_year) as another from before o join bookings b on b.rid = o.rid),
 since as (select coalesce($1, '-infinity'::timestamptz) as at)
 -- new records
 select v.kind, b.rid, null::text as old_name, null::date as old_dob, null::smallint as old_year, null::bigint as retracts, null::bigint as old_bond
  from fresh_rows f join bookings b on b.rid = f.rid cross join lateral (values ('booking', b.booked_at), ('release', b.released_at)) v (kind, at)
  where b.withheld is null and greatest(b.booked_at, b.released_at) >= coalesce($1, '-infinity') and v.at >= coalesce($1, '-infinity')
 union all
 select v.kind, p.rid, case when v.corrected then p.old_name end, case when v.corrected then p.old_dob end, case when v.corrected then p.old_year end,
  null, case when v.kind = 'bond_change' then p.old_bond end
 from pair p cross join since cross join lateral (values
  -- records that were there
  ('release', false, p.was_public and p.is_public and p.old_released is null and p.released_at is not null),
  ('bond_change', false, p.was_public and p.is_public and p.old_bond is distinct from p.bond_cents),
  -- a person whom nobody could recognise until the name or the birth was corrected
  (case when p.released_at is null then 'booking' else 'release' end, true, p.was_public and p.is_public and p.another
   and case when p.released_at is null then p.booked_at >= since.at else p.old_released is not null and p.released_at >= $2 end),
  -- records that begin or cease to be public
  ('booking', false, not p.was_public and p.is_public and p.released_at is null and p.booked_at >= since.at),
  ('sealed', false, p.was_public and not p.is_public and (exists (select from changes c where c.rid = p.rid)
   or exists (select from merged_records m where m.family = 'roster' and m.record = p.rid)))) v (kind, corrected, holds)
 where v.holds
 union all
 select 'retraction', p.rid, null, null, null, r.id, null from pair p
  cross join lateral (select id from changes c where c.rid = p.rid and c.kind = 'release' order by id desc limit 1) r
  where p.was_public and p.is_public and p.old_released is not null and p.released_at is null and not exists (select from changes t where t.retracts = r.id)`, since, st.Now.Add(-st.baselineWindow()))
	if err != nil || n == 0 {
		return err
	}
	return st.writeChanges(ctx)
}

func (st *staging) baselineWindow() time.Duration {
	if st.BaselineWindow > 0 {
		return st.BaselineWindow
	}
	return models.DefaultBaselineWindow
}

// baseline tells whether this is the first successful run of the source, or the first after an outage. A source
// without a schedule has no outage, however late its files come.
func (st *staging) baseline(ctx context.Context) (bool, error) {
	var baseline bool
	err := st.tx.QueryRow(ctx, `select greatest(last_applied, last_success) is null
 or coalesce($2 - greatest(last_applied, last_success) > make_interval(secs => interval_seconds) * $3, false)
 or coalesce(interval_seconds is not null and $2 - data_at > make_interval(secs => data_seconds) * $3, false) from sources where id = $1`, st.SourceID, st.Now, models.OutageIntervals).Scan(&baseline)
	if err != nil {
		return false, fmt.Errorf("tell whether it is a baseline: %w", err)
	}
	return baseline, nil
}

// before asks for what was known, before this transaction, of the bookings that were there and that it touched.
// Of those that several steps touched it is what the first of them found.
func (st *staging) before() string {
	const nobody = `select 0 as place, null::bigint as ord, null::bigint as rid, null::text as name, null::text as name_key, null::date as dob, null::smallint as birth_year, null::timestamptz as released_at, null::bigint as bond_cents, null::text as withheld where false`
	const facts = `b.name, b.name_key, b.dob, b.birth_year`
	const notNew = ` where not exists (select from fresh_rows f where f.rid = i.rid)`
	parts := []string{nobody}
	if st.work.changed > 0 {
		parts = append(parts, `select 1, ord, rid, old_name, old_key, old_dob, old_year, old_released, old_bond, old_withheld from changed`)
	}
	if st.work.hushed > 0 {
		parts = append(parts, `select 2, 0, i.rid, `+facts+`, b.released_at, b.bond_cents, i.old_withheld from resealed_now i join bookings b on b.rid = i.rid`+notNew)
	}
	if st.work.relist > 0 {
		parts = append(parts, `select 3, 0, i.rid, `+facts+`, i.old_released, b.bond_cents, b.withheld from relisted i join bookings b on b.rid = i.rid`+notNew)
	}
	if st.work.gone > 0 {
		parts = append(parts, `select 4, 0, i.rid, `+facts+`, i.old_released, b.bond_cents, b.withheld from inferred i join bookings b on b.rid = i.rid`+notNew)
	}
	return `select distinct on (rid) * from (` + strings.Join(parts, "\n  union all ") + `) t order by rid, place, ord`
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
	return st.store.AskMatch(ctx, st.tx)
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
	if err := st.exec(ctx, "wait for watchers", db.LockWatchers); err != nil {
		return err
	}
	return st.exec(ctx, "note the watchers", `update change_batches set watcher_rev = coalesce((select max(rev) from watchers), 0) where id = $1`, st.batch)
}
