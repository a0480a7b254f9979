package notifier

import (
	"context"
	"time"

	"rollcall/models"
	"rollcall/models/alert"
)

// Staleness is what a notice about a source says: which counties cannot be seen, since when, and how many of
// the account's watchers that concerns.
type Staleness struct {
	// Source is its title.
	Source string
	// Counties are display names; empty: the whole state.
	Counties []string
	// LastSuccess is when the source was last read well; nil: never.
	LastSuccess *time.Time
	// Watchers counts those of the account that watch one of the counties.
	Watchers int
}

// WithheldBody returns the notice that a record must not be shown any more. It carries ids only and names nobody.
func WithheldBody(id, alertID string, at time.Time, recordID string) ([]byte, error) {
	type record struct {
		ID string `json:"id"`
	}
	return encode(struct {
		Version   int              `json:"version"`
		ID        string           `json:"id"`
		Event     models.EventKind `json:"event"`
		AlertID   string           `json:"alert_id"`
		Timestamp string           `json:"timestamp"`
		Record    record           `json:"record"`
	}{PayloadV2, id, models.EventWithheld, alertID, utc(at), record{recordID}})
}

// Body returns the notice that a source is stale or has recovered.
func (b Staleness) Body(id string, kind models.EventKind, at time.Time) ([]byte, error) {
	type source struct {
		Title       string   `json:"title"`
		Counties    []string `json:"counties"`
		LastSuccess *string  `json:"last_success"`
	}
	s := source{Title: b.Source, Counties: append([]string{}, b.Counties...)}
	if b.LastSuccess != nil {
		text := utc(*b.LastSuccess)
		s.LastSuccess = &text
	}
	return encode(struct {
		Version   int              `json:"version"`
		ID        string           `json:"id"`
		Event     models.EventKind `json:"event"`
		Timestamp string           `json:"timestamp"`
		Alerts    int              `json:"alerts"`
		Source    source           `json:"source"`
	}{PayloadV2, id, kind, utc(at), b.Watchers, s})
}

// notices makes an event of each change of a source, for each account that asked for such notices and has
// watchers that it concerns.
func (r *round) notices(ctx context.Context) ([]*alert.NewEvent, map[*alert.NewEvent]Staleness, error) {
	var events []*alert.NewEvent
	blind := map[*alert.NewEvent]Staleness{}
	for _, c := range r.changes {
		if c.Kind != models.EventSourceStale && c.Kind != models.EventSourceRecovered {
			continue
		}
		accounts, err := r.StaleAccounts(ctx, c)
		if err != nil {
			return nil, nil, err
		}
		for _, a := range accounts {
			e := &alert.NewEvent{Change: c, AccountID: a.AccountID}
			events = append(events, e)
			blind[e] = Staleness{Source: a.Source, Counties: a.Counties, LastSuccess: a.LastSuccess, Watchers: a.Watchers}
		}
	}
	return events, blind, nil
}
