-- What a source tells under a key of whether the person is a juvenile: flag, by its flag alone; more, by an age or birth too;
-- no, when it took the flag back. Of a juvenile who was told of before nobody knows by what: more, which is never taken back.
-- +goose Up

alter table sightings add column sign text check (sign in ('flag', 'more', 'no'));
update sightings g set sign = 'more' from bookings b where b.rid = g.rid and b.withheld = 'juvenile';
