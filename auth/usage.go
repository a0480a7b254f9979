package auth

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"rollcall/models"
	"rollcall/models/store"
)

const (
	// Time between two writes, which is also how much a crash may lose of the counts.
	flushEvery = 5 * time.Second
	// Longest time of one write.
	flushTime  = 5 * time.Second
	usageHours = 24
)

// Meter counts requests by account and hour, and notes when keys were last used. Both are counted in memory and
// written every few seconds, so that no request waits for it. Run it while requests are served, and Close it after
// the last one. It is safe for concurrent use.
type Meter struct {
	store   *store.Store
	limiter Limiter
	log     *slog.Logger
	now     func() time.Time

	mu sync.Mutex
	// Counts since the last flush.
	counts map[accountHour]tally
	// When a key was last used since then, by key id.
	used map[string]time.Time

	// Held by a flush, and for reading by Usage, which adds what is stored to what is not. In the middle of a flush
	// counts would be missing or doubled.
	writing sync.RWMutex
}

// accountHour is an hour of an account.
type accountHour struct {
	// Account id.
	account string
	// Unix seconds of the hour's start.
	hour int64
}

// tally counts answered requests, and those that the limit refused.
type tally struct{ requests, limited int64 }

// NewMeter returns a meter that writes to store; Usage asks limiter what remains.
func NewMeter(store *store.Store, limiter Limiter, log *slog.Logger, now func() time.Time) *Meter {
	return &Meter{
		store: store, limiter: limiter, log: log, now: now,
		counts: map[accountHour]tally{}, used: map[string]time.Time{},
	}
}

// Run writes the counts every few seconds until ctx ends. What cannot be written is written the next time.
func (m *Meter) Run(ctx context.Context) {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := m.flush(ctx); err != nil && ctx.Err() == nil {
				m.log.WarnContext(ctx, "usage not recorded, will try again", "error", err)
			}
		}
	}
}

// Close writes what Run has not written yet. Call it after the last request, else the last seconds are missing from
// the usage.
func (m *Meter) Close(ctx context.Context) error { return m.flush(ctx) }

// touch records that a key was used now.
func (m *Meter) touch(keyID string) {
	now := m.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used[keyID] = now
}

// count records a request: answered, or refused by the limit.
func (m *Meter) count(accountID string, answered bool) {
	now := m.now().Unix()
	at := accountHour{account: accountID, hour: now - now%3600}
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.counts[at]
	if answered {
		t.requests++
	} else {
		t.limited++
	}
	m.counts[at] = t
}

// flush writes what was counted. It first takes the counts away, so that requests go on counting meanwhile.
func (m *Meter) flush(ctx context.Context) error {
	m.writing.Lock()
	defer m.writing.Unlock()
	ctx, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	m.mu.Lock()
	counts, used := m.counts, m.used
	m.counts, m.used = map[accountHour]tally{}, map[string]time.Time{}
	m.mu.Unlock()

	var errCounts, errUsed error
	if len(counts) > 0 {
		if errCounts = m.store.AddUsage(ctx, usageCounts(counts)); errCounts != nil {
			m.putBack(counts, nil)
		}
	}
	if len(used) > 0 {
		if errUsed = m.store.TouchKeys(ctx, used); errUsed != nil {
			m.putBack(nil, used)
		}
	}
	return errors.Join(errCounts, errUsed)
}

// putBack adds counts that could not be written to those counted meanwhile.
func (m *Meter) putBack(counts map[accountHour]tally, used map[string]time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for at, t := range counts {
		sum := m.counts[at]
		m.counts[at] = tally{requests: sum.requests + t.requests, limited: sum.limited + t.limited}
	}
	for id, at := range used {
		if m.used[id].Before(at) {
			m.used[id] = at
		}
	}
}

// usageCounts returns the counts in a fixed order, so that replicas lock the rows that they share in the same order.
func usageCounts(counts map[accountHour]tally) []models.UsageCount {
	all := make([]models.UsageCount, 0, len(counts))
	for at, t := range counts {
		all = append(all, models.UsageCount{
			AccountID: at.account, Hour: time.Unix(at.hour, 0).UTC(), Requests: t.requests, Limited: t.limited,
		})
	}
	slices.SortFunc(all, func(a, b models.UsageCount) int {
		return cmp.Or(cmp.Compare(a.AccountID, b.AccountID), a.Hour.Compare(b.Hour))
	})
	return all
}

// Usage returns the usage of an account: its limit, what remains, and the last 24 hours by hour. Reading it does not
// count as a request. What other replicas counted in the last few seconds may be missing from LastDay.
func (m *Meter) Usage(ctx context.Context, account *models.Account) (*models.Usage, error) {
	a, err := m.limiter.Take(ctx, bucketOf(account), 0)
	if err != nil {
		return nil, err
	}
	m.writing.RLock()
	defer m.writing.RUnlock()
	first := m.now().UTC().Truncate(time.Hour).Add(-(usageHours - 1) * time.Hour)
	stored, err := m.store.UsageOf(ctx, account.ID, first)
	if err != nil {
		return nil, err
	}
	day := make([]models.UsageHour, usageHours)
	for i := range day {
		day[i] = m.pending(account.ID, first.Add(time.Duration(i)*time.Hour))
	}
	for _, h := range stored {
		if i := int(h.Hour.Sub(first) / time.Hour); i < len(day) {
			day[i].Requests += h.Requests
			day[i].Limited += h.Limited
		}
	}
	return &models.Usage{Limit: a.Limit, Remaining: a.Remaining, ResetSeconds: wholeSeconds(a.Reset), LastDay: day}, nil
}

// pending returns what this process counted in an hour and has not written yet.
func (m *Meter) pending(accountID string, hour time.Time) models.UsageHour {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.counts[accountHour{account: accountID, hour: hour.Unix()}]
	return models.UsageHour{Hour: hour, Requests: int(t.requests), Limited: int(t.limited)}
}

// wholeSeconds rounds up, so that a client that waits that long never comes too early.
func wholeSeconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
