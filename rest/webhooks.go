package rest

import (
	"net/http"

	"rollcall/graph/generated"
	"rollcall/models"
)

// noticeKinds returns the notices that an endpoint may ask for (DECISIONS, "Alerts").
func noticeKinds() []models.Notice {
	return []models.Notice{models.NoticeRetraction, models.NoticeSourceStale, models.NoticeWithheld}
}

// listWebhooks answers GET /webhooks with the account's endpoints, newest first. The resolver
// returns all of them, as an account has few; the page is cut here.
func (h *api) listWebhooks(a *answer, r *http.Request) error {
	p := newParams(r.URL.RawQuery)
	limit, offset := p.page(models.DefaultLimit)
	if p.err != nil {
		return p.err
	}
	all, err := h.root.Query().Webhooks(r.Context())
	if err != nil {
		return err
	}
	from := min(offset, len(all))
	a.openList(len(all), limit, offset, "webhooks")
	for _, w := range all[from:min(from+limit, len(all))] {
		a.webhook(w)
	}
	a.closeList()
	return h.link(a, r, part{limit: limit, offset: offset}, from+limit < len(all), nil)
}

// showWebhook answers GET /webhooks/{id}. Another account's endpoint is 404.
func (h *api) showWebhook(a *answer, r *http.Request) error {
	w, err := h.webhookOf(r)
	if err != nil {
		return err
	}
	a.webhook(w)
	return nil
}

// webhookOf reads the endpoint that the path names. Handlers call it first, so that 404 comes
// before 400.
func (h *api) webhookOf(r *http.Request) (*models.Webhook, error) {
	id, err := pathText(r, "id")
	if err != nil {
		return nil, err
	}
	return h.root.Query().Webhook(r.Context(), id)
}

// createWebhook answers POST /webhooks with 201 and the endpoint. The secret is never part of an
// answer: an API key must not read it (DECISIONS, "Webhooks"). 400 for an address that webhooks
// may not be sent to, such as plain http or one inside a private network. Left out,
// payload_version is 1 and notices is none, so a client of SPEC.md receives exactly what it
// describes.
func (h *api) createWebhook(a *answer, r *http.Request, b *body) (int, error) {
	in := generated.CreateWebhookInput{
		URL: b.required("url"), Events: words(b, "events", eventKinds()...), PayloadVersion: b.integer("payload_version"),
		Notices: plainWords(words(b, "notices", noticeKinds()...)), Paused: b.boolean("paused"),
	}
	if in.Events == nil {
		b.fail("events", "events is missing: an array of "+list(eventKinds()))
	}
	if err := b.done(); err != nil {
		return 0, err
	}
	w, err := h.root.Mutation().CreateWebhook(r.Context(), in)
	if err != nil {
		return 0, err
	}
	a.webhook(w)
	return http.StatusCreated, nil
}

// changeWebhook answers PATCH /webhooks/{id}. An absent member stays as it is. A null returns an
// optional member to its default; url and events have none, so null is refused there. Pending
// deliveries go to the new address.
func (h *api) changeWebhook(a *answer, r *http.Request, b *body) (int, error) {
	w, err := h.webhookOf(r)
	if err != nil {
		return 0, err
	}
	in := generated.UpdateWebhookInput{
		URL: b.text("url"), Events: words(b, "events", eventKinds()...),
		PayloadVersion: orDefault(b, "payload_version", b.integer("payload_version"), 1),
		Notices:        plainWords(words(b, "notices", noticeKinds()...)), Paused: orDefault(b, "paused", b.boolean("paused"), false),
	}
	if in.URL == nil && b.has("url") || in.Events == nil && b.has("events") {
		b.fail("url", "url and events have no default: leave them out, or give them")
	}
	if in.Notices == nil && b.has("notices") {
		in.Notices = []string{}
	}
	if err := b.done(); err != nil {
		return 0, err
	}
	if in.IfVersion, err = seen(r, func(e *encoder) { e.webhook(w) }, w.State); err != nil {
		return 0, err
	}
	if w, err = h.root.Mutation().UpdateWebhook(r.Context(), w.ID, in); err != nil {
		return 0, matched(err)
	}
	a.webhook(w)
	return http.StatusOK, nil
}

// deleteWebhook answers DELETE /webhooks/{id} with 204; a second call is 404.
func (h *api) deleteWebhook(_ *answer, r *http.Request, _ *body) (int, error) {
	w, err := h.webhookOf(r)
	if err != nil {
		return 0, err
	}
	is, err := seen(r, func(e *encoder) { e.webhook(w) }, w.State)
	if err != nil {
		return 0, err
	}
	_, err = h.root.Mutation().DeleteWebhook(r.Context(), w.ID, is)
	return http.StatusNoContent, matched(err)
}

// enableWebhook answers POST /webhooks/{id}/enable with the endpoint, active again. Its failures
// are forgotten, so the five days until it is disabled begin anew.
func (h *api) enableWebhook(a *answer, r *http.Request, b *body) (int, error) {
	w, err := h.webhookOf(r) // 404 comes before 400
	if err != nil {
		return 0, err
	}
	if err := b.done(); err != nil {
		return 0, err
	}
	if w, err = h.root.Mutation().EnableWebhook(r.Context(), w.ID); err != nil {
		return 0, err
	}
	a.webhook(w)
	return http.StatusOK, nil
}

// testWebhook answers POST /webhooks/{id}/test with 202 and the delivery that is being sent. How
// it went is read from /webhooks/{id}/deliveries. 409 while the endpoint is disabled or paused.
func (h *api) testWebhook(a *answer, r *http.Request, b *body) (int, error) {
	w, err := h.webhookOf(r) // 404 comes before 400
	if err != nil {
		return 0, err
	}
	if err := b.done(); err != nil {
		return 0, err
	}
	d, err := h.root.Mutation().TestWebhook(r.Context(), w.ID)
	if err != nil {
		return 0, err
	}
	return http.StatusAccepted, h.delivery(r.Context(), a, d)
}

// webhook writes an endpoint: the members that DECISIONS lists, and those optional ones that were
// set. The secret is none of them.
func (e *encoder) webhook(w *models.Webhook) {
	e.object()
	e.text("id", w.ID)
	e.text("url", w.URL)
	texts(e, "events", w.Events)
	e.text("status", string(w.Status))
	e.instant("created_at", w.CreatedAt.UTC())
	if w.PayloadVersion != 1 {
		e.number("payload_version", w.PayloadVersion)
	}
	if len(w.Notices) > 0 {
		texts(e, "notices", w.Notices)
	}
	if w.Paused {
		e.bool("paused", true)
	}
	if w.DisabledReason != nil {
		e.text("disabled_reason", *w.DisabledReason)
	}
	e.endObject()
}

// plainWords converts words to the type that the resolvers take; nil stays nil.
func plainWords[T ~string](words []T) []string {
	if words == nil {
		return nil
	}
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return out
}
