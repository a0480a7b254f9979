-- Whether a case itself names its offense: else that is the first of its charges. Of a case that was told before, an offense
-- that none of its charges has was its own.
-- +goose Up

alter table court_cases add column offense_own boolean not null default false;
update court_cases c set offense_own = true where offense <> '' and not exists (select from case_charges x where x.case_id = c.id and x.description = c.offense);
