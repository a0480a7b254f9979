package graph

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"rollcall/models"
	"rollcall/models/store"
)

// Loaders read linked records, one statement for a whole list. They live as long as a request.
//
// Whoever reads a list announces its keys (expect); the first load of one of them then reads all
// of them at once, without waiting for the others to ask. So a nested query costs one statement a
// level, and a single record costs no delay.
type Loaders struct {
	links         *loader[int64, *models.GdcLink]
	corrections   *loader[int64, *models.CorrectionsRecord]
	countyRecords *loader[int64, []*models.CountyRecord]
	hearings      *loader[int64, []*models.Hearing]
	dispositions  *loader[int64, []*models.Disposition]
	charges       *loader[int64, []*models.BookingCharge]
	sources       *loader[string, *models.Source]
	watchers      *loader[string, *models.Watcher]
	hits          *loader[string, *models.Hit]
	hitTotals     *loader[string, models.HitTotal]
	hitEvents     *loader[string, []*models.AlertEvent]
	facts         *loader[string, *models.EventFacts]
	webhooks      *loader[string, *models.Webhook]
	attempts      *loader[string, []*models.Attempt]
	backlogs      *loader[string, models.Backlog]

	bookings       *loader[int64, *models.Booking]
	cases          *loader[int64, *models.CourtCase]
	casesOfBooking *loader[int64, []*models.CourtLink]
	casesOfRecord  *loader[int64, []*models.CourtLink]
	people         *loader[int64, []*models.CourtLink]
	histories      map[models.Family]*loader[int64, []*models.RecordChange]
	seen           map[models.Family]*loader[int64, time.Time]
}

type loadersKey struct{}

// WithLoaders gives ctx fresh loaders; resolvers called with it share them.
func WithLoaders(ctx context.Context, s *store.Store) context.Context {
	l := &Loaders{
		hearings:     newLoader(s.HearingsOf),
		dispositions: newLoader(s.DispositionsOf),
		charges:      newLoader(s.ChargesOf),
		sources: newLoader(func(ctx context.Context, _ []string) (map[string]*models.Source, error) {
			return s.SourcesByID(ctx)
		}),
	}
	l.ofAlerts(s)
	l.histories = map[models.Family]*loader[int64, []*models.RecordChange]{}
	l.seen = map[models.Family]*loader[int64, time.Time]{}
	for _, f := range []models.Family{models.Roster, models.Courts, models.Corrections} {
		l.histories[f] = newLoader(func(ctx context.Context, keys []int64) (map[int64][]*models.RecordChange, error) {
			return s.HistoryOf(ctx, f, keys)
		})
		l.seen[f] = newLoader(func(ctx context.Context, keys []int64) (map[int64]time.Time, error) {
			return s.LastSeenOf(ctx, f, keys)
		})
	}
	l.corrections = newLoader(s.CorrectionsByKeys)
	l.links = newLoader(func(ctx context.Context, rids []int64) (map[int64]*models.GdcLink, error) {
		found, err := s.GdcLinksOf(ctx, rids)
		cids := make([]int64, 0, len(found))
		for _, k := range found {
			cids = append(cids, k.CID)
		}
		l.corrections.expect(cids)
		l.belowRecords(cids)
		return found, err
	})
	l.countyRecords = newLoader(func(ctx context.Context, cids []int64) (map[int64][]*models.CountyRecord, error) {
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
	return context.WithValue(ctx, loadersKey{}, l)
}

// ofAlerts makes the loaders of what belongs to the caller's account.
func (l *Loaders) ofAlerts(s *store.Store) {
	l.watchers = ofAccount(func(w *models.Watcher) string { return w.ID }, s.WatchersByID)
	l.hits = ofAccount(func(h *models.Hit) string { return h.ID }, s.HitsByID)
	l.webhooks = ofAccount(func(h *models.Webhook) string { return h.ID }, s.WebhooksByID)
	l.attempts = newLoader(s.AttemptsOf)
	l.backlogs = newLoader(mine(s.BacklogsOf))
	l.hitTotals = newLoader(mine(s.HitTotals))
	l.facts = newLoader(mine(s.FactsOfEvents))
	l.hitEvents = newLoader(func(ctx context.Context, ids []string) (map[string][]*models.AlertEvent, error) {
		found, err := mine(s.EventsOfHits)(ctx, ids)
		var all []*models.AlertEvent
		for _, list := range found {
			all = append(all, list...)
		}
		l.facts.expect(keys(all, func(e *models.AlertEvent) string { return e.ID }))
		return found, err
	})
}

// mine reads with the caller's account.
func mine[V any](read func(context.Context, string, []string) (map[string]V, error)) func(context.Context, []string) (map[string]V, error) {
	return func(ctx context.Context, ids []string) (map[string]V, error) {
		account, err := accountOf(ctx, alertsAndWebhooks)
		if err != nil {
			return nil, err
		}
		return read(ctx, account, ids)
	}
}

// loadersFrom gives the request's loaders. A request without them is a mistake in the wiring.
func loadersFrom(ctx context.Context) (*Loaders, error) {
	if l, ok := ctx.Value(loadersKey{}).(*Loaders); ok {
		return l, nil
	}
	return nil, errors.New("the request has no loaders: route it through graph.WithLoaders")
}

// loader reads values by key for one request. A key without a value loads as the zero value.
type loader[K comparable, V any] struct {
	fetch     func(context.Context, []K) (map[K]V, error)
	mu        sync.Mutex
	announced [][]K // not in groups yet: most of what is announced is never asked for
	groups    map[K]*group[K, V]
}

// group is a list of keys that are read by one call of fetch; a single key needs no batch.
type group[K comparable, V any] struct {
	keys  []K
	once  sync.Once
	batch *dataloader.Loader[K, V]
	value V
	err   error
}

// errUnread is what a key loads as when reading it panicked: not as if it had no value.
var errUnread = errors.New("the read of this key did not end")

// groupWait is never waited for: a group is full as soon as its keys are queued, and then ends. It
// only bounds a mistake. A short one would split groups whenever the machine is busy.
const groupWait = time.Second

func newLoader[K comparable, V any](fetch func(context.Context, []K) (map[K]V, error)) *loader[K, V] {
	return &loader[K, V]{fetch: fetch}
}

// expect announces keys that will likely be loaded, as one group. Known keys stay where they are.
func (l *loader[K, V]) expect(keys []K) {
	if len(keys) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.announced = append(l.announced, keys)
}

// groupOf gives the group of k, which is one of its own when k was not announced.
func (l *loader[K, V]) groupOf(k K) *group[K, V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, keys := range l.announced {
		l.form(keys)
	}
	l.announced = nil
	if l.groups[k] == nil {
		l.form([]K{k})
	}
	return l.groups[k]
}

// form makes a group of those keys that are in none.
func (l *loader[K, V]) form(keys []K) {
	if l.groups == nil {
		l.groups = make(map[K]*group[K, V], len(keys))
	}
	g := &group[K, V]{}
	for _, k := range keys {
		if l.groups[k] == nil {
			l.groups[k] = g
			g.keys = append(g.keys, k)
		}
	}
	if len(g.keys) > 1 {
		g.batch = dataloader.NewBatchedLoader(l.results, dataloader.WithWait[K, V](groupWait), dataloader.WithBatchCapacity[K, V](len(g.keys)))
	}
}

// load gives the value of k, reading its whole group when it is the first of it.
func (l *loader[K, V]) load(ctx context.Context, k K) (V, error) {
	g := l.groupOf(k)
	g.once.Do(func() {
		if g.batch != nil {
			g.batch.LoadMany(ctx, g.keys)
			return
		}
		g.err = errUnread
		found, err := l.fetch(ctx, g.keys)
		g.value, g.err = found[k], err
	})
	if g.batch == nil {
		return g.value, g.err
	}
	return g.batch.Load(ctx, k)()
}

func (l *loader[K, V]) results(ctx context.Context, keys []K) []*dataloader.Result[V] {
	found, err := l.fetch(ctx, keys)
	out := make([]*dataloader.Result[V], len(keys))
	for i, k := range keys {
		out[i] = &dataloader.Result[V]{Data: found[k], Error: err}
	}
	return out
}
