-- Events as an Atom subscription shows them (docs/decisions/0018-email-and-atom.md).

-- name: atom_events
-- Returns an account's newest events with the facts of their moment, or those before an event of the account.
-- An event whose deliveries would be dropped now is left out: its record is withheld, its person dismissed, or
-- its watcher deleted.
select e.id, e.kind, e.at, w.name as watched, e.reasons,
  b.id as record_id, c.name, c.dob, c.birth_year,
  c.county_id, c.booked_at, c.released_at, c.release_inferred, c.release_absent, c.charges, c.bond_cents,
  c.old_bond_cents,
  (select jsonb_agg(jsonb_build_object('BondKind', g.bond_kind, 'BondText', g.bond_text) order by g.seq)
   from published_booking_charges g
   where g.rid = c.rid and c.bond_cents is null and g.bond_kind is not null) as bond_charges
from published_events e
join changes c on c.id = e.change_id
join known_bookings b on b.rid = e.rid
join watchers w on w.id = e.watcher_id
where e.account_id = @account
  and e.kind <> @withheld
  and w.deleted_at is null
  and not exists (select from dismissals x where x.watcher_id = e.watcher_id and x.rid = e.rid)
  and (@before = '' or e.seq < (select p.seq from events p where p.id = @before and p.account_id = @account))
order by e.seq desc
limit @limit

-- name: atom_notices
-- Returns an account's newest notices about sources, with the title and the counties of the source as they are now.
select e.id, e.kind, e.at, s.title,
  coalesce(
    (
      select array_agg(k.name order by k.name)
      from counties k
      where k.id = s.county_id or k.id in (select county_id from source_counties where source_id = s.id)),
    '{}') as counties
from events e
join changes c on c.id = e.change_id
join sources s on s.id = c.source_id
where e.account_id = @account and e.watcher_id is null and e.rid is null
order by e.seq desc
limit @limit
