-- Links have a generation of their own: whoever keeps an answer that shows one learns when it changed.
-- +goose Up
alter table generations drop constraint generations_family_check;
alter table generations add constraint generations_family_check check (family in ('roster', 'courts', 'corrections', 'links'));
insert into generations (family) values ('links');

-- +goose StatementBegin
create function count_link_change() returns trigger language plpgsql as $$
begin
  update generations set gen = gen + 1 where family = 'links';
  return null;
end $$;
-- +goose StatementEnd
create trigger gdc_links_counted after insert or update or delete on gdc_links for each statement execute function count_link_change();
create trigger court_links_counted after insert or update or delete on court_links for each statement execute function count_link_change();
