package source

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"rollcall/models"
)

// Sources returns every source that is enabled or has ever run, by id, with its freshness assessed now. Retired ones are left
// out, as nobody waits for them.
func (s *Store) Sources(ctx context.Context) ([]*models.Source, error) {
	all, err := s.allSources(ctx)
	return slices.DeleteFunc(all, func(src *models.Source) bool { return !src.Used() || src.RetiredAt != nil }), err
}

// RetiredSources returns the sources and scopes that an operator retired, by id.
func (s *Store) RetiredSources(ctx context.Context) ([]*models.Source, error) {
	all, err := s.allSources(ctx)
	return slices.DeleteFunc(all, func(src *models.Source) bool { return src.RetiredAt == nil }), err
}

// shownRow is what models.Source shows of a source. What the next snapshot is compared with may be large, and
// is left out.
type shownRow struct {
	Row
	Imports bool
	Ignored bool
	Covers  []int16 `gorm:"serializer:json"`
}

// allSources reads every source and scope, used or not, and assesses each.
func (s *Store) allSources(ctx context.Context) ([]*models.Source, error) {
	var rows []shownRow
	if err := s.rows(ctx).Raw(statements.Get("shown_sources")).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read sources: %w", err)
	}
	now := s.Now()
	all := make([]*models.Source, len(rows))
	for i := range rows {
		all[i] = rows[i].Source(s.Counties(), rows[i].Covers)
		all[i].Imported, all[i].Ignored = rows[i].Imports, rows[i].Ignored
	}
	models.AssessAll(all, s.Counties(), now)
	return all, nil
}

// freshnessAge bounds how old the state of sources may be that an answer is labelled with.
const freshnessAge = time.Second

// freshnessCache keeps the sources for freshnessAge, so that labelling an answer costs no statement. Its
// mutex is held while they are read: of many requests at once, one asks the database.
type freshnessCache struct {
	mu      sync.Mutex
	at      time.Time
	sources []*models.Source
}

// Freshness returns the labels of an answer of a family: how old its data are and which counties are late
// (DECISIONS.md, "Lists and parameters"). county, a slug, narrows it to the scopes of a county; nil or empty
// is all. An unknown slug is a models.Error.
func (s *Store) Freshness(ctx context.Context, f models.Family, county *string) (models.Freshness, error) {
	now, err := s.SourcesNow(ctx)
	if err != nil {
		return models.Freshness{}, err
	}
	return now.Freshness(f, county)
}

// SourcesNow returns the sources that label answers, at most a second old.
func (s *Store) SourcesNow(ctx context.Context) (models.Sources, error) {
	all, err := s.recentSources(ctx)
	return models.Sources{All: all, Counties: s.Counties()}, err
}

// recentSources returns the sources as they were at most freshnessAge ago. A clock that was set back reads
// them again.
func (s *Store) recentSources(ctx context.Context) ([]*models.Source, error) {
	c := &s.fresh
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := s.Now(); c.sources == nil || now.Sub(c.at) >= freshnessAge || now.Before(c.at) {
		sources, err := s.allSources(ctx)
		if err != nil {
			return nil, err
		}
		c.sources, c.at = sources, now
	}
	return c.sources, nil
}

// SourcesByID returns every source that records may name, by id, at most a second old.
func (s *Store) SourcesByID(ctx context.Context) (map[string]*models.Source, error) {
	all, err := s.recentSources(ctx)
	if err != nil {
		return nil, err
	}
	out := make(map[string]*models.Source, len(all))
	for _, src := range all {
		out[src.ID] = src
	}
	return out, nil
}
