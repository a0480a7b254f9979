package graph

import (
	"context"
	"slices"

	"rollcall/models"
)

// expectBookings announces the links, cases and histories of a list of bookings, and their sources.
func expectBookings(ctx context.Context, list []*models.Booking) error {
	l, err := loadersFrom(ctx)
	if err != nil {
		return err
	}
	rids := keys(list, func(b *models.Booking) int64 { return b.RID })
	l.links.expect(rids)
	l.charges.expect(rids)
	l.histories[models.Roster].expect(rids)
	l.belowBookings(keys(list, func(b *models.Booking) int64 { return b.RID }))
	l.sources.expect(keys(list, func(b *models.Booking) string { return b.SourceID }))
	return nil
}

// expectCases announces the hearings, dispositions, people and histories of a list of cases, and their sources.
func expectCases(ctx context.Context, list []*models.CourtCase) error {
	l, err := loadersFrom(ctx)
	if err != nil {
		return err
	}
	l.belowCases(keys(list, func(c *models.CourtCase) int64 { return c.Key }))
	l.sources.expect(keys(list, func(c *models.CourtCase) string { return c.SourceID }))
	return nil
}

// expectCorrections announces the bookings and cases linked to a list of corrections records, their histories and sources.
func expectCorrections(ctx context.Context, list []*models.CorrectionsRecord) error {
	l, err := loadersFrom(ctx)
	if err != nil {
		return err
	}
	l.belowRecords(keys(list, func(o *models.CorrectionsRecord) int64 { return o.CID }))
	l.sources.expect(keys(list, func(o *models.CorrectionsRecord) string { return o.SourceID }))
	return nil
}

// expectWatchers announces what a list of watchers has found.
func expectWatchers(ctx context.Context, list []*models.Watcher) error {
	l, err := loadersFrom(ctx)
	if err != nil {
		return err
	}
	l.hitTotals.expect(keys(list, func(w *models.Watcher) string { return w.ID }))
	return nil
}

// expectHits announces the bookings of a list of hits, and what was told of them.
func expectHits(ctx context.Context, list []*models.Hit) error {
	l, err := loadersFrom(ctx)
	if err != nil {
		return err
	}
	l.bookings.expect(keys(list, func(h *models.Hit) int64 { return h.RID }))
	l.hitEvents.expect(keys(list, func(h *models.Hit) string { return h.ID }))
	return nil
}

// expectDeliveries announces the attempts of a list of deliveries, their registrations, and what they tell of.
func expectDeliveries(ctx context.Context, list []*models.Delivery) error {
	l, err := loadersFrom(ctx)
	if err != nil {
		return err
	}
	l.attempts.expect(keys(list, func(d *models.Delivery) string { return d.ID }))
	l.facts.expect(keys(list, func(d *models.Delivery) string { return orZero(d.EventID) }))
	to := keys(list, func(d *models.Delivery) string { return d.WebhookID })
	l.webhooks.expect(to)
	l.backlogs.expect(to)
	l.expectWatchersOf(keys(list, func(d *models.Delivery) string { return orZero(d.WatcherID) }))
	return nil
}

// expectWebhooks announces what is under way to a list of registrations.
func expectWebhooks(ctx context.Context, list []*models.Webhook) error {
	l, err := loadersFrom(ctx)
	if err != nil {
		return err
	}
	l.backlogs.expect(keys(list, func(h *models.Webhook) string { return h.ID }))
	return nil
}

// expectEvents announces the watchers, bookings and hits of a list of events.
func expectEvents(ctx context.Context, list []*models.AlertEvent) error {
	l, err := loadersFrom(ctx)
	if err != nil {
		return err
	}
	rids := keys(list, func(e *models.AlertEvent) int64 { return orZero(e.RID) })
	l.bookings.expect(rids)
	l.belowBookings(rids)
	l.facts.expect(keys(list, func(e *models.AlertEvent) string { return e.ID }))
	hits := keys(list, func(e *models.AlertEvent) string { return orZero(e.HitID) })
	l.hits.expect(hits)
	l.hitEvents.expect(hits)
	l.expectWatchersOf(keys(list, func(e *models.AlertEvent) string { return orZero(e.WatcherID) }))
	return nil
}

// expectWatchersOf announces watchers by their ids, and what they have found; "" is none.
func (l *Loaders) expectWatchersOf(ids []string) {
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	l.watchers.expect(ids)
	l.hitTotals.expect(ids)
}

// belowBookings announces what hangs below bookings that are read, or will be.
func (l *Loaders) belowBookings(rids []int64) {
	l.links.expect(rids)
	l.casesOfBooking.expect(rids)
	l.histories[models.Roster].expect(rids)
	l.seen[models.Roster].expect(rids)
}

func (l *Loaders) belowCases(keys []int64) {
	l.hearings.expect(keys)
	l.dispositions.expect(keys)
	l.people.expect(keys)
	l.histories[models.Courts].expect(keys)
	l.seen[models.Courts].expect(keys)
}

func (l *Loaders) belowRecords(cids []int64) {
	l.countyRecords.expect(cids)
	l.casesOfRecord.expect(cids)
	l.histories[models.Corrections].expect(cids)
	l.seen[models.Corrections].expect(cids)
}

func keys[T any, K comparable](list []*T, key func(*T) K) []K {
	out := make([]K, len(list))
	for i, x := range list {
		out[i] = key(x)
	}
	return out
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
