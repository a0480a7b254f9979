package alert

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
)

// hitList is the name of the inbox in its cursors.
const hitList = "hits"

// inbox narrows hits, as h, to those of an account's watchers that f selects. Hits of deleted watchers are not in it.
func (s *Store) inbox(ctx context.Context, accountID string, f *models.HitFilter) (*gorm.DB, error) {
	for field, text := range map[string]*string{"assignee": f.Assignee, "alert": f.Watcher, "label": f.Label} {
		if err := models.PlainText(field, models.EmptyIfNil(text)); err != nil {
			return nil, err
		}
	}
	q := s.rows(ctx).Table("published_hits h").Joins("join watchers w on w.id = h.watcher_id and w.deleted_at is null").Where("h.account_id = ?", accountID)
	if len(f.States) > 0 {
		q = q.Where("h.state in ?", f.States)
	}
	if f.Watcher != nil {
		q = q.Where("h.watcher_id = ?", *f.Watcher)
	}
	if f.Label != nil {
		q = q.Where("w.label = ?", *f.Label)
	}
	if f.Assignee != nil {
		q = q.Where("h.assignee_id = (select id from users where account_id = ? and lower(email) = lower(?))", accountID, *f.Assignee)
	}
	return q, nil
}

// Inbox returns one page of the hits of an account's watchers, newest first, after the cursor p.After. A cursor of another
// list is CodeInvalidParameter. Hits on records that are not published are left out.
func (s *Store) Inbox(ctx context.Context, accountID string, f models.HitFilter, p models.Page) (*models.HitPage, error) {
	q, err := s.inbox(ctx, accountID, &f)
	if err != nil {
		return nil, err
	}
	if p.After != "" {
		var at seek
		if err := s.OpenCursor(hitList, p.After, &at); err != nil {
			return nil, err
		}
		q = q.Where("(h.at, h.id) < (?, ?)", at.At, at.ID)
	}
	out := &models.HitPage{Hits: []*models.Hit{}, Filter: f}
	if err := q.Select("h.*").Order("h.at desc, h.id desc").Limit(p.Limit + 1).Find(&out.Hits).Error; err != nil {
		return nil, fmt.Errorf("list inbox: %w", err)
	}
	if len(out.Hits) > p.Limit {
		out.Hits, out.PageInfo.HasNextPage = out.Hits[:p.Limit], true
	}
	if n := len(out.Hits); n > 0 {
		last := out.Hits[n-1]
		out.PageInfo.End = func() (string, error) { return s.SealCursor(hitList, seek{last.At, last.ID}) }
	}
	round(out.Hits)
	return out, nil
}

// HitCounts counts what Inbox lists, by state, whatever states f selects.
func (s *Store) HitCounts(ctx context.Context, accountID string, f models.HitFilter) (models.HitCounts, error) {
	now, err := s.standing(ctx, accountID, f)
	return now.Counts, err
}

// InboxStanding returns where the whole inbox of an account stands.
func (s *Store) InboxStanding(ctx context.Context, accountID string) (models.InboxStanding, error) {
	now, err := s.standing(ctx, accountID, models.HitFilter{})
	if err != nil {
		return now, err
	}
	_, now.Event, err = s.LastEvent(ctx, accountID)
	return now, err
}

// standing sums up the hits that f selects, of all states.
func (s *Store) standing(ctx context.Context, accountID string, f models.HitFilter) (out models.InboxStanding, err error) {
	f.States = nil
	q, err := s.inbox(ctx, accountID, &f)
	if err != nil {
		return out, err
	}
	var sums []struct {
		State   models.HitState
		Count   int
		Handled *time.Time
	}
	if err := q.Select("h.state, count(*) as count, max(h.handled_at) as handled").Group("h.state").Find(&sums).Error; err != nil {
		return out, fmt.Errorf("count inbox: %w", err)
	}
	for _, sum := range sums {
		*out.Counts.Of(sum.State) = sum.Count
		if sum.Handled != nil && sum.Handled.After(out.Handled) {
			out.Handled = sum.Handled.UTC()
		}
	}
	return out, nil
}

// UnreadHits counts the unread hits of an account up to most, which bounds what it reads.
func (s *Store) UnreadHits(ctx context.Context, accountID string, most int) (n int, err error) {
	q, err := s.inbox(ctx, accountID, &models.HitFilter{States: []models.HitState{models.HitUnread}})
	if err != nil {
		return 0, err
	}
	err = s.rows(ctx).Table("(?) u", q.Select("1").Limit(most)).Select("count(*)").Scan(&n).Error
	return n, db.Known("count unread hits", err)
}
