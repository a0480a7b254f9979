package alert

import (
	"context"
	"strings"

	"rollcall/match"
	"rollcall/models"
)

// DuplicateWatchers returns a page of those watchers of an account that ask for the same person as another one (Key), side by
// side, with their number. A label narrows; nil: all. It reads every watcher of the account or label.
func (s *Store) DuplicateWatchers(ctx context.Context, accountID string, label *string, p models.Page) (*models.WatcherPage, error) {
	if err := models.PlainText("label", models.EmptyIfNil(label)); err != nil {
		return nil, err
	}
	var keys []string // in the order of the newest watcher of each
	same := map[string][]string{}
	err := s.EachWatcher(ctx, accountID, label, func(w *models.Watcher) error {
		key := Key(w)
		if same[key] == nil {
			keys = append(keys, key)
		}
		same[key] = append(same[key], w.ID)
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := &models.WatcherPage{Limit: p.Limit, Offset: p.Offset}
	var ids []string
	for _, key := range keys {
		if len(same[key]) < 2 {
			continue
		}
		for _, id := range same[key] {
			if out.Total >= p.Offset && len(ids) < p.Limit {
				ids = append(ids, id)
			}
			out.Total++
		}
	}
	out.Watchers, err = s.WatchersByID(ctx, accountID, ids)
	return out, err
}

// CopiedWatcher returns the newest watcher of an account that asks for the same as a draft: WordsKey and level; nil: none does.
func (s *Store) CopiedWatcher(ctx context.Context, accountID string, draft *models.Watcher) (*models.Watcher, error) {
	name := strings.Join(match.Words(draft.Name), " ")
	list, err := s.FindWatchers(ctx, accountID, Find{Name: &name}, models.Page{Limit: models.MaxLimit})
	if err != nil {
		return nil, err
	}
	for _, w := range list.Watchers {
		if w.Level == draft.Level && WordsKey(w) == WordsKey(draft) {
			return w, nil
		}
	}
	return nil, nil //nolint:nilnil // there is none
}
