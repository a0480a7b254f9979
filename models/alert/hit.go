package alert

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

const hitColumns = `h.id, h.account_id, h.watcher_id, h.rid, b.id, h.probability, h.reasons, h.at, h.verdict, h.verdict_at,
 coalesce(w.dob is not null or w.birth_year is not null, false) and (b.dob is not null or b.birth_year is not null)`

// hitTables leave out hits on records that are not published.
const hitTables = `hits h join bookings b on b.rid = h.rid and b.withheld is null join watchers w on w.id = h.watcher_id`

func scanHit(row pgx.CollectableRow) (*models.Hit, error) {
	var h models.Hit
	err := row.Scan(&h.ID, &h.AccountID, &h.WatcherID, &h.RID, &h.RecordID, &h.Probability, &h.Reasons, &h.At, &h.Verdict, &h.VerdictAt, &h.BornCompared)
	h.At, h.Probability = h.At.UTC(), fourDecimals(h.Probability)
	return &h, err
}

// fourDecimals is a probability as it is shown: PostgreSQL's real holds no more than six.
func fourDecimals(p float64) float64 { return math.Round(p*1e4) / 1e4 }

// Hits gives one page of the hits of a watcher of the account, newest first, by offset or after the hit
// whose id p.After is.
func (s *Store) Hits(ctx context.Context, accountID, watcherID string, p models.Page) ([]*models.Hit, error) {
	if err := models.PlainText("after", p.After); err != nil {
		return nil, err
	}
	var where db.Condition
	where.Add("h.watcher_id = ?", watcherID)
	where.Add("h.account_id = ?", accountID)
	if p.After != "" {
		var at time.Time
		err := s.Pool().QueryRow(ctx, `select at from hits where id = $1 and watcher_id = $2 and account_id = $3`, p.After, watcherID, accountID).Scan(&at)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, models.Invalid("after", "after is not the id of a hit of this alert")
		}
		if err != nil {
			return nil, fmt.Errorf("read hit: %w", err)
		}
		where.Add("(h.at, h.id) < (?, ?)", at, p.After)
	}
	rows, err := s.Pool().Query(ctx, `select `+hitColumns+` from `+hitTables+` where `+where.String()+` order by h.at desc, h.id desc limit `+where.Bind(p.Limit)+` offset `+where.Bind(p.Offset), where.Args...)
	if err != nil {
		return nil, fmt.Errorf("list hits: %w", err)
	}
	found, err := pgx.CollectRows(rows, scanHit)
	if err != nil {
		return nil, fmt.Errorf("list hits: %w", err)
	}
	return found, nil
}

// HitTotals sums up what Hits lists without a page, for each of an account's watchers that ids name. Those without a hit
// are left out.
func (s *Store) HitTotals(ctx context.Context, accountID string, ids []string) (map[string]models.HitTotal, error) {
	rows, err := s.Pool().Query(ctx, `select h.watcher_id, count(*), max(h.at) from `+hitTables+` where h.watcher_id = any($1) and h.account_id = $2 group by 1`, ids, accountID)
	if err != nil {
		return nil, fmt.Errorf("count hits: %w", err)
	}
	out := map[string]models.HitTotal{}
	var (
		id   string
		n    int
		last time.Time
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &n, &last}, func() error {
		at := last.UTC()
		out[id] = models.HitTotal{Count: n, Last: &at}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("count hits: %w", err)
	}
	return out, nil
}

// HitsByID gives those of the account's hits that ids name, in the order of ids.
func (s *Store) HitsByID(ctx context.Context, accountID string, ids []string) ([]*models.Hit, error) {
	rows, err := s.Pool().Query(ctx, `select `+hitColumns+` from `+hitTables+` where h.id = any($1) and h.account_id = $2`, ids, accountID)
	if err != nil {
		return nil, fmt.Errorf("read hits: %w", err)
	}
	found, err := pgx.CollectRows(rows, scanHit)
	if err != nil {
		return nil, fmt.Errorf("read hits: %w", err)
	}
	return db.ByID(found, ids, func(h *models.Hit) string { return h.ID }), nil
}

// errNoHit is the answer for a hit that is not there, is another account's, or is on a record that is
// not published.
func errNoHit() *models.Error { return models.NotFound("there is no hit with this id") }

// Hit gives a hit of the account's.
func (s *Store) Hit(ctx context.Context, accountID, id string) (*models.Hit, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	list, err := s.HitsByID(ctx, accountID, []string{id})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errNoHit()
	}
	return list[0], nil
}

// Feedback notes what the owner of a watcher says of a hit, and gives the hit as it then is. With Dismiss,
// what was still under way to the watcher about that person is dropped, reason dismissed.
func (s *Store) Feedback(ctx context.Context, accountID, hitID string, v models.HitVerdict) (*models.Hit, error) {
	if err := models.PlainText("id", hitID); err != nil {
		return nil, err
	}
	v = models.HitVerdict(strings.ToLower(string(v)))
	if v != models.Confirm && v != models.Dismiss && v != models.Unsure {
		return nil, models.InvalidBody("verdict", "verdict is one of confirm, dismiss, unsure")
	}
	now := s.Now().UTC()
	err := pgx.BeginFunc(ctx, s.Pool(), func(tx pgx.Tx) error {
		// Whoever matches for the watcher holds its row: what that makes is there before this goes on.
		var watcher string
		err := tx.QueryRow(ctx, `select w.id from hits h join watchers w on w.id = h.watcher_id where h.id = $1 and h.account_id = $2 for no key update of w`, hitID, accountID).Scan(&watcher)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `update hits h set verdict = $3, verdict_at = $4 from bookings b where h.id = $1 and h.account_id = $2 and b.rid = h.rid and b.withheld is null`, hitID, accountID, v, now)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return pgx.ErrNoRows
		}
		if v != models.Dismiss {
			_, err = tx.Exec(ctx, `delete from dismissals where hit_id = $1`, hitID)
			return err
		}
		_, err = tx.Exec(ctx, `insert into dismissals (hit_id, watcher_id, rid, at) select id, watcher_id, rid, $2 from hits where id = $1 on conflict (hit_id) do nothing`, hitID, now)
		if err != nil {
			return err
		}
		return dropDismissed(ctx, tx, hitID, watcher, now)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, errNoHit()
	}
	if err != nil {
		return nil, fmt.Errorf("note feedback: %w", err)
	}
	return s.Hit(ctx, accountID, hitID)
}
