package rest

import (
	"context"
	"net/http"

	"rollcall/models"
)

// deliveryStates returns the states of the contract (SPEC.md, "Webhook delivery lifecycle").
func deliveryStates() []models.DeliveryState {
	return []models.DeliveryState{models.DeliveryPending, models.DeliveryDelivered, models.DeliveryFailed, models.DeliveryDropped}
}

// listDeliveries answers GET /webhooks/{id}/deliveries, newest first, each with its attempts.
// from and to are instants of creation. 404 comes before 400, so that nobody learns from a bad
// filter whether an endpoint exists.
func (h *api) listDeliveries(a *answer, r *http.Request) error {
	ctx := r.Context()
	p := newParams(r.URL.RawQuery)
	f := models.DeliveryFilter{
		WatcherID: p.text("alert_id"), State: enum(p, "state", deliveryStates()...), From: p.instant("from"), To: p.instant("to"),
	}
	at := p.cursorPage()
	w, err := h.webhookOf(r)
	if err != nil {
		return err
	}
	if p.err != nil {
		return p.err
	}
	f.WebhookID = &w.ID
	page, err := h.root.Query().Deliveries(ctx, &f, &at.limit, &at.offset, at.after)
	if err != nil {
		return cursorError(err)
	}
	total, err := h.root.DeliveryPage().Total(ctx, page)
	if err != nil {
		return err
	}
	a.openList(total, at.limit, at.offset, "deliveries")
	for _, d := range page.Deliveries {
		if err := h.delivery(ctx, a, d); err != nil {
			return err
		}
	}
	a.closeList()
	return h.link(a, r, at, page.PageInfo.HasNextPage, page.PageInfo.End)
}

// redeliver answers POST /deliveries/{id}/redeliver with 202: the same bytes and event id are
// sent once more. 409 while the delivery is still under way.
func (h *api) redeliver(a *answer, r *http.Request, b *body) (int, error) {
	id, err := pathText(r, "id")
	if err != nil {
		return 0, err
	}
	if _, err := h.root.Query().Delivery(r.Context(), id); err != nil { // 404 comes before 400
		return 0, err
	}
	if err := b.done(); err != nil {
		return 0, err
	}
	d, err := h.root.Mutation().Redeliver(r.Context(), id)
	if err != nil {
		return 0, err
	}
	return http.StatusAccepted, h.delivery(r.Context(), a, d)
}

// replay answers POST /webhooks/{id}/replay: 202 with the number of deliveries that begin anew,
// or in a dry run 200 with the number that would. dry_run must be true, false or absent: null
// would send for real because a client's variable was not set. states must name at least one if
// it is given, since an empty list could mean all or none.
func (h *api) replay(a *answer, r *http.Request, b *body) (int, error) {
	w, err := h.webhookOf(r)
	if err != nil {
		return 0, err
	}
	in := models.Replay{WebhookID: w.ID, From: b.instant("from"), To: b.instant("to"), States: words(b, "states", deliveryStates()...)}
	if in.States != nil && len(in.States) == 0 {
		b.fail("states", "states must name at least one of "+list(deliveryStates()))
	}
	switch dry := b.boolean("dry_run"); {
	case dry != nil:
		in.DryRun = *dry
	case b.has("dry_run"): // null is often a variable that was not set, and must not send for real
		b.fail("dry_run", "dry_run must be true or false; leave it out to send for real")
	}
	if err := b.done(); err != nil {
		return 0, err
	}
	n, err := h.root.Mutation().ReplayDeliveries(r.Context(), in)
	if err != nil {
		return 0, err
	}
	a.object()
	a.number("count", n.Count)
	a.endObject()
	if in.DryRun {
		return http.StatusOK, nil
	}
	return http.StatusAccepted, nil
}

// delivery writes a delivery with its attempts, oldest first. payload is the frozen body as a
// string, so that a receiver can check its signature against the exact bytes. next_attempt is
// null once the delivery has ended; reason is null unless it was dropped.
func (h *api) delivery(ctx context.Context, a *answer, d *models.Delivery) error {
	attempts, err := h.root.Delivery().Attempts(ctx, d)
	if err != nil {
		return err
	}
	a.object()
	a.text("id", d.ID)
	a.text("event_id", d.MessageID)
	a.text("event", d.Kind)
	a.text("webhook_id", d.WebhookID)
	a.optionalText("alert_id", d.WatcherID)
	a.text("state", string(d.State))
	a.optionalText("reason", (*string)(d.Reason))
	a.utc("next_attempt", d.NextAttempt)
	a.instant("created_at", d.CreatedAt.UTC())
	a.text("payload", string(d.Body))
	a.array("attempts")
	for _, t := range attempts {
		a.object()
		a.instant("at", t.At.UTC())
		a.optionalNumber("status", t.Status)
		a.number("latency_ms", t.LatencyMS)
		a.optionalText("answer", t.Answer)
		a.optionalText("error", t.Error)
		a.endObject()
	}
	a.endArray()
	a.endObject()
	return nil
}
