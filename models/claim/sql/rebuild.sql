-- name: all_records
-- Records to resolve anew, some thousands at once.
select {key} from {records} where {key} > @after and merged_into is null order by {key} limit @n
