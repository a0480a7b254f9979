-- The tables of the job queue, as operators see them, and turns at hosts.

-- name: job_queues
-- Returns the figures of every queue that has jobs. Finished jobs are counted for as long as River keeps them.
select j.queue,
  count(*) filter (where state = 'available') as available,
  count(*) filter (where state = 'running') as running,
  count(*) filter (where state in ('scheduled', 'pending')) as scheduled,
  count(*) filter (where state = 'retryable') as retryable,
  count(*) filter (where state = 'discarded') as discarded,
  count(*) filter (where state = 'cancelled') as cancelled,
  count(*) filter (where state = 'completed') as completed,
  min(scheduled_at) filter (where state = 'available') as oldest,
  coalesce(bool_or(q.paused_at is not null), false) as paused
from river_job j
left join river_queue q on q.name = j.queue
group by j.queue
order by j.queue

-- name: jobs
-- Returns jobs in some states, the latest event first, with the last error of each.
select id, kind, queue, state::text, args::text, attempt, max_attempts, created_at, scheduled_at, attempted_at,
  finalized_at, coalesce(errors[array_upper(errors, 1)] ->> 'error', '')
from river_job
where state::text = any (@states::text[])
order by coalesce(finalized_at, attempted_at, scheduled_at) desc, id desc
limit @limit

-- name: free_job
-- Makes the running job of a kind for a source available again.
update river_job
set state = 'available', scheduled_at = now()
where kind = @kind and state = 'running' and args->>'source' = @source

-- name: host_turn
-- Reserves the next request to a host and returns the seconds until it. A time far ahead is of a clock that was set
-- back: it does not block a host for ever.
insert into host_turns as h (host, next_at)
values (@host, clock_timestamp() + make_interval(secs => @gap::double precision))
on conflict (host) do update
set next_at = make_interval(secs => @gap::double precision) + case
      when h.next_at > clock_timestamp() + interval '1 hour' then clock_timestamp()
      else greatest(h.next_at, clock_timestamp())
    end
returning extract(epoch from next_at - clock_timestamp()) - @gap::double precision
