package link

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// EachRecord yields the published corrections records as of the begin of the run. The record is reused
// between calls.
func (r *Run) EachRecord(ctx context.Context, yield func(*models.LinkRecord)) error {
	var rec models.LinkRecord
	err := r.read(ctx, `select gdc_id, name, born from linked_records order by cid`, []any{&rec.GdcID, &rec.Name, &rec.Born}, func() { yield(&rec) })
	if err != nil {
		return fmt.Errorf("read records to link: %w", err)
	}
	return nil
}

// EachBooking yields every published booking, in no order and without Dismissed. The booking is reused
// between calls.
func (r *Run) EachBooking(ctx context.Context, yield func(*models.LinkBooking)) error {
	var b models.LinkBooking
	err := r.read(ctx, `select b.rid, b.name, `+born("b")+` from bookings b where b.withheld is null`, []any{&b.RID, &b.Name, &b.Born}, func() { yield(&b) })
	if err != nil {
		return fmt.Errorf("read bookings to link: %w", err)
	}
	return nil
}

// read streams a large answer, for which the statement time-out is no measure.
func (r *Run) read(ctx context.Context, query string, targets []any, yield func(), args ...any) error {
	return r.store.InTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		_, err = pgx.ForEachRow(rows, targets, func() error {
			yield()
			return nil
		})
		return err
	})
}

// Bookings gives those of some bookings that matching may link: published, and not pinned to a record.
func (r *Run) Bookings(ctx context.Context, rids []int64) ([]models.LinkBooking, error) {
	rows, err := r.store.Pool().Query(ctx, `select b.rid, b.name, `+born("b")+`, array(select v.gdc_id from link_verdicts v where v.roster_id = b.id and v.verdict = 'dismissed')
 from bookings b where b.rid = any($1) and b.withheld is null and not exists (select from gdc_links l where l.rid = b.rid and l.pinned)`, rids)
	if err != nil {
		return nil, fmt.Errorf("read bookings to link: %w", err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.LinkBooking])
	if err != nil {
		return nil, fmt.Errorf("read bookings to link: %w", err)
	}
	return out, nil
}

// Save makes found the only links of the bookings considered, pinned ones apart: these stay as they
// are. A pair that was dismissed or withheld meanwhile makes no link. Nobody's generation is raised:
// lists show no links.
func (r *Run) Save(ctx context.Context, considered []int64, found []models.FoundLink) (models.LinkCounts, error) {
	var n models.LinkCounts
	err := r.store.InTx(ctx, func(tx pgx.Tx) error {
		if err := stageLinks(ctx, tx, found); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `delete from gdc_links l where l.rid = any($1) and not l.pinned and not exists (select from staged s where s.rid = l.rid)`, considered)
		if err != nil {
			return fmt.Errorf("remove links: %w", err)
		}
		n.Removed = int(tag.RowsAffected())
		return r.keep(ctx, tx, &n)
	})
	if err != nil {
		return models.LinkCounts{}, fmt.Errorf("save links: %w", err)
	}
	return n, nil
}

// stageLinks brings found links into a table, with the keys of their records, without those that must not be.
func stageLinks(ctx context.Context, tx pgx.Tx, found []models.FoundLink) error {
	if err := db.LockLinkTables(ctx, tx); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `create temp table found (rid bigint, gdc_id text collate "C", confidence text, probability real, reasons text[]) on commit drop`)
	if err != nil {
		return fmt.Errorf("create staging table: %w", err)
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"found"}, []string{"rid", "gdc_id", "confidence", "probability", "reasons"}, pgx.CopyFromSlice(len(found), func(i int) ([]any, error) {
		f := &found[i]
		return []any{f.RID, f.GdcID, string(f.Confidence), float32(f.Probability), f.Reasons}, nil
	}))
	if err != nil {
		return fmt.Errorf("stage links: %w", err)
	}
	_, err = tx.Exec(ctx, `create temp table staged on commit drop as
 select f.rid, c.cid, f.confidence, f.probability, f.reasons from found f
 join bookings b on b.rid = f.rid and b.withheld is null join corrections_records c on c.gdc_id = f.gdc_id and c.withheld is null
 where not exists (select from link_verdicts v where v.roster_id = b.id and v.gdc_id = f.gdc_id and v.verdict = 'dismissed')`)
	if err != nil {
		return fmt.Errorf("find the records of links: %w", err)
	}
	return nil
}

// keep writes the staged links that differ from those stored. What faces said of the same pair stays.
func (r *Run) keep(ctx context.Context, tx pgx.Tx, n *models.LinkCounts) error {
	err := tx.QueryRow(ctx, `with written as (
  insert into gdc_links as l (rid, cid, confidence, probability, reasons, origin, linked_at)
  select rid, cid, confidence, probability, reasons, 'matched', $1 from staged order by rid
  on conflict (rid) do update set cid = excluded.cid, confidence = excluded.confidence, probability = excluded.probability, reasons = excluded.reasons,
   mugshot_match = l.mugshot_match and l.cid = excluded.cid, origin = 'matched', linked_at = excluded.linked_at
  where not l.pinned and (l.cid, l.confidence, l.probability, l.reasons, l.origin) is distinct from (excluded.cid, excluded.confidence, excluded.probability, excluded.reasons, 'matched')
  returning rid, cid)
 select count(*) filter (where l.cid is null), count(l.cid) from written w left join gdc_links l on l.rid = w.rid and l.cid = w.cid`, r.store.Now()).
		Scan(&n.Made, &n.Changed) // the join sees the links before this statement
	if err != nil {
		return fmt.Errorf("write links: %w", err)
	}
	return nil
}
