package link

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// SaveCourtLinks makes found the only links of the cases considered, pinned ones apart. What was dismissed
// or withheld meanwhile makes no link. The generation of links is raised, that of no family of records.
func (r *Run) SaveCourtLinks(ctx context.Context, considered []int64, found []models.FoundCourtLink) (models.LinkCounts, error) {
	var n models.LinkCounts
	err := r.store.InTx(ctx, func(tx pgx.Tx) error {
		if err := stageCourtLinks(ctx, tx, found); err != nil {
			return err
		}
		return r.keepCourts(ctx, tx, &n, considered)
	})
	if err != nil {
		return models.LinkCounts{}, fmt.Errorf("save links of cases: %w", err)
	}
	return n, nil
}

func stageCourtLinks(ctx context.Context, tx pgx.Tx, found []models.FoundCourtLink) error {
	if err := db.LockLinkTables(ctx, tx); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `create temp table found (case_id bigint, rid bigint, gdc_id text collate "C", confidence text, probability real, reasons text[]) on commit drop`)
	if err != nil {
		return fmt.Errorf("create staging table: %w", err)
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"found"}, []string{"case_id", "rid", "gdc_id", "confidence", "probability", "reasons"}, pgx.CopyFromSlice(len(found), func(i int) ([]any, error) {
		f := &found[i]
		return []any{f.CaseKey, f.RID, f.GdcID, string(f.Confidence), float32(f.Probability), f.Reasons}, nil
	}))
	if err != nil {
		return fmt.Errorf("stage links: %w", err)
	}
	_, err = tx.Exec(ctx, `create temp table staged on commit drop as
 select f.case_id, f.rid, o.cid, f.confidence, f.probability, f.reasons from found f join court_cases c on c.id = f.case_id and c.withheld is null
 left join bookings b on b.rid = f.rid left join corrections_records o on o.gdc_id = f.gdc_id
 where num_nonnulls(b.rid, o.cid) = 1 and b.withheld is null and o.withheld is null
 and not exists (select from court_verdicts v where `+db.OfVerdict+` and v.verdict = 'dismissed'
  and (v.family, v.person) in (('roster', b.id), ('corrections', o.gdc_id)))
 and not (o.cid is not null and exists (select from court_links l where l.case_id = f.case_id and l.cid is not null and l.pinned))`)
	if err != nil {
		return fmt.Errorf("find the records of links: %w", err)
	}
	return nil
}

// keepCourts replaces the links that differ from the staged ones.
func (r *Run) keepCourts(ctx context.Context, tx pgx.Tx, n *models.LinkCounts, considered []int64) error {
	var gone, made int
	err := tx.QueryRow(ctx, `with gone as (
  delete from court_links l where l.case_id = any($1) and not l.pinned and not exists (select from staged s
   where s.case_id = l.case_id and (s.rid, s.cid, s.confidence, s.probability, s.reasons) is not distinct from (l.rid, l.cid, l.confidence, l.probability, l.reasons))
  returning case_id, rid, cid)
 select count(*), count(*) filter (where exists (select from staged s where s.case_id = g.case_id and (s.rid, s.cid) is not distinct from (g.rid, g.cid))) from gone g`, considered).
		Scan(&gone, &n.Changed)
	if err != nil {
		return fmt.Errorf("remove links: %w", err)
	}
	tag, err := tx.Exec(ctx, `insert into court_links (case_id, rid, cid, confidence, probability, reasons, origin, linked_at)
 select case_id, rid, cid, confidence, probability, reasons, 'matched', $1 from staged order by case_id on conflict do nothing`, r.store.Now())
	if err != nil {
		return fmt.Errorf("write links: %w", err)
	}
	made = int(tag.RowsAffected())
	n.Made, n.Removed = made-n.Changed, gone-n.Changed
	return nil
}
