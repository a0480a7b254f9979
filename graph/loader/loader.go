// Package loader reads what hangs below the records of a request: one statement for a whole list,
// however deep the query nests. It runs over dataloader v7.
//
// A resolver that reads a list announces the keys of what may be asked for next (Expect...). The
// first load of one of those keys reads all of them. A GraphQL answer and a request of /v1 each get
// a Set of their own (graph.WithLoaders).
//
// It imports the store and models. It knows neither GraphQL nor who calls: package graph passes a
// function that returns the caller's account. It caches nothing beyond its request.
package loader

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"rollcall/models"
	"rollcall/models/photograph"
	"rollcall/models/store"
)

// Set holds the loaders of one request. The first load of an announced key reads its whole group at
// once, without waiting for other loads. So a nested query costs one statement a level, and a
// single record costs no delay. A Set is safe for concurrent use. Resolvers share the values that
// it returns and never write to them.
type Set struct {
	// Links loads, by the key of a booking, its link to a corrections record; nil without one.
	Links *Batch[int64, *models.GdcLink]
	// Corrections loads corrections records by their internal key; nil when not published.
	Corrections *Batch[int64, *models.CorrectionsRecord]
	// CountyRecords loads, by the key of a corrections record, the bookings linked to it.
	CountyRecords *Batch[int64, []*models.CountyRecord]
	// Hearings loads by the key of a case, ascending.
	Hearings *Batch[int64, []*models.Hearing]
	// Dispositions loads by the key of a case, ascending.
	Dispositions *Batch[int64, []*models.Disposition]
	// Charges loads by the key of a booking. It is empty where the source reports descriptions
	// only.
	Charges *Batch[int64, []*models.BookingCharge]
	// Photographs loads by the key of a booking; nil without one.
	Photographs *Batch[int64, *photograph.Shown]
	// Checks loads, by the key of a booking, the newest comparison with its corrections record; nil without one.
	Checks *Batch[int64, *photograph.Check]
	// Sources loads by id. The first load reads all sources: there are few.
	Sources *Batch[string, *models.Source]
	// Watchers loads watchers of the caller's account by id. All loaders of alerts and webhooks
	// read the caller's account only; what another account has is missing.
	Watchers *Batch[string, *models.Watcher]
	// Hits loads hits of the caller's account by id.
	Hits *Batch[string, *models.Hit]
	// HitsOn loads hits of the caller's account by the key of a booking.
	HitsOn *Batch[int64, []*models.Hit]
	// HitTotals loads by the id of a watcher: number of its hits, and the last one's time.
	HitTotals *Batch[string, models.HitTotal]
	// HitEvents loads by the id of a hit.
	HitEvents *Batch[string, []*models.AlertEvent]
	// Facts loads, by the id of an event, the facts of its record at that moment.
	Facts *Batch[string, *models.EventFacts]
	// Webhooks loads endpoints of the caller's account by id, deleted ones too.
	Webhooks *Batch[string, *models.Webhook]
	// Attempts loads by the id of a delivery, oldest first.
	Attempts *Batch[string, []*models.Attempt]
	// Backlogs loads, by the id of a webhook, what is still to be delivered to it.
	Backlogs *Batch[string, models.Backlog]

	// Bookings loads by internal key, as does Cases; nil when not published.
	Bookings *Batch[int64, *models.Booking]
	// Cases loads by internal key; nil when not published.
	Cases *Batch[int64, *models.CourtCase]
	// CasesOfBooking loads links by the key of the record at one end. Those of a case are People.
	CasesOfBooking *Batch[int64, []*models.CourtLink]
	// CasesOfRecord loads by the key of a corrections record.
	CasesOfRecord *Batch[int64, []*models.CourtLink]
	// People loads by the key of a case: bookings and a corrections record of the defendant.
	People *Batch[int64, []*models.CourtLink]
	// Persons loads, by the key of a booking, whose booking it is; nil when not published.
	Persons *Batch[int64, *models.Person]
	// Histories loads, by family and internal key, the published changes of a record.
	Histories map[models.Family]*Batch[int64, []*models.RecordChange]
	// Seen loads, by family and internal key, when a source last listed the record.
	Seen map[models.Family]*Batch[int64, time.Time]
}

// Account returns the id of the account whose alerts and webhooks the request of ctx may read, or
// the error that says why it may read none.
type Account func(ctx context.Context) (string, error)

type setKey struct{}

// With returns ctx with fresh loaders of one request. account returns whose alerts and webhooks
// they may read. Nothing outlives the request here, so a record that is withheld is gone with the
// next one.
func With(ctx context.Context, s *store.Store, account Account) context.Context {
	l := &Set{
		Hearings:     newBatch(s.HearingsOf),
		Dispositions: newBatch(s.DispositionsOf),
		Charges:      newBatch(s.ChargesOf),
		Photographs:  newBatch(s.PhotographsOf),
		Checks:       newBatch(s.ChecksOf),
		Sources: newBatch(func(ctx context.Context, _ []string) (map[string]*models.Source, error) {
			return s.SourcesByID(ctx)
		}),
	}
	l.ofAlerts(s, account)
	l.Histories = map[models.Family]*Batch[int64, []*models.RecordChange]{}
	l.Seen = map[models.Family]*Batch[int64, time.Time]{}
	for _, f := range []models.Family{models.Roster, models.Courts, models.Corrections} {
		l.Histories[f] = newBatch(func(ctx context.Context, keys []int64) (map[int64][]*models.RecordChange, error) {
			return s.HistoryOf(ctx, f, keys)
		})
		l.Seen[f] = newBatch(func(ctx context.Context, keys []int64) (map[int64]time.Time, error) {
			return s.LastSeenOf(ctx, f, keys)
		})
	}
	l.Corrections = newBatch(s.CorrectionsByKeys)
	l.Links = newBatch(func(ctx context.Context, rids []int64) (map[int64]*models.GdcLink, error) {
		found, err := s.GdcLinksOf(ctx, rids)
		cids := make([]int64, 0, len(found))
		for _, k := range found {
			cids = append(cids, k.CID)
		}
		l.Corrections.expect(cids)
		l.belowRecords(cids)
		return found, err
	})
	l.CountyRecords = newBatch(func(ctx context.Context, cids []int64) (map[int64][]*models.CountyRecord, error) {
		found, err := s.CountyRecordsOf(ctx, cids)
		var rids []int64
		for _, list := range found {
			for _, c := range list {
				rids = append(rids, c.RID)
			}
		}
		l.belowBookings(rids)
		return found, err
	})
	l.loadCourtLinks(s)
	l.Persons = newBatch(func(ctx context.Context, rids []int64) (map[int64]*models.Person, error) {
		found, err := s.PeopleOfBookings(ctx, rids)
		if err != nil {
			return nil, err
		}
		return found, ExpectPeople(ctx, slices.Collect(maps.Values(found)))
	})
	return context.WithValue(ctx, setKey{}, l)
}

// ofAlerts makes the loaders of what belongs to the caller's account.
func (l *Set) ofAlerts(s *store.Store, account Account) {
	l.Watchers = ofAccount(account, func(w *models.Watcher) string { return w.ID }, s.WatchersByID)
	l.Hits = ofAccount(account, func(h *models.Hit) string { return h.ID }, s.HitsByID)
	l.Webhooks = ofAccount(account, func(h *models.Webhook) string { return h.ID }, s.WebhooksByID)
	l.Attempts = newBatch(s.AttemptsOf)
	l.Backlogs = newBatch(mine(account, s.BacklogsOf))
	l.HitTotals = newBatch(mine(account, s.HitTotals))
	l.HitsOn = newBatch(mine(account, s.HitsOn))
	l.Facts = newBatch(mine(account, s.FactsOfEvents))
	l.HitEvents = newBatch(func(ctx context.Context, ids []string) (map[string][]*models.AlertEvent, error) {
		found, err := mine(account, s.EventsOfHits)(ctx, ids)
		var all []*models.AlertEvent
		for _, list := range found {
			all = append(all, list...)
		}
		l.Facts.expect(keys(all, func(e *models.AlertEvent) string { return e.ID }))
		return found, err
	})
}

// mine wraps a read so that it runs for the caller's account. The account is asked for at each
// read: a loader that was made for one caller must never serve another.
func mine[K comparable, V any](account Account, read func(context.Context, string, []K) (map[K]V, error)) func(context.Context, []K) (map[K]V, error) {
	return func(ctx context.Context, ids []K) (map[K]V, error) {
		id, err := account(ctx)
		if err != nil {
			return nil, err
		}
		return read(ctx, id, ids)
	}
}

// ofAccount makes a loader of records of the caller's account, by their id. A record of another
// account is missing, like one that does not exist.
func ofAccount[T any](account Account, id func(*T) string, read func(ctx context.Context, account string, ids []string) ([]*T, error)) *Batch[string, *T] {
	return newBatch(func(ctx context.Context, ids []string) (map[string]*T, error) {
		caller, err := account(ctx)
		if err != nil {
			return nil, err
		}
		list, err := read(ctx, caller, ids)
		out := make(map[string]*T, len(list))
		for _, v := range list {
			out[id(v)] = v
		}
		return out, err
	})
}

// From returns the request's loaders. A request without them was routed past graph.WithLoaders,
// which is a mistake of the program and an internal error.
func From(ctx context.Context) (*Set, error) {
	if l, ok := ctx.Value(setKey{}).(*Set); ok {
		return l, nil
	}
	return nil, errors.New("the request has no loaders: route it through graph.WithLoaders")
}
