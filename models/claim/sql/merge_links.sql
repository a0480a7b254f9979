-- Links of merged records (CLAIMS.md, rules 61 and 66): what a merge moved or dropped of them, an unmerge puts back. A
-- row of gdc_links has no case.

-- name: keep_gdc_links
-- Stores the links between the record that goes and the other family, as they are before the merge.
insert into merged_links (family, gone, rid, cid, shared, link)
select @family, @gone, l.rid, l.cid,
  exists (
    select
    from gdc_links k
    where k.rid = case @family::text when 'roster' then @kept::bigint else l.rid end
      and k.cid = case @family::text when 'corrections' then @kept::bigint else l.cid end),
  to_jsonb(l)
from gdc_links l
where @family::text = 'roster' and l.rid = @gone or @family::text = 'corrections' and l.cid = @gone

-- name: keep_court_links
-- Stores the links of cases in the same way.
insert into merged_links (family, gone, rid, cid, case_id, shared, link)
select @family, @gone, l.rid, l.cid, l.case_id,
  exists (
    select
    from court_links k
    where k.case_id = case @family::text when 'courts' then @kept::bigint else l.case_id end
      and (
        k.rid = case @family::text when 'roster' then @kept::bigint else l.rid end
        or k.cid = case @family::text when 'corrections' then @kept::bigint else l.cid end)),
  to_jsonb(l)
from court_links l
where @family::text = 'roster' and l.rid = @gone
  or @family::text = 'corrections' and l.cid = @gone
  or @family::text = 'courts' and l.case_id = @gone

-- name: end_moved_gdc_links
-- Deletes the links of the record that stays which the merge brought to it, unless they were linked anew since.
delete from gdc_links l
using merged_links m
where m.family = @family
  and m.gone = @gone
  and m.case_id is null
  and not m.shared
  and l.rid = case @family::text when 'roster' then @kept::bigint else m.rid end
  and l.cid = case @family::text when 'corrections' then @kept::bigint else m.cid end
  and l.linked_at = (m.link ->> 'linked_at')::timestamptz

-- name: end_moved_court_links
-- Deletes the links of cases in the same way.
delete from court_links l
using merged_links m
where m.family = @family
  and m.gone = @gone
  and not m.shared
  and l.case_id = case @family::text when 'courts' then @kept::bigint else m.case_id end
  and (
    l.rid = case @family::text when 'roster' then @kept::bigint else m.rid end
    or l.cid = case @family::text when 'corrections' then @kept::bigint else m.cid end)
  and l.linked_at = (m.link ->> 'linked_at')::timestamptz

-- name: return_gdc_links
-- Stores the links of the record that is set free again, unless an operator dismissed the pair. Where the other end was
-- merged since, its id leads to another record. The next link run looks at both records anew.
insert into gdc_links
select r.*
from merged_links m
join bookings b on b.rid = m.rid
join corrections_records o on o.cid = m.cid
cross join lateral jsonb_populate_record(
  null::gdc_links,
  m.link || jsonb_build_object('rid', coalesce(b.merged_into, b.rid), 'cid', coalesce(o.merged_into, o.cid))) r
where m.family = @family
  and m.gone = @gone
  and m.case_id is null
  and not exists (
    select
    from link_decisions v
    where v.roster_id = b.id and v.gdc_id = o.gdc_id and v.decision = 'dismissed')
on conflict do nothing

-- name: return_court_links
-- Stores the links of cases again in the same way.
insert into court_links
select r.*
from merged_links m
join court_cases c on c.id = m.case_id
left join bookings b on b.rid = m.rid
left join corrections_records o on o.cid = m.cid
cross join lateral jsonb_populate_record(
  null::court_links,
  m.link
  || jsonb_build_object(
    'case_id', coalesce(c.merged_into, c.id), 'rid', coalesce(b.merged_into, b.rid),
    'cid', coalesce(o.merged_into, o.cid))) r
where m.family = @family
  and m.gone = @gone
  and num_nonnulls(b.rid, o.cid) = 1
  and not exists (
    select
    from court_link_decisions v
    where (v.county_id, v.court_type, v.case_number, v.party) = (c.county_id, c.court_type, c.case_number, c.party)
      and v.decision = 'dismissed'
      and (v.family, v.person) in (('roster', b.id), ('corrections', o.gdc_id)))
on conflict do nothing

-- name: forget_merged_links
-- Deletes what was noted of the links of a record that is merged no more.
delete from merged_links where family = @family and gone = @gone
