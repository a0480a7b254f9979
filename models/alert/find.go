package alert

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
	"rollcall/models/db/joint"
)

// Find narrows a list of watchers; nil does not.
type Find struct {
	Label *string
	// Name is a query as lists of records take it: each of its words is part of a word of the watched name (match.Holds).
	Name *string
	// Order is that of the list. In another than Newest a page has no cursor.
	Order Order
}

// Order is the order of a list of watchers.
type Order string

// The orders of lists. In each, the newest watcher comes first of those that are equal.
const (
	Newest   Order = ""
	ByName   Order = "name"
	ByLast   Order = "last"   // of the last hit
	ByUnread Order = "unread" // of the number of unread hits
)

// FindWatchers is Watchers for those that f selects.
func (s *Store) FindWatchers(ctx context.Context, accountID string, f Find, p models.Page) (*models.WatcherPage, error) {
	words, byName, err := db.NameWords(f.Name)
	switch {
	case err != nil:
		return nil, err
	case byName || f.Order != Newest:
		return s.namedWatchers(ctx, accountID, f, named{all: !byName, words: words, skip: p.Offset, most: p.Limit + 1}, p)
	case f.Label != nil:
		return s.labelledWatchers(ctx, accountID, *f.Label, p)
	}
	return s.Watchers(ctx, accountID, p)
}

// namedWatchers is Watchers for those whose names hold words, in any order. Names are compared in Go, as there is one rule for
// them, and all of the account's or label's are read for it: 100,000 at most.
func (s *Store) namedWatchers(ctx context.Context, accountID string, f Find, n named, p models.Page) (*models.WatcherPage, error) {
	if err := models.PlainText("label", models.EmptyIfNil(f.Label)); err != nil {
		return nil, err
	}
	if p.After != "" {
		if f.Order != Newest {
			return nil, models.Invalid("after", "after works only in the order newest")
		}
		if err := s.OpenCursor(watcherList, p.After, &n.after); err != nil {
			return nil, err
		}
	}
	out := &models.WatcherPage{Limit: p.Limit, Offset: p.Offset, Watchers: []*models.Watcher{}}
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		rows, err := tx.Pgx().Query(ctx, statements.Get("watcher_names"), pgx.NamedArgs{"account": accountID, "label": f.Label, "order": string(f.Order)})
		if err != nil {
			return err
		}
		var row seek
		var name string
		if _, err := pgx.ForEachRow(rows, []any{&row.ID, &row.At, &name}, func() error { n.see(row, name); return nil }); err != nil {
			return err
		}
		out.Total = n.total
		var found []*models.Watcher
		err = tx.Gorm().Scopes(of(accountID)).Where("id = any (?)", column.Array[string](n.ids)).Find(&found).Error
		out.Watchers = append(out.Watchers, db.ByID(found, n.ids, func(w *models.Watcher) string { return w.ID })...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find watchers by name: %w", err)
	}
	s.end(out, p)
	return out, nil
}

// named collects a page of the watchers whose names hold words, and counts all of them.
type named struct {
	all   bool // no name was asked for
	words []string
	after seek // the zero seek is the beginning
	// skip is how many to leave out, and most how many to collect.
	skip, most int
	total      int
	ids        []string
}

// see takes the next watcher of the list.
func (n *named) see(at seek, name string) {
	if !n.all && !match.Holds(match.SearchKey(name), n.words) {
		return
	}
	n.total++
	if n.total > n.skip && len(n.ids) < n.most && at.behind(n.after) {
		n.ids = append(n.ids, at.ID)
	}
}

// behind reports whether a place of the list, which begins with the newest, is behind another.
func (a seek) behind(b seek) bool {
	return b == seek{} || a.At.Before(b.At) || a.At.Equal(b.At) && a.ID < b.ID
}
