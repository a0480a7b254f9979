package reconcile

import (
	"context"

	"rollcall/models"
)

// passMerged passes on what the court tells anew of a case, under a number that went in a merge, to the case that stayed:
// the facts that differ from what it told there before, unless it tells of that one itself in the same snapshot. The one
// that went keeps what was told of it, so that the next time is compared with that, and stays merged.
func (st *staging) passMerged(ctx context.Context) error {
	err := st.exec(ctx, "pass on to merged cases", `insert into changed
 select distinct on (k.id) c.ord, k.id, k.defendant, k.dob, k.birth_year, k.offense, k.filed_date, k.status, k.judge, k.hearing_link, k.withheld,
  k.defendant, k.name_key, k.dob, k.birth_year, coalesce(k.booking_key, c.booking_key), case when c.offense <> c.old_offense then c.offense else k.offense end,
  case when c.filed_date <> c.old_filed then c.filed_date else k.filed_date end, case when c.status <> c.old_status then c.status else k.status end,
  case when c.status <> c.old_status then c.status_text else k.status_text end, case when c.judge is distinct from c.old_judge then c.judge else k.judge end,
  case when c.hearing_link is distinct from c.old_link then c.hearing_link else k.hearing_link end, coalesce(k.withheld, c.withheld),
  case when k.sealed_by is null and c.sealed_by is not null then coalesce(k.withheld, c.own_withheld) else k.own_withheld end, coalesce(k.sealed_by, c.sealed_by), k.snapshot_at, k.print, true
 from changed c join merged_records m on m.family = 'courts' and m.gone = c.id join court_cases k on k.id = m.record
 where c.old_withheld = '`+models.Merged+`' and not exists (select from changed o where o.id = m.record) order by k.id, c.seen_at desc, c.ord desc`)
	if err != nil {
		return err
	}
	return st.exec(ctx, "keep cases merged", `update changed set withheld = '`+models.Merged+`', own_withheld = null, sealed_by = null where old_withheld = '`+models.Merged+`'`)
}

// noteMerged notes the dispositions of merged cases that this snapshot may change: of each that stayed, and what the
// court said of it under numbers that went and now tells anew.
func (st *staging) noteMerged(ctx context.Context) error {
	err := st.exec(ctx, "note merged cases", `create temp table mirrored on commit drop as
 select x.id, (select `+dispositionList+` from dispositions d where d.case_id = x.id) as before from (
  select m.record as id from changed c join merged_records m on m.family = 'courts' and m.record = c.id where not c.passed
  union select m.record from changed c join merged_records m on m.family = 'courts' and m.gone = c.id where c.withheld = '`+models.Merged+`') x`)
	if err != nil {
		return err
	}
	return st.exec(ctx, "note their dispositions", `create temp table told_anew on commit drop as
 select m.record as id, d.date, d.outcome from changed c join merged_records m on m.family = 'courts' and m.gone = c.id join dispositions d on d.case_id = c.id where c.withheld = '`+models.Merged+`'`)
}

// mirrorMerged shows the dispositions that were told under numbers that went on the cases that stayed, beside their own.
func (st *staging) mirrorMerged(ctx context.Context) error {
	n := 0
	if err := st.tx.QueryRow(ctx, `select count(*) from mirrored`).Scan(&n); err != nil || n == 0 {
		return err
	}
	err := st.exec(ctx, "drop dispositions told anew", `delete from dispositions d using told_anew t where d.case_id = t.id and (d.date, d.outcome) = (t.date, t.outcome)`)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "mirror dispositions", `insert into dispositions (case_id, seq, date, outcome, sentence)
 select g.id, (select coalesce(max(seq), 0) from dispositions where case_id = g.id) + row_number() over (partition by g.id order by g.date, g.seq), g.date, g.outcome, g.sentence
 from (select distinct on (x.id, d.date, d.outcome) x.id, d.date, d.seq, d.outcome, d.sentence from mirrored x join merged_records m on m.family = 'courts' and m.record = x.id
  join court_cases c on c.id = m.gone and c.withheld = '`+models.Merged+`' join dispositions d on d.case_id = m.gone order by x.id, d.date, d.outcome, c.snapshot_at desc) g
 where not exists (select from dispositions k where k.case_id = g.id and (k.date, k.outcome) = (g.date, g.outcome))`)
	if err != nil {
		return err
	}
	return st.exec(ctx, "write versions of mirrored dispositions", `insert into record_changes (family, record, at, source_id, run_id, field, before, after)
 select 'courts', x.id, $1, $2, $3, 'dispositions', x.before, a.list from mirrored x cross join lateral (select `+dispositionList+` as list from dispositions d where d.case_id = x.id) a
 where x.before is distinct from a.list order by x.id`, st.Now, st.SourceID, st.RunID)
}
