package graph

import (
	"context"
	"time"

	"rollcall/graph/loader"
	"rollcall/models"
)

// sourceOf gives the source with that id, which records and changes name.
func sourceOf(ctx context.Context, id string) (*models.Source, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Sources.Load(ctx, id)
}

// historyOf gives the changes of a record by its internal key.
func historyOf(ctx context.Context, f models.Family, key int64) ([]*models.RecordChange, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.Histories[f].Load(ctx, key)
	return orEmpty(found), err
}

// lastSeenOf gives when a source last showed a record, by its internal key: not before known, as the record itself
// tells it. One that was asked for as of an instant tells it itself.
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

// freshness tells how current a list of a family can be; county (a slug) is the one it was narrowed to.
func (r *Resolver) freshness(ctx context.Context, f models.Family, county *string) (*models.Freshness, error) {
	out, err := r.store.Freshness(ctx, f, county)
	return &out, err
}

// orEmpty keeps lists on the wire from being null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// orZero gives the filter, or one that does not narrow.
func orZero[T any](filter *T) T {
	if filter == nil {
		var none T
		return none
	}
	return *filter
}
