package status

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
)

const (
	// reportAge is how old a report may be. However many people look, the database is asked once in that time.
	reportAge = 15 * time.Second
	// reportTime bounds the making of a report.
	reportTime = 5 * time.Second
	// delayOver is the time whose deliveries the delay is about.
	delayOver = time.Hour
)

// Report is the state of the service at a moment, as /status.json has it.
type Report struct {
	At time.Time `json:"at"`
	// Current reports whether every source is current.
	Current    bool               `json:"current"`
	Sources    []Source           `json:"sources"`
	Deliveries Deliveries         `json:"deliveries"`
	Incidents  []*source.Incident `json:"incidents"`
}

// Source is what one source has of one county.
type Source struct {
	County  string     `json:"county"`    // display name; "Georgia" for a source of the whole state
	Slug    *string    `json:"county_id"` // slug; null for a source of the whole state
	Records string     `json:"records"`   // roster, courts or corrections
	State   string     `json:"state"`     // ok, late, down, held or refused
	AsOf    *time.Time `json:"as_of"`     // how current its records can be; null: it was never read
	Note    *string    `json:"note"`      // why it is not current, in a sentence; null: it is
}

// Deliveries is how webhooks are delivered, over all accounts.
type Deliveries struct {
	// Waiting is for how many seconds the longest waiting one has been due; 0: none waits.
	Waiting int `json:"oldest_due_seconds"`
	// Median and P95 are seconds from the making of a delivery to its first attempt, in the last hour; null without deliveries.
	Median *float64 `json:"median_delay_seconds"`
	P95    *float64 `json:"p95_delay_seconds"`
}

// reporter makes reports and keeps the newest one. It is safe for concurrent use.
type reporter struct {
	store *store.Store
	now   func() time.Time

	mu   sync.Mutex // held while a report is made, so that many readers wait for one
	last *Report
}

// report returns a report that is at most reportAge old.
func (r *reporter) report(ctx context.Context) (*Report, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if r.last != nil && now.Sub(r.last.At) < reportAge && !now.Before(r.last.At) {
		return r.last, nil
	}
	// Others wait for this report, so the reader who began it does not end it by leaving.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportTime)
	defer cancel()
	made, err := r.make(ctx, now)
	if err == nil {
		r.last = made
	}
	return made, err
}

// forget makes the next report a new one.
func (r *reporter) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = nil
}

func (r *reporter) make(ctx context.Context, now time.Time) (*Report, error) {
	sources, err := r.store.Sources(ctx)
	if err != nil {
		return nil, err
	}
	backlog, err := r.store.DeliveryBacklog(ctx)
	if err != nil {
		return nil, err
	}
	delay, err := r.store.DeliveryDelay(ctx, now.Add(-delayOver))
	if err != nil {
		return nil, err
	}
	incidents, err := r.store.Incidents(ctx)
	if err != nil {
		return nil, err
	}
	out := &Report{At: now.UTC(), Current: true, Sources: counties(sources), Incidents: incidents, Deliveries: Deliveries{Median: delay.Median, P95: delay.P95}}
	for _, s := range out.Sources {
		out.Current = out.Current && s.State == string(models.SourceOK)
	}
	if backlog.Oldest != nil {
		out.Deliveries.Waiting = max(0, int(now.Sub(*backlog.Oldest)/time.Second))
	}
	return out, nil
}

// counties returns one entry a source and county, by county.
func counties(sources []*models.Source) []Source {
	out := []Source{}
	for _, s := range sources {
		if s.Parent != "" || s.Imported { // a scope is among those of its source; a takeover is never read again
			continue
		}
		parts := s.Scopes
		if len(parts) == 0 {
			parts = []*models.Source{s}
		}
		for _, p := range parts {
			out = append(out, entry(s, p))
		}
	}
	slices.SortStableFunc(out, func(a, b Source) int {
		return cmp.Or(cmp.Compare(a.County, b.County), cmp.Compare(a.Records, b.Records))
	})
	return out
}

// entry returns what the source s has of the county of its part p.
func entry(s, p *models.Source) Source {
	e := Source{County: "Georgia", Records: s.Kind, State: string(p.State()), AsOf: p.AsOf(), Note: p.PlainNote()}
	if p.County != nil {
		e.County, e.Slug = p.County.Name, &p.County.Slug
	}
	if e.AsOf != nil {
		utc := e.AsOf.UTC()
		e.AsOf = &utc
	}
	return e
}
