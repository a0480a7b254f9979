package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/web/delivery"
	"rollcall/web/page"
	"rollcall/web/words"
)

// Endpoints is what package notifier knows of the addresses that receive events
// (notifier.Registrar).
type Endpoints interface {
	// CheckURL returns an error if an address may not be registered. Its text is a sentence for
	// the user.
	CheckURL(ctx context.Context, address string) error
	// NewSecret returns a webhook secret of an account, encrypted for storage.
	NewSecret(accountID string) []byte
	// TestBody returns the bytes of a test delivery with that webhook-id, time and payload
	// version.
	TestBody(id string, at time.Time, version int) ([]byte, error)
	// Verify returns whether a request of the bin was signed with the account's secret, and with the next one if there is one.
	Verify(w *models.WebhookSecret, got *models.BinRequest) ([]models.Verification, error)
}

// webhooks routes the pages of endpoints.
func (s *Site) webhooks(r chi.Router) {
	r.Get("/settings/webhooks", s.SignedIn(s.hooksPage))
	r.Post("/settings/webhooks", s.hooking(s.createHook))
	r.Get("/settings/webhooks/{id}", s.SignedIn(s.hookPage))
	r.Post("/settings/webhooks/{id}", s.hooking(s.changeHook))
	r.Post("/settings/webhooks/{id}/resume", s.hooking(s.pauseHook(false)))
	r.Post("/settings/webhooks/{id}/enable", s.hooking(s.enableHook))
	r.Post("/settings/webhooks/{id}/test", s.hooking(s.testHook))
	r.Post("/settings/webhooks/{id}/replay", s.hooking(s.replayHook))
	// What an account had before it fell to another plan can always be taken away.
	r.Post("/settings/webhooks/{id}/pause", s.SignedIn(s.pauseHook(true)))
	r.Post("/settings/webhooks/{id}/delete", s.SignedIn(s.deleteHook))
	s.bins(r)
}

// hook is an endpoint as the pages show it.
type hook struct{ *models.Webhook }

// State returns what matters most about it: disabled, paused, failing or active.
func (h hook) State() string {
	switch {
	case h.Status == models.WebhookDisabled:
		return "disabled"
	case h.Paused:
		return "paused"
	case h.FailingSince != nil:
		return "failing"
	}
	return "active"
}

// Title returns what it is called.
func (h hook) Title() words.Text {
	if h.Bin != nil {
		return words.T("Request bin")
	}
	return words.Plain(h.URL)
}

// hooksBody is what the page of webhooks shows.
type hooksBody struct {
	Hooks []hook
	// The account has a request bin.
	Bin  bool
	Form hookForm
	Now  time.Time
}

// hooksPage shows the page as it is opened.
func (s *Site) hooksPage(v *page.Visit) error { return s.showHooks(v, newHookForm(), nil) }

// mostHooks is more than an account may have (models.CreateWebhook).
const mostHooks = 200

// showHooks lists the endpoints beside the form for a new one.
func (s *Site) showHooks(v *page.Visit, f hookForm, problem error) error {
	b := hooksBody{Form: f, Now: s.Now()}
	found, err := s.Store.Webhooks(v.R.Context(), v.Account.ID, models.Page{Limit: mostHooks})
	if err != nil {
		return err
	}
	for _, h := range found.Webhooks {
		b.Hooks = append(b.Hooks, hook{h})
		b.Bin = b.Bin || h.Bin != nil
	}
	data := page.View{Title: "Webhooks", Script: "settings"}
	if problem != nil {
		data.Failed(problem)
		b.Form.Field = data.Field
	}
	data.Body = b
	return s.Page(v, "webhooks", data)
}

// hooking is SignedIn for what makes webhooks do more, which needs their plan.
func (s *Site) hooking(h func(*page.Visit) error) http.HandlerFunc {
	return s.SignedIn(func(v *page.Visit) error {
		if err := mayHook(v); err != nil {
			return err
		}
		return h(v)
	})
}

// mayHook returns why a visitor may have no webhooks: they belong to one plan (SPEC.md,
// "Limits").
func mayHook(v *page.Visit) error {
	if refusal := v.Account.Suspended(); refusal != nil {
		return refusal
	}
	if v.Account.Entitled() {
		return nil
	}
	return &models.Error{Code: models.CodeForbidden, Message: "webhooks belong to the Enterprise plan"}
}

// createHook adds an endpoint. Its address is checked before it is stored, and again before each
// delivery.
func (s *Site) createHook(v *page.Visit) error {
	f := readHookForm(v.R)
	ctx := v.R.Context()
	err := s.checkURL(ctx, &f)
	if err == nil && v.R.PostFormValue("again") != "yes" {
		err = s.onlyOnce(v, &f)
	}
	var h *models.Webhook
	if err == nil {
		h, err = s.Store.CreateWebhook(ctx, v.Account.ID, &models.NewWebhook{
			URL: f.URL, Events: f.events(), PayloadVersion: &f.Version, Notices: f.notices(),
		}, s.Endpoints.NewSecret(v.Account.ID))
	}
	if page.Mendable(err) {
		return s.showHooks(v, f, err)
	}
	if err != nil {
		return err
	}
	if err := s.Trail(v, "webhook added", h.Place()); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/settings/webhooks/"+h.ID+"?done=hook-added")
}

// onlyOnce returns an error if an endpoint with the address of a form would get the same events: each would arrive twice. The
// contract permits that, so the form asks.
func (s *Site) onlyOnce(v *page.Visit, f *hookForm) error {
	found, err := s.Store.Webhooks(v.R.Context(), v.Account.ID, models.Page{Limit: mostHooks})
	if err != nil {
		return err
	}
	if f.Same = f.sameAs(found.Webhooks); f.Same != nil {
		return models.InvalidBody("url", "an endpoint with this address already exists; with a second one, each event would arrive twice")
	}
	return nil
}

// checkURL refuses an address that webhooks may not be sent to. The form says how to test a receiver on one's own machine, with
// links, so the error leaves that out.
func (s *Site) checkURL(ctx context.Context, f *hookForm) error {
	err := s.Endpoints.CheckURL(ctx, f.URL)
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*models.NotPublicError](err); ok {
		f.Private = true
		return models.InvalidBody("url", refused.Message)
	}
	return models.InvalidBody("url", err.Error())
}

// day24 counts what an endpoint was sent within 24 hours.
type day24 struct{ Delivered, Open, Dropped int }

// hookBody is what the page of one webhook shows.
type hookBody struct {
	hook
	Form   hookForm
	Replay replayForm
	// The form holds something else than what is stored, which was changed meanwhile.
	Other bool
	// Deliveries of the last 24 hours.
	Today day24
	// Last are the newest deliveries.
	Last []delivery.Row
	Now  time.Time
}

// hookForms are the forms of that page, as they were sent or as they begin.
type hookForms struct {
	Change hookForm
	Replay replayForm
	// Another person changed the endpoint meanwhile, so both versions are shown.
	Other bool
}

// formsOf returns the forms as they begin.
func (s *Site) formsOf(h *models.Webhook) hookForms {
	return hookForms{Change: formOf(h), Replay: newReplayForm(s.Now())}
}

// ofHook returns the endpoint that an address names. It must be of the visitor's account, else
// it is not found.
func (s *Site) ofHook(v *page.Visit) (*models.Webhook, error) {
	return s.Store.Webhook(v.R.Context(), v.Account.ID, chi.URLParam(v.R, "id"))
}

// hookPage shows an endpoint as it is opened.
func (s *Site) hookPage(v *page.Visit) error {
	h, err := s.ofHook(v)
	if err != nil {
		return err
	}
	return s.showHook(v, h, s.formsOf(h), nil)
}

// lastShown is how many deliveries the page of an endpoint shows.
const lastShown = 10

// showHook shows an endpoint with its figures, and why something was not done.
func (s *Site) showHook(v *page.Visit, h *models.Webhook, f hookForms, problem error) error {
	b := hookBody{hook: hook{h}, Form: f.Change, Replay: f.Replay, Other: f.Other, Now: s.Now()}
	since := b.Now.Add(-day)
	for state, to := range map[models.DeliveryState]*int{
		models.DeliveryDelivered: &b.Today.Delivered, models.DeliveryPending: &b.Today.Open,
		models.DeliveryFailed: &b.Today.Open, models.DeliveryDropped: &b.Today.Dropped,
	} {
		n, err := s.Store.CountDeliveries(v.R.Context(), v.Account.ID, models.DeliveryFilter{WebhookID: &h.ID, State: &state, From: &since})
		if err != nil {
			return err
		}
		*to += n
	}
	data := page.View{Title: "Webhook", Script: "webhook", Fresh: true, At: "/settings/webhooks/" + h.ID}
	var err error
	if !v.Account.Entitled() {
		data.Script = "settings" // the plan does not include deliveries
	} else if b.Last, err = (delivery.Site{Pages: s.Pages}).Last(v, h.ID, lastShown); err != nil {
		return err
	}
	switch {
	case f.Other:
		data.Failed(&models.Error{Code: models.CodeConflict, Message: "this endpoint was changed after you opened the page; nothing was saved. Compare both versions below"})
		data.Status = http.StatusConflict
	case problem != nil:
		data.Failed(problem)
		b.Form.Field = data.Field
	}
	data.Body = b
	return s.Page(v, "webhook", data)
}

// changeHook saves the form, unless the endpoint was changed since the page was opened: two
// people must not undo each other's changes unseen.
func (s *Site) changeHook(v *page.Visit) error {
	h, err := s.ofHook(v)
	if err != nil {
		return err
	}
	f := readHookForm(v.R)
	ctx := v.R.Context()
	if h.Bin == nil {
		err = s.checkURL(ctx, &f)
	}
	if err == nil {
		events, notices := f.events(), f.notices()
		_, err = s.Store.UpdateWebhook(ctx, v.Account.ID, h.ID, models.WebhookChange{
			URL: &f.URL, Events: &events, PayloadVersion: &f.Version, Notices: &notices, Seen: &f.Seen,
		})
	}
	if errors.Is(err, models.ErrChanged) {
		return s.showBoth(v, f)
	}
	if page.Mendable(err) {
		return s.showHook(v, h, hookForms{Change: f, Replay: newReplayForm(s.Now())}, err)
	}
	if err != nil {
		return err
	}
	return s.afterHook(v, h, "webhook changed", "hook-changed")
}

// showBoth shows an endpoint that was changed since the form was opened: as it is now, and as it
// was to be saved. Saving again replaces the first by the second.
func (s *Site) showBoth(v *page.Visit, f hookForm) error {
	h, err := s.ofHook(v)
	if err != nil {
		return err
	}
	f.Seen = h.Version()
	return s.showHook(v, h, hookForms{Change: f, Replay: newReplayForm(s.Now()), Other: true}, models.ErrChanged)
}

// afterHook writes a line in the trail and leads back to the endpoint's page.
func (s *Site) afterHook(v *page.Visit, h *models.Webhook, action, said string) error {
	if err := s.Trail(v, action, h.Place()); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/settings/webhooks/"+h.ID+"?done="+said)
}

// pauseHook returns the handler of pausing, or of resuming.
func (s *Site) pauseHook(pause bool) func(*page.Visit) error {
	action, said := "webhook resumed", "hook-resumed"
	if pause {
		action, said = "webhook paused", "hook-paused"
	}
	return func(v *page.Visit) error {
		h, err := s.ofHook(v)
		if err != nil {
			return err
		}
		if _, err := s.Store.UpdateWebhook(v.R.Context(), v.Account.ID, h.ID, models.WebhookChange{Paused: &pause}); err != nil {
			return err
		}
		return s.afterHook(v, h, action, said)
	}
}

// enableHook lets an endpoint be tried again that was disabled.
func (s *Site) enableHook(v *page.Visit) error {
	h, err := s.ofHook(v)
	if err != nil {
		return err
	}
	if _, err := s.Store.EnableWebhook(v.R.Context(), v.Account.ID, h.ID); err != nil {
		return err
	}
	return s.afterHook(v, h, "webhook enabled", "hook-enabled")
}

// testHook sends a test and leads to its page, which shows how it goes.
func (s *Site) testHook(v *page.Visit) error {
	h, err := s.ofHook(v)
	if err != nil {
		return err
	}
	d, err := s.Store.CreateTestDelivery(v.R.Context(), v.Account.ID, h.ID, s.Endpoints.TestBody)
	if page.Mendable(err) {
		return s.showHook(v, h, s.formsOf(h), err)
	}
	if err != nil {
		return err
	}
	if err := s.Trail(v, "webhook tested", h.Place()); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/deliveries/"+d.ID)
}

// deleteHook deletes an endpoint with its open deliveries.
func (s *Site) deleteHook(v *page.Visit) error {
	h, err := s.ofHook(v)
	if err != nil {
		return err
	}
	if err := s.Store.DeleteWebhook(v.R.Context(), v.Account.ID, h.ID); err != nil {
		return err
	}
	if err := s.Trail(v, "webhook deleted", h.Place()); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/settings/webhooks?done=hook-deleted")
}
