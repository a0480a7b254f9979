package graph

import (
	"context"
	"time"

	"rollcall/graph/generated"
	"rollcall/graph/loader"
	"rollcall/models"
)

// Hearings returns all hearings of a case, ascending. A case read as of an instant carries its own.
func (r *courtCaseResolver) Hearings(ctx context.Context, obj *models.CourtCase) ([]*models.Hearing, error) {
	if obj.PastHearings != nil {
		return obj.PastHearings, nil
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.Hearings.Load(ctx, obj.Key)
	return orEmpty(found), err
}

// Dispositions returns all dispositions of a case, ascending. A case read as of an instant carries
// its own.
func (r *courtCaseResolver) Dispositions(ctx context.Context, obj *models.CourtCase) ([]*models.Disposition, error) {
	if obj.PastDispositions != nil {
		return obj.PastDispositions, nil
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.Dispositions.Load(ctx, obj.Key)
	return orEmpty(found), err
}

// People returns who the defendant is, as far as the case is linked: bookings and a corrections
// record.
func (r *courtCaseResolver) People(ctx context.Context, obj *models.CourtCase) ([]*models.CourtLink, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.People.Load(ctx, obj.Key)
	return orEmpty(found), err
}

// ScheduleAsOf returns when the court's source was last read well; nil when it never was.
func (r *courtCaseResolver) ScheduleAsOf(ctx context.Context, obj *models.CourtCase) (*time.Time, error) {
	s, err := sourceOf(ctx, obj.SourceID)
	if err != nil {
		return nil, err
	}
	return s.LastSuccess, nil
}

// ScheduleLagSeconds returns the seconds since ScheduleAsOf; nil when the source was never read
// well.
func (r *courtCaseResolver) ScheduleLagSeconds(ctx context.Context, obj *models.CourtCase) (*int, error) {
	s, err := sourceOf(ctx, obj.SourceID)
	if err != nil {
		return nil, err
	}
	return s.LagSeconds(), nil
}

// ScheduleLate reports whether hearings may lag, so that nobody relies on a hearing that was moved.
// Clerks add up to 24 hours of their own (SPEC.md, "Limits").
func (r *courtCaseResolver) ScheduleLate(ctx context.Context, obj *models.CourtCase) (bool, error) {
	s, err := sourceOf(ctx, obj.SourceID)
	if err != nil {
		return false, err
	}
	return s.DayLate(), nil
}

// Source returns the source that the case comes from.
func (r *courtCaseResolver) Source(ctx context.Context, obj *models.CourtCase) (*models.Source, error) {
	return sourceOf(ctx, obj.SourceID)
}

// LastSeen returns when a source last listed the case; see lastSeenOf.
func (r *courtCaseResolver) LastSeen(ctx context.Context, obj *models.CourtCase) (*time.Time, error) {
	return lastSeenOf(ctx, models.Courts, obj.Key, obj.LastSeen, obj.PastAt)
}

// History returns the published changes of the case.
func (r *courtCaseResolver) History(ctx context.Context, obj *models.CourtCase) ([]*models.RecordChange, error) {
	return historyOf(ctx, models.Courts, obj.Key)
}

// Case returns the case at one end of a link.
func (r *courtLinkResolver) Case(ctx context.Context, obj *models.CourtLink) (*models.CourtCase, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Cases.Load(ctx, obj.CaseKey)
}

// RosterRecord returns the booking at the other end, or null when that is a corrections record or
// no longer published.
func (r *courtLinkResolver) RosterRecord(ctx context.Context, obj *models.CourtLink) (*models.Booking, error) {
	if obj.RID == nil {
		return nil, nil
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Bookings.Load(ctx, *obj.RID)
}

// CorrectionsRecord returns the corrections record at the other end, or null when that is a booking
// or no longer published.
func (r *courtLinkResolver) CorrectionsRecord(ctx context.Context, obj *models.CourtLink) (*models.CorrectionsRecord, error) {
	if obj.CID == nil {
		return nil, nil
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Corrections.Load(ctx, *obj.CID)
}

// Freshness returns how current the list can be, for the county that it was narrowed to.
func (r *courtPageResolver) Freshness(ctx context.Context, obj *models.CourtPage) (*models.Freshness, error) {
	return r.freshness(ctx, models.Courts, obj.County)
}

// Courts returns a page of court cases, latest filed first. What hangs below them is announced to
// the loaders.
func (r *queryResolver) Courts(ctx context.Context, filter *models.CourtFilter, limit *int, offset *int, after *string, order *models.Order) (*models.CourtPage, error) {
	page, err := models.NewPage(limit, offset, after)
	if err != nil {
		return nil, err
	}
	page.Order = orZero(order)
	out, err := r.store.ListCourtCases(ctx, orZero(filter), page)
	if err != nil {
		return nil, err
	}
	return out, loader.ExpectCases(ctx, out.Records)
}

// CourtCases returns every case with exactly that number, latest filed first: a number is unique
// only within county and court (DECISIONS, "Lists and parameters").
func (r *queryResolver) CourtCases(ctx context.Context, caseNumber string, county *string, asOf *time.Time) ([]*models.CourtCase, error) {
	out, err := r.store.CourtCasesByNumber(ctx, caseNumber, county, asOf)
	if err != nil {
		return nil, err
	}
	return orEmpty(out), loader.ExpectCases(ctx, out)
}

func (r *Resolver) CourtCase() generated.CourtCaseResolver { return &courtCaseResolver{r} }

func (r *Resolver) CourtLink() generated.CourtLinkResolver { return &courtLinkResolver{r} }

func (r *Resolver) CourtPage() generated.CourtPageResolver { return &courtPageResolver{r} }

type (
	courtCaseResolver struct{ *Resolver }
	courtLinkResolver struct{ *Resolver }
	courtPageResolver struct{ *Resolver }
)
