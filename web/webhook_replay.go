package web

import (
	"errors"
	"html/template"
	"strconv"
	"time"

	"rollcall/internal/plural"
	"rollcall/models"
	"rollcall/web/page"
)

// civilTime is how a browser writes the value of a field datetime-local. It is always Georgia's
// time here.
const civilTime = "2006-01-02T15:04"

// replayForm asks for deliveries of some time to be sent once more.
type replayForm struct {
	// In civilTime, or what was typed instead.
	From, To           string
	Dropped, Delivered bool
	// Count is that of this form.
	Counted bool
	// Deliveries that would be sent again, shown before the reader confirms.
	Count int
	// Why nothing was counted; empty: it was, or was not asked.
	Problem string
	// Field that Problem is about.
	Field string
}

// newReplayForm offers what was dropped in the last day.
func newReplayForm(now time.Time) replayForm {
	local := now.In(models.Georgia)
	return replayForm{From: local.Add(-day).Format(civilTime), To: local.Add(time.Minute).Format(civilTime), Dropped: true}
}

// Wrong is page.View.Wrong for the form's own message.
func (f replayForm) Wrong(name string) template.HTMLAttr {
	if f.Problem == "" || f.Field != name {
		return ""
	}
	return `aria-invalid="true" aria-describedby="replay-problem"`
}

// replay returns what the form asks of an endpoint. An empty time does not narrow.
func (f replayForm) replay(webhookID string) (models.Replay, error) {
	r := models.Replay{WebhookID: webhookID}
	for _, end := range []struct {
		text, name string
		to         **time.Time
	}{{f.From, "from", &r.From}, {f.To, "to", &r.To}} {
		if end.text == "" {
			continue
		}
		at, err := time.ParseInLocation(civilTime, end.text, models.Georgia)
		if err != nil {
			return r, models.InvalidBody(end.name, "write the times as 2026-03-08T14:30, or leave them empty")
		}
		*end.to = &at
	}
	if f.Dropped {
		r.States = append(r.States, models.DeliveryDropped)
	}
	if f.Delivered {
		r.States = append(r.States, models.DeliveryDelivered)
	}
	if len(r.States) == 0 {
		return r, models.InvalidBody("states", "choose what to send: what was dropped, what was delivered, or both")
	}
	return r, nil
}

// replayHook counts first and asks. It sends only if the number is still the one that the reader
// confirmed; otherwise it counts again. A receiver must not get thousands of deliveries that
// nobody saw coming.
func (s *Site) replayHook(v *page.Visit) error {
	h, err := s.ofHook(v)
	if err != nil {
		return err
	}
	r := v.R
	f := replayForm{
		From: r.PostFormValue("from"), To: r.PostFormValue("to"),
		Dropped: r.PostFormValue("dropped") != "", Delivered: r.PostFormValue("delivered") != "",
	}
	asked, err := f.replay(h.ID)
	if err == nil {
		asked.DryRun = true
		f.Count, err = s.Store.Replay(r.Context(), v.Account.ID, asked)
	}
	if err == nil && r.PostFormValue("sure") == strconv.Itoa(f.Count) && f.Count > 0 {
		asked.DryRun = false
		if f.Count, err = s.Store.Replay(r.Context(), v.Account.ID, asked); err == nil {
			return s.replayed(v, h, f.Count)
		}
	}
	if page.Mendable(err) {
		f.Problem = page.Sentence(page.Said(err))
		if known, ok := errors.AsType[*models.Error](err); ok {
			f.Field = known.Field
		}
	} else if err != nil {
		return err
	}
	f.Counted = err == nil
	return s.showHook(v, h, hookForms{Change: formOf(h), Replay: f}, nil)
}

// replayed writes the line in the trail that the API writes, and leads back to the list that
// shows how it goes.
func (s *Site) replayed(v *page.Visit, h *models.Webhook, count int) error {
	if err := s.Trail(v, "deliveries sent again", plural.Of(count, "delivery", "deliveries")+" to "+h.Place()); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/settings/webhooks/"+h.ID+"?done=hook-replayed#replay")
}
