package graph

import (
	"context"
	"time"

	"rollcall/graph/generated"
	"rollcall/graph/limit"
	"rollcall/graph/loader"
	"rollcall/graph/scalar"
	"rollcall/models"
	"rollcall/models/photograph"
	"rollcall/photo/vault"
)

// MugshotCheck returns the newest comparison of the two photographs, or null while they were not compared.
func (r *gdcMatchResolver) MugshotCheck(ctx context.Context, obj *models.GdcLink) (*photograph.Check, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Checks.Load(ctx, obj.RID)
}

// CorrectionsURL returns the address of the linked corrections record in /v1.
func (r *gdcMatchResolver) CorrectionsURL(ctx context.Context, obj *models.GdcLink) (string, error) {
	return r.correctionsURL(obj.GdcID), nil
}

// Record returns the linked corrections record.
func (r *gdcMatchResolver) Record(ctx context.Context, obj *models.GdcLink) (*models.CorrectionsRecord, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Corrections.Load(ctx, obj.CID)
}

// Roster returns a page of bookings, latest first. What hangs below them is announced to the
// loaders.
func (r *queryResolver) Roster(ctx context.Context, filter *models.RosterFilter, limit *int, offset *int, after *string, order *models.Order) (*models.RosterPage, error) {
	page, err := models.NewPage(limit, offset, after)
	if err != nil {
		return nil, err
	}
	page.Order = orZero(order)
	out, err := r.store.ListBookings(ctx, orZero(filter), page)
	if err != nil {
		return nil, err
	}
	return out, loader.ExpectBookings(ctx, out.Records)
}

// SimilarNames returns bookings under names that are similar to one, in the account's turn.
func (r *queryResolver) SimilarNames(ctx context.Context, name string, county *string) (*models.SimilarNames, error) {
	account, err := accountOf(ctx, ofRecords)
	if err != nil {
		return nil, err
	}
	out, err := r.lookback.Similar(ctx, account, models.SimilarAsked{Name: name, County: county, Limit: limit.SimilarNames})
	if err != nil {
		return nil, err
	}
	records := make([]*models.Booking, len(out.Names))
	for i, n := range out.Names {
		records[i] = n.Record
	}
	return out, loader.ExpectBookings(ctx, records)
}

// RosterRecord returns the booking of an id, or as it was published at asOf. A withheld one is not
// found.
func (r *queryResolver) RosterRecord(ctx context.Context, id string, asOf *time.Time) (*models.Booking, error) {
	if asOf != nil {
		return r.store.BookingAsOf(ctx, id, *asOf)
	}
	return r.store.BookingByID(ctx, id)
}

// Freshness returns how current the list can be, for the county that it was narrowed to.
func (r *rosterPageResolver) Freshness(ctx context.Context, obj *models.RosterPage) (*models.Freshness, error) {
	return r.freshness(ctx, models.Roster, obj.County)
}

// ChargeDetails returns the charges of a booking in the jail's order. A booking whose source
// reports descriptions only has charges with nothing else; one read as of an instant carries its
// own.
func (r *rosterRecordResolver) ChargeDetails(ctx context.Context, obj *models.Booking) ([]*models.BookingCharge, error) {
	if obj.PastCharges != nil {
		return obj.PastCharges, nil
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.Charges.Load(ctx, obj.RID)
	if err != nil || len(found) > 0 {
		return found, err
	}
	return models.PlainCharges(obj.Charges), nil
}

// MugshotURL returns the address of the photograph in /v1, or null without one. It is never a
// vendor's address, which would be sent the caller's key (DECISIONS, "Dates, times, unknown
// facts").
func (r *rosterRecordResolver) MugshotURL(ctx context.Context, obj *models.Booking) (*string, error) {
	if !obj.HasPhoto {
		return nil, nil
	}
	address := r.rosterURL(obj.ID) + "/mugshot"
	return &address, nil
}

// Mugshot returns the photograph at a signed address, or null without one.
func (r *rosterRecordResolver) Mugshot(ctx context.Context, obj *models.Booking, size vault.Size) (*scalar.Mugshot, error) {
	if !obj.HasPhoto || r.Photographs == nil {
		return nil, nil //nolint:nilnil // null is the value
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	p, err := l.Photographs.Load(ctx, obj.RID)
	if err != nil || p == nil {
		return nil, err
	}
	m := &scalar.Mugshot{Width: p.Width, Height: p.Height, TakenAt: p.TakenAt}
	if size == vault.Small {
		m.Width, m.Height = p.SmallWidth, p.SmallHeight
	}
	m.URL, m.ExpiresAt = r.Photographs.Address(obj.ID, size)
	return m, nil
}

// GdcMatch returns the booking's link to a corrections record, or null without one.
func (r *rosterRecordResolver) GdcMatch(ctx context.Context, obj *models.Booking) (*models.GdcLink, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Links.Load(ctx, obj.RID)
}

// Courts returns the court cases that are linked to the booking.
func (r *rosterRecordResolver) Courts(ctx context.Context, obj *models.Booking) ([]*models.CourtLink, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.CasesOfBooking.Load(ctx, obj.RID)
	return orEmpty(found), err
}

// Source returns the source that the booking comes from.
func (r *rosterRecordResolver) Source(ctx context.Context, obj *models.Booking) (*models.Source, error) {
	return sourceOf(ctx, obj.SourceID)
}

// LastSeen returns when a source last listed the booking; see lastSeenOf.
func (r *rosterRecordResolver) LastSeen(ctx context.Context, obj *models.Booking) (*time.Time, error) {
	return lastSeenOf(ctx, models.Roster, obj.RID, obj.LastSeen, obj.PastAt)
}

// History returns the published changes of the booking.
func (r *rosterRecordResolver) History(ctx context.Context, obj *models.Booking) ([]*models.RecordChange, error) {
	return historyOf(ctx, models.Roster, obj.RID)
}

func (r *Resolver) GdcMatch() generated.GdcMatchResolver { return &gdcMatchResolver{r} }

func (r *Resolver) RosterPage() generated.RosterPageResolver { return &rosterPageResolver{r} }

func (r *Resolver) RosterRecord() generated.RosterRecordResolver { return &rosterRecordResolver{r} }

type (
	gdcMatchResolver     struct{ *Resolver }
	rosterPageResolver   struct{ *Resolver }
	rosterRecordResolver struct{ *Resolver }
)
