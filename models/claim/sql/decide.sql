-- What operators decide about records.

-- name: end_other_decisions
-- A decision takes the place of those before it about the same ground; to publish ends that the record is kept withheld.
update decisions d set ended_at = @now from {records} r
 where r.{key} = d.record and d.family = @family and (r.{key} = @record or r.merged_into = @record) and d.ended_at is null and d.kind in ('publish', 'withhold')
  and (d.reason::text = @reason or d.kind <> @kind)
