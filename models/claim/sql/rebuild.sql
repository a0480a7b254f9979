-- Records to resolve again from their claims (rollcall rebuild; CLAIMS.md, section 3.6).

-- name: all_records
-- Returns the next records to resolve, some thousands at once.
select {key}
from {records}
where {key} > @after and merged_into is null
order by {key}
limit @n
