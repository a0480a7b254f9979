package loader

import (
	"context"
	"errors"
	"slices"

	"rollcall/models"
	"rollcall/models/mirror"
)

// ExpectBookings announces the links, charges, cases and histories of a list of bookings, and their
// sources. Announcing reads nothing. The only error of all Expect functions is a context without
// loaders.
func ExpectBookings(ctx context.Context, list []*models.Booking) error {
	l, err := From(ctx)
	if err != nil {
		return err
	}
	rids := keys(list, func(b *models.Booking) int64 { return b.RID })
	l.Charges.expect(rids)
	l.belowBookings(rids)
	l.Sources.expect(keys(list, func(b *models.Booking) string { return b.SourceID }))
	return nil
}

// ExpectCases announces the hearings, dispositions, people and histories of a list of cases, and their sources.
func ExpectCases(ctx context.Context, list []*models.CourtCase) error {
	l, err := From(ctx)
	if err != nil {
		return err
	}
	l.belowCases(keys(list, func(c *models.CourtCase) int64 { return c.Key }))
	l.Sources.expect(keys(list, func(c *models.CourtCase) string { return c.SourceID }))
	return nil
}

// ExpectCorrections announces the bookings and cases linked to a list of corrections records, their histories and sources.
func ExpectCorrections(ctx context.Context, list []*models.CorrectionsRecord) error {
	l, err := From(ctx)
	if err != nil {
		return err
	}
	l.belowRecords(keys(list, func(o *models.CorrectionsRecord) int64 { return o.CID }))
	l.Sources.expect(keys(list, func(o *models.CorrectionsRecord) string { return o.SourceID }))
	return nil
}

// ExpectPeople announces what hangs below the records of people and below those that may be theirs, and the hits on their bookings.
func ExpectPeople(ctx context.Context, people []*models.Person) error {
	l, err := From(ctx)
	if err != nil {
		return err
	}
	var stays, bookings []*models.Booking
	var cases []*models.CourtCase
	var offenders []*models.CorrectionsRecord
	for _, p := range people {
		stays, cases, offenders = append(stays, p.Stays...), append(cases, p.Cases...), append(offenders, p.Sentences...)
		for _, k := range p.Possible {
			switch {
			case k.To.Booking != nil:
				bookings = append(bookings, k.To.Booking)
			case k.To.Case != nil:
				cases = append(cases, k.To.Case)
			default:
				offenders = append(offenders, k.To.Corrections)
			}
		}
	}
	l.HitsOn.expect(keys(stays, func(b *models.Booking) int64 { return b.RID }))
	return errors.Join(ExpectBookings(ctx, append(stays, bookings...)), ExpectCases(ctx, cases), ExpectCorrections(ctx, offenders))
}

// ExpectChanges announces the records of a list of changes, and what hangs below them.
func ExpectChanges(ctx context.Context, list []*mirror.Change) error {
	l, err := From(ctx)
	if err != nil {
		return err
	}
	of := map[models.Family][]int64{}
	for _, c := range list {
		if c.Kind == mirror.Changed {
			of[c.Family] = append(of[c.Family], c.Key)
		}
	}
	l.Bookings.expect(of[models.Roster])
	l.Charges.expect(of[models.Roster])
	l.Cases.expect(of[models.Courts])
	l.belowCases(of[models.Courts])
	l.Corrections.expect(of[models.Corrections])
	l.belowRecords(of[models.Corrections])
	return nil
}

// ExpectWatchers announces the totals of hits of a list of watchers.
func ExpectWatchers(ctx context.Context, list []*models.Watcher) error {
	l, err := From(ctx)
	if err != nil {
		return err
	}
	l.HitTotals.expect(keys(list, func(w *models.Watcher) string { return w.ID }))
	return nil
}

// ExpectHits announces the bookings and events of a list of hits.
func ExpectHits(ctx context.Context, list []*models.Hit) error {
	l, err := From(ctx)
	if err != nil {
		return err
	}
	l.Bookings.expect(keys(list, func(h *models.Hit) int64 { return h.RID }))
	l.HitEvents.expect(keys(list, func(h *models.Hit) string { return h.ID }))
	of := keys(list, func(h *models.Hit) string { return h.WatcherID })
	l.Watchers.expect(slices.DeleteFunc(of, func(id string) bool { return id == "" })) // a preview has none
	return nil
}

// ExpectDeliveries announces the attempts of a list of deliveries, their endpoints, events and watchers.
func ExpectDeliveries(ctx context.Context, list []*models.Delivery) error {
	l, err := From(ctx)
	if err != nil {
		return err
	}
	l.Attempts.expect(keys(list, func(d *models.Delivery) string { return d.ID }))
	l.Facts.expect(keys(list, func(d *models.Delivery) string { return valueOf(d.EventID) }))
	to := keys(list, func(d *models.Delivery) string { return d.WebhookID })
	l.Webhooks.expect(to)
	l.Backlogs.expect(to)
	l.expectWatchersOf(keys(list, func(d *models.Delivery) string { return valueOf(d.WatcherID) }))
	return nil
}

// ExpectWebhooks announces the open deliveries of a list of endpoints.
func ExpectWebhooks(ctx context.Context, list []*models.Webhook) error {
	l, err := From(ctx)
	if err != nil {
		return err
	}
	l.Backlogs.expect(keys(list, func(h *models.Webhook) string { return h.ID }))
	return nil
}

// ExpectEvents announces the watchers, bookings and hits of a list of events.
func ExpectEvents(ctx context.Context, list []*models.AlertEvent) error {
	l, err := From(ctx)
	if err != nil {
		return err
	}
	rids := keys(list, func(e *models.AlertEvent) int64 { return valueOf(e.RID) })
	l.Bookings.expect(rids)
	l.belowBookings(rids)
	l.Facts.expect(keys(list, func(e *models.AlertEvent) string { return e.ID }))
	hits := keys(list, func(e *models.AlertEvent) string { return valueOf(e.HitID) })
	l.Hits.expect(hits)
	l.HitEvents.expect(hits)
	l.expectWatchersOf(keys(list, func(e *models.AlertEvent) string { return valueOf(e.WatcherID) }))
	return nil
}

// expectWatchersOf announces watchers by their ids, and their totals of hits. An empty id, of an
// event without a watcher, is skipped.
func (l *Set) expectWatchersOf(ids []string) {
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	l.Watchers.expect(ids)
	l.HitTotals.expect(ids)
}

// belowBookings announces what hangs below bookings that are read already or will be. Announcing
// before they are read is what makes a level of a query one statement.
func (l *Set) belowBookings(rids []int64) {
	l.Links.expect(rids)
	l.Photographs.expect(rids)
	l.Checks.expect(rids)
	l.CasesOfBooking.expect(rids)
	l.Persons.expect(rids)
	l.Histories[models.Roster].expect(rids)
	l.Seen[models.Roster].expect(rids)
}

// belowCases announces what hangs below court cases.
func (l *Set) belowCases(keys []int64) {
	l.Hearings.expect(keys)
	l.Dispositions.expect(keys)
	l.People.expect(keys)
	l.Histories[models.Courts].expect(keys)
	l.Seen[models.Courts].expect(keys)
}

// belowRecords announces what hangs below corrections records.
func (l *Set) belowRecords(cids []int64) {
	l.CountyRecords.expect(cids)
	l.CasesOfRecord.expect(cids)
	l.Histories[models.Corrections].expect(cids)
	l.Seen[models.Corrections].expect(cids)
}

// keys returns the key of each record, in the order of the list.
func keys[T any, K comparable](list []*T, key func(*T) K) []K {
	out := make([]K, len(list))
	for i, x := range list {
		out[i] = key(x)
	}
	return out
}

// valueOf returns what p points to, or the zero value for nil. No record has the zero value as its
// key, so reading it finds nothing.
func valueOf[K comparable](p *K) (k K) {
	if p != nil {
		k = *p
	}
	return k
}
