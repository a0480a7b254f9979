-- Juveniles who came back under a new number of the same source were published before the rule came: the bookings that
-- are public are judged by the withheld ones once more.
-- +goose Up

update judged set upto = 0, ended_at = null where rule = 'bookings';
