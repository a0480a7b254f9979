package reconcile

import (
	"context"
	"fmt"

	"rollcall/models"
)

// leadMerged brings rows under ids that went in a merge to the record that stayed. An operator found two ids that the
// department tells as two to be one person, and it goes on telling both in each file: that they are listed is no word
// against his, so a merge holds, as those of bookings and cases do. While the file lists the record's own id, a row
// under another one only keeps it present, and passes on that nobody may be told of it. Where only others are listed,
// the one merged last leads: its row becomes that of the record. A file that proves nobody's absence may only have lost
// the own id, so there an id leads that led before, that brings back who is missing, or that hides.
func (st *staging) leadMerged(ctx context.Context) error {
	n, err := st.count(ctx, "find ids that went", `create temp table led on commit drop as
 select s.ord, k.cid, k.gdc_id as own, g.cid as gone, m.merged_at, not exists (select from staged o where o.gdc_id = k.gdc_id)
   and ($1 or m.leads or s.withheld is not null or k.withheld is not distinct from $2 or k.missing_since is not null) as leads
 from merged_records m join corrections_records g on g.cid = m.gone and g.withheld = '`+models.Merged+`' join corrections_records k on k.cid = m.record
 join staged s on s.gdc_id = g.gdc_id where m.family = 'corrections'`, !st.Tracks || st.verdict.Complete, models.Vanished)
	if err != nil || n == 0 {
		return err
	}
	if err := st.exec(ctx, "bring rows to merged records", `update staged s set gdc_id = l.own from led l where l.ord = s.ord`); err != nil {
		return err
	}
	if err := st.guardMerged(ctx); err != nil {
		return err
	}
	err = st.exec(ctx, "choose ids that lead", `update led l set leads = false where leads and exists (select from led o where o.cid = l.cid and o.leads and (o.merged_at, o.gone) > (l.merged_at, l.gone))`)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "withhold by ids that went", `update staged t set withheld = y.withheld from (
  select distinct on (l.cid) l.own, s.withheld from led l join staged s on s.ord = l.ord where not l.leads and s.withheld is not null order by l.cid, s.withheld <> $1) y
 where t.gdc_id = y.own and not exists (select from led l where l.ord = t.ord and not l.leads) and (t.withheld is null or t.withheld <> $1 and y.withheld = $1)`, models.Juvenile)
	if err != nil {
		return err
	}
	if st.work.yields, err = st.count(ctx, "let ids yield", `delete from staged s using led l where l.ord = s.ord and not l.leads`); err != nil {
		return err
	}
	return st.liftRecords(ctx) // what was found of either id holds for the record
}

// guardMerged is the identity guard of ids that went: what they tell now must be of the person whom they told of at the
// merge, or whom the record tells of since.
func (st *staging) guardMerged(ctx context.Context) error {
	const pair = `select l.ord, c.name, c.dob, s.name, s.dob from led l join staged s on s.ord = l.ord join corrections_records c `
	others, _, err := st.strangers(ctx, pair+`on c.cid = l.gone where s.name_key <> c.name_key or s.dob <> c.dob`)
	if err != nil || len(others) == 0 {
		return err
	}
	if err := st.guard(ctx, pair+`on c.cid = l.cid where l.ord = any($1)`, others); err != nil {
		return err
	}
	return st.exec(ctx, "drop rejected ids that went", `delete from led l where not exists (select from staged s where s.ord = l.ord)`)
}

// noteLeads notes which ids lead by the newest complete file. One whose record has its own id listed again leads no more.
func (st *staging) noteLeads(ctx context.Context) error {
	return st.exec(ctx, "note ids that lead", `update merged_records m set leads = not m.leads from corrections_records k, sources src
 where m.family = 'corrections' and k.cid = m.record and k.source_id = $1 and src.id = $1 and (src.last_complete is null or src.last_complete <= $2)
  and m.leads <> exists (select from led l where l.gone = m.gone and l.leads)
  and ($3 or m.leads and exists (select from staged s where s.gdc_id = k.gdc_id and not exists (select from led l where l.ord = s.ord)))`, st.SourceID, st.At, st.verdict.Complete)
}

// sparedRecords adds to ids of rows that could not be read those of the records that they were merged into.
func (st *staging) sparedRecords(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return ids, nil
	}
	var into []string
	err := st.tx.QueryRow(ctx, `select coalesce(array_agg(k.gdc_id), '{}') from merged_records m join corrections_records g on g.cid = m.gone and g.withheld = '`+models.Merged+`'
 join corrections_records k on k.cid = m.record where m.family = 'corrections' and m.id = any($1)`, ids).Scan(&into)
	if err != nil {
		return nil, fmt.Errorf("look for records of spared ids: %w", err)
	}
	return append(ids, into...), nil
}
