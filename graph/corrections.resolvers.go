package graph

import (
	"context"
	"time"

	"rollcall/graph/generated"
	"rollcall/graph/loader"
	"rollcall/models"
)

// Freshness returns how current the list can be. The department is one source for all counties.
func (r *correctionsPageResolver) Freshness(ctx context.Context, obj *models.CorrectionsPage) (*models.Freshness, error) {
	return r.freshness(ctx, models.Corrections, nil)
}

// CountyRecords returns the bookings that are linked to a corrections record.
func (r *correctionsRecordResolver) CountyRecords(ctx context.Context, obj *models.CorrectionsRecord) ([]*models.CountyRecord, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.CountyRecords.Load(ctx, obj.CID)
	return orEmpty(found), err
}

// Courts returns the court cases that are linked to a corrections record.
func (r *correctionsRecordResolver) Courts(ctx context.Context, obj *models.CorrectionsRecord) ([]*models.CourtLink, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.CasesOfRecord.Load(ctx, obj.CID)
	return orEmpty(found), err
}

// Source returns the source that the record comes from.
func (r *correctionsRecordResolver) Source(ctx context.Context, obj *models.CorrectionsRecord) (*models.Source, error) {
	return sourceOf(ctx, obj.SourceID)
}

// LastSeen returns when a source last listed the record; see lastSeenOf.
func (r *correctionsRecordResolver) LastSeen(ctx context.Context, obj *models.CorrectionsRecord) (*time.Time, error) {
	return lastSeenOf(ctx, models.Corrections, obj.CID, obj.LastSeen, obj.PastAt)
}

// History returns the published changes of the record.
func (r *correctionsRecordResolver) History(ctx context.Context, obj *models.CorrectionsRecord) ([]*models.RecordChange, error) {
	return historyOf(ctx, models.Corrections, obj.CID)
}

// RosterURL returns the address of a linked booking in /v1.
func (r *countyRecordResolver) RosterURL(ctx context.Context, obj *models.CountyRecord) (string, error) {
	return r.rosterURL(obj.Record.ID), nil
}

// Corrections returns a page of corrections records, by name. What hangs below them is announced to
// the loaders.
func (r *queryResolver) Corrections(ctx context.Context, filter *models.CorrectionsFilter, limit *int, offset *int, after *string, order *models.Order) (*models.CorrectionsPage, error) {
	page, err := models.NewPage(limit, offset, after)
	if err != nil {
		return nil, err
	}
	page.Order = orZero(order)
	out, err := r.store.ListCorrections(ctx, orZero(filter), page)
	if err != nil {
		return nil, err
	}
	return out, loader.ExpectCorrections(ctx, out.Records)
}

// CorrectionsRecord returns the record of an offender id, or as it was published at asOf. A
// withheld one is not found.
func (r *queryResolver) CorrectionsRecord(ctx context.Context, gdcID string, asOf *time.Time) (*models.CorrectionsRecord, error) {
	if asOf != nil {
		return r.store.CorrectionsAsOf(ctx, gdcID, *asOf)
	}
	return r.store.CorrectionsByGdcID(ctx, gdcID)
}

func (r *Resolver) CorrectionsPage() generated.CorrectionsPageResolver {
	return &correctionsPageResolver{r}
}

func (r *Resolver) CorrectionsRecord() generated.CorrectionsRecordResolver {
	return &correctionsRecordResolver{r}
}

func (r *Resolver) CountyRecord() generated.CountyRecordResolver { return &countyRecordResolver{r} }

type (
	correctionsPageResolver   struct{ *Resolver }
	correctionsRecordResolver struct{ *Resolver }
	countyRecordResolver      struct{ *Resolver }
)
