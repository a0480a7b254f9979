package alert

import (
	"context"

	"rollcall/models"
	"rollcall/models/db"
)

// HitShare compares the hits of a watcher with a county, a day of birth, or a year of birth; one of the three is not nil. Where a jail
// states only the year of that day, it may be the day, so an alert on the day finds it too.
func (s *Store) HitShare(
	ctx context.Context, accountID, watcherID string, county *models.County, day *models.Date, year *int,
) (out models.HitShare, err error) {
	q := s.rows(ctx).Table("published_hits h").Joins("join published_bookings b on b.rid = h.rid").Where("h.account_id = ? and h.watcher_id = ?", accountID, watcherID)
	switch {
	case county != nil:
		q = q.Select("count(*) as \"all\", count(*) filter (where b.county_id = ?) as agree", county.ID)
	case day != nil:
		q = q.Select("count(*) as \"all\", count(*) filter (where b.dob = ?) as agree, "+
			"count(*) filter (where b.dob is null and coalesce(b.birth_year, ?) = ?) as silent", *day, day.Year, day.Year)
	default:
		q = q.Select("count(*) as \"all\", count(*) filter (where coalesce(extract(year from b.dob), b.birth_year) = ?) as agree, "+
			"count(*) filter (where b.dob is null and b.birth_year is null) as silent", year)
	}
	return out, db.Known("compare hits", q.Scan(&out).Error)
}
