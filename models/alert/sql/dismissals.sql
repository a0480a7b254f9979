-- People whom a watcher does not match any more (an operator's or account's feedback on a hit).

-- name: dismissals
-- Returns whom watchers have dismissed, people and spellings: all of theirs, or those of one hit. people are the
-- records among @rids that a source, or a confirmed link, says are the same person's.
select d.watcher_id, b.rid, b.name, b.county_id, b.dob, b.birth_year, d.spelling,
  array(
    select y.record
    from known_roster_claims x
    join known_roster_claims y on y.source_id = x.source_id and y.person_key = x.person_key
    where x.record = b.rid and y.record = any (@rids::bigint[])
    union
    select l.rid
    from gdc_links k
    join gdc_links l on l.cid = k.cid
    where k.rid = b.rid and l.rid = any (@rids) and k.confidence = 'high' and l.confidence = 'high'
  ) as people
from dismissals d
join known_bookings b on b.rid = d.rid
where d.watcher_id = any (@watchers::text[]) and (@hit::text is null or d.hit_id = @hit)

-- name: people_under_way
-- Returns the people about whom deliveries to a watcher are under way.
select distinct b.rid, b.name, b.county_id, b.dob, b.birth_year
from deliveries d
join events e on e.id = d.event_id
join known_bookings b on b.rid = e.rid
where d.watcher_id = @watcher and d.state in ('pending', 'failed')

-- name: opposite_answers
-- Returns whom a hit is about, if it has an answer, and behind it those hits of its watcher that have the opposite one,
-- the newest answers first: enough of them to find one about the same person.
select h.id as hit_id, b.rid, b.name, b.county_id, b.dob, b.birth_year
from published_hits h
join known_bookings b on b.rid = h.rid
join hits this on this.id = @hit
where h.watcher_id = @watcher and this.feedback in ('confirm', 'dismiss') and h.feedback in ('confirm', 'dismiss')
  and (h.id = this.id or h.feedback <> this.feedback)
order by h.id = this.id desc, h.feedback_at desc, h.id
limit 200
