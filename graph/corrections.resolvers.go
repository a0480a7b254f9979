package graph

import (
	"context"

	"rollcall/graph/generated"
	"rollcall/models"
)

func (r *correctionsRecordResolver) CountyRecords(ctx context.Context, obj *models.CorrectionsRecord) ([]*models.CountyRecord, error) {
	l, err := loadersFrom(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.countyRecords.load(ctx, obj.CID)
	return orEmpty(found), err
}

func (r *countyRecordResolver) RosterURL(ctx context.Context, obj *models.CountyRecord) (string, error) {
	return r.rosterURL(obj.Record.ID), nil
}

func (r *queryResolver) Corrections(ctx context.Context, filter *models.CorrectionsFilter, limit *int, offset *int, after *string) (*models.CorrectionsPage, error) {
	page, err := models.NewPage(limit, offset, after)
	if err != nil {
		return nil, err
	}
	out, err := r.store.ListCorrections(ctx, orZero(filter), page)
	if err != nil {
		return nil, err
	}
	return out, expectCorrections(ctx, out.Records)
}

func (r *queryResolver) CorrectionsRecord(ctx context.Context, gdcID string) (*models.CorrectionsRecord, error) {
	return r.store.CorrectionsByGdcID(ctx, gdcID)
}

func (r *Resolver) CorrectionsRecord() generated.CorrectionsRecordResolver {
	return &correctionsRecordResolver{r}
}

func (r *Resolver) CountyRecord() generated.CountyRecordResolver { return &countyRecordResolver{r} }

type (
	correctionsRecordResolver struct{ *Resolver }
	countyRecordResolver      struct{ *Resolver }
)
