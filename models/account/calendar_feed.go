package account

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// feedColumns are those of a feed f of the case c. A case that was merged into another one is read as that one.
const feedColumns = `f.id, f.account_id, case when ` + feedShows + ` then c.id end, case when ` + feedShows + ` then c.case_number else '' end, c.county_id, case when ` + feedShows + ` then f.label else '' end, f.created_at, f.revoked_at`

// feedShows tells whether the case c of a feed may be shown, itself or as the one that it was merged into.
const feedShows = `(c.withheld is null or c.withheld = '` + models.Merged + `' and exists (
 select from merged_records m join court_cases k on k.id = m.record where m.family = 'courts' and m.gone = c.id and k.withheld is null))`

// CreateCalendarFeed subscribes an account to the hearings of a published case; sha is the token's SHA-256.
func (s *Store) CreateCalendarFeed(ctx context.Context, accountID string, c *models.CourtCase, label string, sha []byte) (*models.CalendarFeed, error) {
	label = strings.TrimSpace(label)
	if len(label) > 100 {
		return nil, models.Invalid("label", "label must have at most 100 characters")
	}
	f := &models.CalendarFeed{ID: models.NewID("feed"), AccountID: accountID, CaseID: c.ID(), CaseNumber: c.CaseNumber, County: c.County, Label: label, CreatedAt: s.Now().UTC()}
	tag, err := s.Pool().Exec(ctx, `insert into calendar_feeds (id, account_id, case_id, label, sha256, created_at)
 select $1, a.id, c.id, $4, $5, $6 from accounts a, court_cases c where a.id = $2 and c.id = $3 and c.withheld is null`, f.ID, accountID, c.Key, label, sha, f.CreatedAt)
	if err != nil {
		return nil, fmt.Errorf("create calendar feed: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return nil, models.NotFound("there is no account with this id, or no such case; list accounts with: rollcall account list")
	}
	return f, nil
}

// CalendarFeeds gives the feeds of an account, newest first, revoked ones too.
func (s *Store) CalendarFeeds(ctx context.Context, accountID string) ([]*models.CalendarFeed, error) {
	rows, err := s.Pool().Query(ctx, `select `+feedColumns+` from calendar_feeds f join court_cases c on c.id = f.case_id
 where f.account_id = $1 order by f.created_at desc, f.id desc`, accountID)
	if err != nil {
		return nil, fmt.Errorf("list calendar feeds: %w", err)
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (*models.CalendarFeed, error) {
		var f models.CalendarFeed
		var county int16
		var key *int64
		if err := r.Scan(&f.ID, &f.AccountID, &key, &f.CaseNumber, &county, &f.Label, &f.CreatedAt, &f.RevokedAt); err != nil {
			return nil, fmt.Errorf("list calendar feeds: %w", err)
		}
		f.County, f.CreatedAt = s.Counties().ByID(county), f.CreatedAt.UTC()
		if key != nil {
			f.CaseID = (&models.CourtCase{Key: *key, County: f.County}).ID()
		}
		return &f, nil
	})
}

// RevokeCalendarFeed ends a feed of an account at once; its address answers 404 from then on.
func (s *Store) RevokeCalendarFeed(ctx context.Context, accountID, id string) error {
	tag, err := s.Pool().Exec(ctx, `update calendar_feeds set revoked_at = coalesce(revoked_at, $3) where id = $2 and account_id = $1`, accountID, id, s.Now().UTC())
	if err != nil {
		return fmt.Errorf("revoke calendar feed: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return models.NotFound("the account has no calendar feed with this id")
	}
	return nil
}

// CaseOfFeed gives the case that a token of this SHA-256 opens, and whose token it is. There is none
// for a token that is unknown or revoked, and none while the case is not published.
func (s *Store) CaseOfFeed(ctx context.Context, sha []byte) (*models.CourtCase, *models.Account, error) {
	var key int64
	var account string
	err := s.Pool().QueryRow(ctx, `select case_id, account_id from calendar_feeds where sha256 = $1 and revoked_at is null`, sha).Scan(&key, &account)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil, models.NotFound(noFeed)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("find calendar feed: %w", err)
	}
	a, err := s.Account(ctx, account)
	if err != nil {
		return nil, nil, err
	}
	found, err := s.needs.Cases(ctx, []int64{key})
	if err != nil {
		return nil, nil, err
	}
	c := found[key]
	if c == nil || a.Plan != models.Enterprise {
		return nil, nil, models.NotFound(noFeed)
	}
	return c, a, nil
}

// noFeed is all that is said of a token that opens nothing: not whether it once did.
const noFeed = "there is no calendar at this address"
