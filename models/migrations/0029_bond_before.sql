-- What a bond was before it changed, kept with the change: who reads of it later sees from what to what.
-- +goose Up
alter table changes add old_bond_cents bigint; -- null: none was set, or the change is of something else

-- Of changes from before, the version row of the same run knows.
update changes c set old_bond_cents = v.before::bigint
 from change_batches b join record_changes v on v.run_id = b.run_id
 where c.kind = 'bond_change' and c.batch_id = b.id and v.family = 'roster' and v.record = c.rid and v.field = 'bond_cents';
