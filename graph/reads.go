package graph

import (
	"context"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rollcall/graph/loader"
	"rollcall/models"
	"rollcall/models/store"
)

// sourceOf returns the source of an id that a record or change names, through the request's loader.
func sourceOf(ctx context.Context, id string) (*models.Source, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Sources.Load(ctx, id)
}

// historyOf returns the published changes of a record by its internal key, never nil.
func historyOf(ctx context.Context, f models.Family, key int64) ([]*models.RecordChange, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.Histories[f].Load(ctx, key)
	return orEmpty(found), err
}

// lastSeenOf returns when a source last showed a record, by its internal key. It is never before
// known, which the record itself carries. Under asOf the record's own value is the answer: what was
// seen later was not known then.
func lastSeenOf(ctx context.Context, f models.Family, key int64, known time.Time, asOf *time.Time) (*time.Time, error) {
	if asOf != nil {
		return &known, nil
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	at, err := l.Seen[f].Load(ctx, key)
	if err != nil {
		return nil, err
	}
	if at.Before(known) { // the record was read later
		at = known
	}
	return &at, nil
}

// sourcesNow are the sources as they were before the records of an answer were read.
type sourcesNow struct {
	sources models.Sources
	err     error
}

type sourcesKey struct{}

// withSources returns ctx with the sources as they are now, for an answer that states freshness. They are read before its
// records, as /v1 does: a run that ends in between must not make the label newer than the records, or a client that asks on
// from there misses what the run brought.
func withSources(ctx context.Context, s *store.Store) context.Context {
	if !strings.Contains(graphql.GetOperationContext(ctx).RawQuery, "freshness") {
		return ctx
	}
	now, err := s.SourcesNow(ctx)
	return context.WithValue(ctx, sourcesKey{}, sourcesNow{now, err})
}

// freshness returns how current a list of a family can be. county is the slug that the list was
// narrowed to; nil is all counties. It names the counties whose source is late, so that an empty
// list is not read as "not in custody".
func (r *Resolver) freshness(ctx context.Context, f models.Family, county *string) (*models.Freshness, error) {
	now, known := ctx.Value(sourcesKey{}).(sourcesNow)
	if !known {
		now.sources, now.err = r.store.SourcesNow(ctx)
	}
	if now.err != nil {
		return nil, now.err
	}
	out, err := now.sources.Freshness(f, county)
	return &out, err
}

// orEmpty returns an empty list for nil: lists on the wire are never null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// orZero returns the value, or the zero value for nil: a filter that does not narrow.
func orZero[T any](filter *T) T {
	if filter == nil {
		var none T
		return none
	}
	return *filter
}
