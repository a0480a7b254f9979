package graph

import (
	"context"

	"rollcall/graph/generated"
	"rollcall/models"
)

func (r *courtCaseResolver) Hearings(ctx context.Context, obj *models.CourtCase) ([]*models.Hearing, error) {
	l, err := loadersFrom(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.hearings.load(ctx, obj.Key)
	return orEmpty(found), err
}

func (r *courtCaseResolver) Dispositions(ctx context.Context, obj *models.CourtCase) ([]*models.Disposition, error) {
	l, err := loadersFrom(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.dispositions.load(ctx, obj.Key)
	return orEmpty(found), err
}

func (r *queryResolver) Courts(ctx context.Context, filter *models.CourtFilter, limit *int, offset *int, after *string) (*models.CourtPage, error) {
	page, err := models.NewPage(limit, offset, after)
	if err != nil {
		return nil, err
	}
	out, err := r.store.ListCourtCases(ctx, orZero(filter), page)
	if err != nil {
		return nil, err
	}
	return out, expectCases(ctx, out.Records)
}

func (r *queryResolver) CourtCases(ctx context.Context, caseNumber string, county *string) ([]*models.CourtCase, error) {
	out, err := r.store.CourtCasesByNumber(ctx, caseNumber, county)
	if err != nil {
		return nil, err
	}
	return orEmpty(out), expectCases(ctx, out)
}

func (r *Resolver) CourtCase() generated.CourtCaseResolver { return &courtCaseResolver{r} }

type courtCaseResolver struct{ *Resolver }
