package source

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// Sources gives every source that is enabled or has ever run, by id, assessed now.
func (s *Store) Sources(ctx context.Context) ([]*models.Source, error) {
	all, err := s.allSources(ctx)
	return slices.DeleteFunc(all, func(src *models.Source) bool { return !src.Used() }), err
}

func (s *Store) allSources(ctx context.Context) ([]*models.Source, error) {
	rows, err := s.Pool().Query(ctx, `select s.id, s.title, s.kind, s.county_id, s.enabled, coalesce(s.interval_seconds, 0), s.last_attempt, s.last_success,
 s.held_since, s.refused_since, s.note, s.data_at, coalesce(s.data_seconds, 0), s.whole_since, s.last_complete, s.not_before, array(select county_id from source_counties c where c.source_id = s.id order by 1)
 from sources s order by s.id`)
	if err != nil {
		return nil, fmt.Errorf("read sources: %w", err)
	}
	now := s.Now()
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (*models.Source, error) {
		var src models.Source
		var county *int16
		var seconds, data int
		err := r.Scan(&src.ID, &src.Title, &src.Kind, &county, &src.Enabled, &seconds, &src.LastAttempt, &src.LastSuccess,
			&src.HeldSince, &src.RefusedAt, &src.Note, &src.DataAt, &data, &src.WholeSince, &src.CompleteAt, &src.NotBefore, &src.Covers)
		if err != nil {
			return nil, fmt.Errorf("read sources: %w", err)
		}
		src.Interval, src.DataEvery = time.Duration(seconds)*time.Second, time.Duration(data)*time.Second
		if county != nil {
			src.County = s.Counties().ByID(*county)
		}
		src.Assess(s.Counties(), now)
		return &src, nil
	})
}

// freshnessAge bounds how old the sources' states may be that an answer is labelled with.
const freshnessAge = time.Second

// freshnessCache keeps the sources for a moment, so that labelling an answer costs no statement.
type freshnessCache struct {
	mu      sync.Mutex
	at      time.Time
	sources []*models.Source
}

// Freshness labels an answer of a family; county (a slug) narrows it to the sources of a county.
func (s *Store) Freshness(ctx context.Context, f models.Family, county *string) (models.Freshness, error) {
	sources, err := s.recentSources(ctx)
	if err != nil {
		return models.Freshness{}, err
	}
	var only *models.County
	if county != nil && *county != "" {
		if only, err = s.Counties().BySlug(*county); err != nil {
			return models.Freshness{}, err
		}
	}
	return models.FreshnessOf(sources, f, s.Counties(), only), nil
}

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

// SourcesByID gives every source that records may name, at most a second old, by id.
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
