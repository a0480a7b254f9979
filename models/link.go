package models

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Confidence is how sure a link is.
type Confidence string

// The confidences of SPEC.md.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// GdcLink joins a booking with the corrections record of the same person. The same row is read
// from both sides, so gdc_match and county_records always agree.
type GdcLink struct {
	RID          int64
	CID          int64
	GdcID        string
	Confidence   Confidence
	Reasons      []string // why, in plain words; never nil
	MugshotMatch bool     // facial recognition confirmed it, here or in an imported system
	KnownStatus  bool     // the corrections record has a status that /v1 can say, so /v1 serves it
}

// CountyRecord is a link read from the corrections side, with its booking.
type CountyRecord struct {
	*GdcLink
	Record *Booking
}

// RosterID is the id of the booking.
func (r *CountyRecord) RosterID() string { return r.Record.ID }

// County is the county of the booking.
func (r *CountyRecord) County() *County { return r.Record.County }

// BookingDate is when the person was booked.
func (r *CountyRecord) BookingDate() time.Time { return r.Record.BookingDate }

// Status is the booking's status.
func (r *CountyRecord) Status() RosterStatus { return r.Record.Status }

const linkColumns = `l.rid, l.cid, o.gdc_id, l.confidence, l.reasons, l.mugshot_match, o.status <> 'unknown'`

func linkTargets(l *GdcLink) []any {
	return []any{&l.RID, &l.CID, &l.GdcID, &l.Confidence, &l.Reasons, &l.MugshotMatch, &l.KnownStatus}
}

// GdcLinksOf gives the link of each booking that has one to a published corrections record.
func (s *Store) GdcLinksOf(ctx context.Context, rids []int64) (map[int64]*GdcLink, error) {
	return s.kept.links.read(ctx, rids, s.readGdcLinks)
}

func (s *Store) readGdcLinks(ctx context.Context, rids []int64) (map[int64]*GdcLink, int64, error) {
	rows, err := s.pool.Query(ctx, `select `+linkColumns+` from gdc_links l join corrections_records o on o.cid = l.cid and o.withheld is null
 where l.rid = any($1)`, rids)
	if err != nil {
		return nil, 0, err
	}
	out := make(map[int64]*GdcLink, len(rids))
	_, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (struct{}, error) {
		var l GdcLink
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
func (s *Store) CountyRecordsOf(ctx context.Context, cids []int64) (map[int64][]*CountyRecord, error) {
	return s.kept.countyRecords.read(ctx, cids, s.readCountyRecords)
}

func (s *Store) readCountyRecords(ctx context.Context, cids []int64) (map[int64][]*CountyRecord, int64, error) {
	rows, err := s.pool.Query(ctx, `select `+linkColumns+`, `+bookingColumns+` from gdc_links l
 join corrections_records o on o.cid = l.cid join bookings b on b.rid = l.rid and b.withheld is null
 where l.cid = any($1) order by b.booked_at desc, b.id desc`, cids)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	out := make(map[int64][]*CountyRecord, len(cids))
	for rows.Next() {
		var l GdcLink
		var r bookingRow
		if err := rows.Scan(append(linkTargets(&l), r.targets()...)...); err != nil {
			return nil, 0, fmt.Errorf("read links of corrections records: %w", err)
		}
		out[l.CID] = append(out[l.CID], &CountyRecord{GdcLink: &l, Record: r.booking(s.counties)})
	}
	return out, 0, rows.Err()
}
