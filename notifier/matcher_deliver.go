package notifier

import (
	"context"
	"fmt"
	"slices"

	"rollcall/models"
	"rollcall/models/alert"
)

// deliver makes the deliveries of new events: one for each endpoint of the account that asks for the kind.
// Bodies are serialised here, once, and are the bytes of every attempt (DECISIONS, "Webhooks").
func (r *round) deliver(ctx context.Context, events []*alert.NewEvent, told []candidate, blind map[*alert.NewEvent]Staleness) error {
	if len(events) == 0 {
		return nil
	}
	accounts := make([]string, len(events))
	for i, e := range events {
		accounts[i] = e.AccountID
	}
	slices.Sort(accounts)
	webhooks, err := r.Webhooks(ctx, slices.Compact(accounts))
	if err != nil {
		return err
	}
	origins := map[string]*Origin{}
	retracted := []string{}
	for _, t := range told {
		origins[t.told.EventID] = &Origin{EventID: t.told.EventID, Kind: t.told.Kind, At: t.told.At.UTC()}
		retracted = append(retracted, t.told.Events...)
	}
	heard, err := r.Heard(ctx, retracted)
	if err != nil {
		return err
	}
	var out []*alert.NewDelivery
	for _, e := range events {
		bodies := map[int][]byte{}
		for _, h := range webhooks[e.AccountID] {
			version, wanted := versionFor(h, e.Change.Kind)
			drop, known := unheard(h, e, heard, origins)
			if !wanted || !known {
				continue
			}
			body := bodies[version]
			if body == nil {
				if body, err = bodyOf(e, version, origins, blind); err != nil {
					return fmt.Errorf("make body of change %d: %w", e.Change.ID, err)
				}
				bodies[version] = body
			}
			out = append(out, &alert.NewDelivery{Event: e, Webhook: h, Body: body, Drop: drop})
		}
	}
	r.deliveries = len(out)
	return r.WriteDeliveries(ctx, out)
}

// unheard decides what becomes of an event at an endpoint. known is false where a retraction takes back what
// the endpoint was never sent, and where a notice about a withheld record speaks of it. If what it takes back was dropped before anything was sent, the retraction is
// dropped for the same reason: a replay sends both or neither.
func unheard(h *models.Webhook, e *alert.NewEvent, heard models.Heard, origins map[string]*Origin) (drop *models.DropReason, known bool) {
	if e.Change.Kind == models.EventWithheld {
		return nil, e.Received(h, heard)
	}
	if e.Retracts == nil {
		return nil, true
	}
	of, kept := heard[*e.Retracts]
	if !kept { // its deliveries have expired
		return nil, slices.Contains(h.Events, models.EventRelease) && h.CreatedAt.Before(origins[*e.Retracts].At)
	}
	drop, known = of[h.ID]
	return drop, known
}

// versionFor returns whether an endpoint asks for a kind, and in which payload version. Notices exist in
// version 2 only, as asking for one implies that it can be read.
func versionFor(h *models.Webhook, k models.EventKind) (version int, wanted bool) {
	switch k {
	case models.EventRetraction:
		return PayloadV2, slices.Contains(h.Notices, models.NoticeRetraction)
	case models.EventWithheld:
		return PayloadV2, slices.Contains(h.Notices, models.NoticeWithheld)
	case models.EventSourceStale, models.EventSourceRecovered:
		return PayloadV2, slices.Contains(h.Notices, models.NoticeSourceStale)
	}
	return h.PayloadVersion, slices.Contains(h.Events, k)
}

// bodyOf returns the body of an event in a payload version. A notice about a withheld record names nobody.
func bodyOf(e *alert.NewEvent, version int, origins map[string]*Origin, blind map[*alert.NewEvent]Staleness) ([]byte, error) {
	c := e.Change
	switch c.Kind {
	case models.EventWithheld:
		return WithheldBody(e.ID, e.Watcher.ID, c.DetectedAt, c.RecordID)
	case models.EventSourceStale, models.EventSourceRecovered:
		return blind[e].Body(e.ID, c.Kind, c.DetectedAt)
	}
	event := Event{
		ID: e.ID, Kind: c.Kind, AlertID: e.Watcher.ID, At: c.DetectedAt, Record: recordOfChange(c),
		Match: &Match{Probability: e.Probability, Level: string(e.Watcher.Level), Reasons: e.Reasons},
	}
	if e.Retracts != nil {
		event.Retracts = origins[*e.Retracts]
	}
	return event.Body(version)
}

// recordOfChange returns the record as it was when the change happened: a delivery says what was true then.
func recordOfChange(c *models.Change) Record {
	r := Record{
		ID: c.RecordID, Name: c.Name, County: c.County.Name, BookingDate: c.BookedAt, ReleaseDate: c.ReleasedAt,
		Charges: c.Charges, BondCents: c.BondCents, Status: models.Booked,
	}
	if c.ReleasedAt != nil {
		r.Status = models.Released
	}
	return r
}
