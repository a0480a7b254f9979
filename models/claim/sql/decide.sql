-- What operators decide about records (CLAIMS.md, rule 72).

-- name: end_other_decisions
-- Ends the earlier decisions about the same ground, because the newest one holds. To publish a record also ends that
-- it is kept withheld. An operator's restriction ends by itself alone, and ends no other decision.
update decisions d
set ended_at = @now
from {records} r
where r.{key} = d.record
  and d.family = @family
  and (r.{key} = @record or r.merged_into = @record)
  and d.ended_at is null
  and d.kind in ('publish', 'withhold')
  and (
    d.reason::text = @reason
      and d.because_family is not distinct from @because_family and d.because is not distinct from @because
    or d.kind <> @kind and d.reason::text <> 'restricted' and @reason <> 'restricted'
  )

-- name: decide_on_bookings_of_case
-- Stores a decision about a case for the bookings that are withheld on its account (CLAIMS.md, rule 74): to publish the
-- case publishes them in spite of it, to keep it withheld ends that.
with ended as (
  update decisions
  set ended_at = @now
  where not @publish
    and family = 'roster'
    and kind = 'publish'
    and because_family = 'courts'
    and because = @record
    and ended_at is null
)
insert into decisions (family, record, kind, reason, because_family, because, actor, note, decided_at)
select 'roster', b.rid, 'publish', 'maybe juvenile', 'courts', @record, @actor, @note, @now
from bookings b
where @publish
  and b.because_case = @record
  and b.withheld = 'maybe juvenile'
  and b.merged_into is null
