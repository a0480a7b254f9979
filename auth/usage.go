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
	flushEvery = 5 * time.Second
	flushTime  = 5 * time.Second
	usageHours = 24
)

// Meter counts requests per account and hour and notes when keys were last used: in memory, written every few seconds.
// Run it while requests are served, and Close it after the last one. Safe for concurrent use.
type Meter struct {
	store   *store.Store
	limiter Limiter
	log     *slog.Logger
	now     func() time.Time

	mu sync.Mutex
	// Counted since the last flush.
	counts map[accountHour]tally
	used   map[string]time.Time // by key id

	// writing is held by a flush, and for reading by Usage, which adds what is stored to what is not: in the middle of a
	// flush counts would be missing or doubled.
	writing sync.RWMutex
}

type accountHour struct {
	// id
	account string
	hour    int64 // Unix seconds of its start
}

type tally struct{ requests, limited int64 }

// NewMeter gives a meter that writes to store; limiter tells Usage what remains.
func NewMeter(store *store.Store, limiter Limiter, log *slog.Logger, now func() time.Time) *Meter {
	return &Meter{
		store: store, limiter: limiter, log: log, now: now,
		counts: map[accountHour]tally{}, used: map[string]time.Time{},
	}
}

// Run writes the counts every few seconds until ctx ends. What cannot be written is kept for the next time.
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

// Close writes what Run has not written yet. Call it after the last request.
func (m *Meter) Close(ctx context.Context) error { return m.flush(ctx) }

// touch notes that a key was used now.
func (m *Meter) touch(keyID string) {
	now := m.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used[keyID] = now
}

// count notes a request that was let through, or one refused by the limit.
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

// flush writes what was counted. It takes the counts first, so that requests go on counting meanwhile.
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

// putBack adds counts that could not be written to those that came meanwhile.
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

// usageCounts is in a fixed order, so that replicas lock the rows they share in the same order.
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

// Usage gives the usage of an account. Looking does not count as a request. What other replicas counted in the last few
// seconds may be missing from LastDay.
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
	return &models.Usage{Limit: a.Limit, Remaining: a.Remaining, ResetSeconds: wholeSeconds(a.Wait), LastDay: day}, nil
}

// pending is what this process has counted in an hour and not written yet.
func (m *Meter) pending(accountID string, hour time.Time) models.UsageHour {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.counts[accountHour{account: accountID, hour: hour.Unix()}]
	return models.UsageHour{Hour: hour, Requests: int(t.requests), Limited: int(t.limited)}
}

// wholeSeconds rounds up: who waits that long never comes too early.
func wholeSeconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
