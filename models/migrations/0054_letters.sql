-- Names are searched with letters such as Ł and Ø as plain ones: the keys of those that were stored before.
-- +goose Up

-- +goose StatementBegin
do $$
declare t text;
begin
  foreach t in array array['bookings', 'court_cases', 'corrections_records'] loop
    execute format('update %I set name_key = replace(replace(replace(translate(name_key, ''øłđðıħŧŋ'', ''olddihtn''), ''þ'', ''th''), ''æ'', ''ae''), ''œ'', ''oe'')
 where name_key ~ ''[øłđðıħŧŋþæœ]''', t);
  end loop;
end $$;
-- +goose StatementEnd
