package record

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

const linkColumns = `l.rid, l.cid, o.gdc_id, l.confidence, l.reasons, l.mugshot_match, o.status <> 'unknown'`

func linkTargets(l *models.GdcLink) []any {
	return []any{&l.RID, &l.CID, &l.GdcID, &l.Confidence, &l.Reasons, &l.MugshotMatch, &l.KnownStatus}
}

// GdcLinksOf gives the link of each booking that has one to a published corrections record.
func (s *Store) GdcLinksOf(ctx context.Context, rids []int64) (map[int64]*models.GdcLink, error) {
	return s.kept.links.Read(ctx, rids, s.readGdcLinks)
}

func (s *Store) readGdcLinks(ctx context.Context, rids []int64) (map[int64]*models.GdcLink, int64, error) {
	rows, err := s.Pool().Query(ctx, `select `+linkColumns+` from gdc_links l join corrections_records o on o.cid = l.cid and o.withheld is null
 where l.rid = any($1)`, rids)
	if err != nil {
		return nil, 0, err
	}
	out := make(map[int64]*models.GdcLink, len(rids))
	_, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (struct{}, error) {
		var l models.GdcLink
		err := r.Scan(linkTargets(&l)...)
		out[l.RID] = &l
		return struct{}{}, err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read links of bookings: %w", err)
	}
	return out, 0, nil
}

// CountyRecordsOf gives the published bookings linked to corrections records by key, newest first.
func (s *Store) CountyRecordsOf(ctx context.Context, cids []int64) (map[int64][]*models.CountyRecord, error) {
	return s.kept.countyRecords.Read(ctx, cids, s.readCountyRecords)
}

func (s *Store) readCountyRecords(ctx context.Context, cids []int64) (map[int64][]*models.CountyRecord, int64, error) {
	rows, err := s.Pool().Query(ctx, `select `+linkColumns+`, `+bookingColumns+` from gdc_links l
 join corrections_records o on o.cid = l.cid join bookings b on b.rid = l.rid and b.withheld is null
 where l.cid = any($1) order by b.booked_at desc, b.id desc`, cids)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	out := make(map[int64][]*models.CountyRecord, len(cids))
	for rows.Next() {
		var l models.GdcLink
		var r bookingRow
		if err := rows.Scan(append(linkTargets(&l), r.targets()...)...); err != nil {
			return nil, 0, fmt.Errorf("read links of corrections records: %w", err)
		}
		out[l.CID] = append(out[l.CID], &models.CountyRecord{GdcLink: &l, Record: r.booking(s.Counties())})
	}
	return out, 0, rows.Err()
}
