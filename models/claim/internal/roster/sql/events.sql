-- Statements of changes: what watchers are told.

-- name: baseline
-- Whether this is the first successful run of the source, or the first after an outage. A source without a schedule has no
-- outage, however late its files come. A scope is read with its source, and one of a source that reports only changes need not
-- be in each file.
select greatest(s.last_applied, s.last_success) is null
 or coalesce(@now - greatest(s.last_applied, s.last_success, p.last_success) > make_interval(secs => s.interval_seconds) * 3, false)
 or coalesce(s.interval_seconds is not null and @now - s.data_at > make_interval(secs => case when p.id is not null and s.whole_since is null then greatest(s.data_seconds, 86400) else s.data_seconds end) * 3, false)
from sources s left join sources p on p.id = s.parent where s.id = @source

-- name: begin_batch
insert into change_batches (source_id, run_id, detected_at, watcher_rev) values (@source, nullif(@run::bigint, 0), @at, 0) returning id

-- name: new_changes
-- Events of bookings that this run made.
insert into changes (batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, dob, birth_year, booked_at, released_at, charges, bond_cents)
select @batch, v.kind, @at, @source, b.rid, b.id, b.county_id, b.name, b.dob, b.birth_year, b.booked_at, b.released_at, b.charges, b.bond_cents
 from bookings b cross join lateral (values ('booking', b.booked_at), ('release', b.released_at)) v (kind, at)
 where b.rid between @first and @last and b.gen = @gen and b.withheld is null and b.merged_into is null and v.at >= @since
 order by b.rid, v.kind

-- name: known_changes
-- Events of bookings that were known. Nothing is taken back of which nobody was told.
insert into changes (batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, dob, birth_year, booked_at, released_at, charges, bond_cents,
  old_bond_cents, old_name, old_dob, old_birth_year, retracts)
select distinct on (b.rid, u.kind) @batch, u.kind, @at, @source, b.rid, b.id, b.county_id, b.name, b.dob, b.birth_year, b.booked_at, b.released_at, b.charges, b.bond_cents,
  u.old_bond, u.old_name, u.old_dob, u.old_year, r.id
 from unnest(@records::bigint[], @kinds::text[], @old_bonds::bigint[], @old_names::text[], @old_dobs::date[], @old_years::smallint[]) u (rid, kind, old_bond, old_name, old_dob, old_year)
 join bookings b on b.rid = u.rid
 left join lateral (select id from changes c where u.kind = 'retraction' and c.rid = b.rid and c.kind = 'release' order by id desc limit 1) r on true
 where case u.kind when 'retraction' then r.id is not null and not exists (select from changes t where t.retracts = r.id)
  when 'sealed' then exists (select from changes c where c.rid = b.rid) or exists (select from bookings g where g.merged_into = b.rid)
  else true end
 order by b.rid, u.kind, u.old_name nulls first

-- name: wait_for_watchers
-- As the last thing before the commit: whoever creates a watcher waits for that moment, so every watcher is either before this
-- batch or after it.
select pg_advisory_xact_lock(1919904882)

-- name: note_watchers
update change_batches set watcher_rev = coalesce((select max(rev) from watchers), 0) where id = @batch

-- name: with_merged
-- Bookings with those that were merged into them.
select array(select unnest(@records::bigint[]) union select rid from bookings where merged_into = any(@records::bigint[]))

-- name: cancel_deliveries
-- Locked in one order, as by whoever records attempts. The notice that a record is withheld names nobody.
update deliveries d set state = 'dropped', reason = @reason, next_attempt = null, leased_until = null, leased_by = null, updated_at = @at
 from (select id from deliveries where event_id in (select id from events where rid = any(@records::bigint[])) and kind <> 'sealed' and state in ('pending', 'failed') order by id for update) open
 where d.id = open.id

-- name: forget_answers
delete from idempotency_keys where records && @records::bigint[] and status is not null
