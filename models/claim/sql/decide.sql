-- What operators decide about records (CLAIMS.md, rule 72).

-- name: end_other_decisions
-- Ends the earlier decisions about the same ground, because the newest one holds. To publish a record also ends that
-- it is kept withheld.
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
    or d.kind <> @kind
  )
