package record

import (
	"context"
	"fmt"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
)

// linkColumns are those of a models.GdcLink l. A loader of links alone lets GORM choose them.
const linkColumns = "l.rid, l.cid, l.gdc_id, l.confidence, l.reasons, l.mugshot_match, l.known_status"

// GdcLinksOf returns, by key, the link of each booking that has one to a published corrections record. The
// values are shared.
func (s *Store) GdcLinksOf(ctx context.Context, rids []int64) (map[int64]*models.GdcLink, error) {
	return s.kept.links.Read(ctx, rids, s.readGdcLinks)
}

// readGdcLinks reads what GdcLinksOf caches, through the view of links whose two ends are published.
func (s *Store) readGdcLinks(ctx context.Context, rids []int64) (map[int64]*models.GdcLink, int64, error) {
	var found []*models.GdcLink
	err := s.rows(ctx).Where("rid = any (?)", column.Array[int64](rids)).Find(&found).Error
	if err != nil {
		return nil, 0, fmt.Errorf("read links of bookings: %w", err)
	}
	return db.ByKey(found, func(l *models.GdcLink) int64 { return l.RID }), 0, nil
}

// CountyRecordsOf returns the published bookings linked to corrections records by key, newest first. The
// values are shared.
func (s *Store) CountyRecordsOf(ctx context.Context, cids []int64) (map[int64][]*models.CountyRecord, error) {
	return s.kept.countyRecords.Read(ctx, cids, s.readCountyRecords)
}

// readCountyRecords reads what CountyRecordsOf caches: links with their bookings, in one statement.
func (s *Store) readCountyRecords(ctx context.Context, cids []int64) (map[int64][]*models.CountyRecord, int64, error) {
	var rows []*struct {
		Link    models.GdcLink `gorm:"embedded"`
		Booking models.Booking `gorm:"embedded"`
	}
	err := s.rows(ctx).Table("published_links l").Select(linkColumns+", "+bookingColumns).
		Joins("join published_bookings b on b.rid = l.rid").
		Where("l.cid = any (?)", column.Array[int64](cids)).Order("b.booked_at desc, b.id desc").Scan(&rows).Error
	if err != nil {
		return nil, 0, fmt.Errorf("read links of corrections records: %w", err)
	}
	out := make(map[int64][]*models.CountyRecord, len(cids))
	for _, r := range rows {
		r.Booking.BirthYear = birthYear(r.Booking.Dob, r.Booking.BirthYear)
		out[r.Link.CID] = append(out[r.Link.CID], &models.CountyRecord{GdcLink: &r.Link, Record: &r.Booking})
	}
	return out, 0, nil
}
