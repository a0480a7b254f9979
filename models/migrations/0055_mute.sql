-- Bookings that several sources told of before it was noted what each told, also as an operator merged them: an empty list says
-- that nothing is known of it, and that the next row which is told as before notes it.
-- +goose Up

update sightings g set told = '{}' where told is null and exists (select from sightings o where o.rid = g.rid and o.source_id <> g.source_id);
