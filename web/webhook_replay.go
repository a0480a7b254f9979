package web

import (
	"errors"
	"html/template"
	"strconv"
	"time"

	"rollcall/models"
	"rollcall/web/page"
)

// civilTime is how a browser writes the value of a field datetime-local; here it is always Georgia's.
const civilTime = "2006-01-02T15:04"

// replayForm asks for what an endpoint was sent, or should have been, in some time to be sent once more.
type replayForm struct {
	From, To           string // civilTime, or what was typed instead
	Dropped, Delivered bool
	Counted            bool // Count is that of this form
	// Deliveries that would be sent again; shown before the reader confirms.
	Count   int
	Problem string // why nothing was counted; empty: it was, or was not asked
	Field   string // that Problem is about
}

// newReplayForm offers what was dropped in the last day.
func newReplayForm(now time.Time) replayForm {
	local := now.In(models.Georgia)
	return replayForm{From: local.Add(-day).Format(civilTime), To: local.Add(time.Minute).Format(civilTime), Dropped: true}
}

// Wrong is view.Wrong, of the form's own message.
func (f replayForm) Wrong(name string) template.HTMLAttr {
	if f.Problem == "" || f.Field != name {
		return ""
	}
	return `aria-invalid="true" aria-describedby="replay-problem"`
}

// replay is what the form asks of a registration.
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

// replayHook counts first. What is sent is what was counted: when that has changed meanwhile, it counts again.
func (s *Site) replayHook(v *page.Visit) error {
	h, err := s.ofHook(v)
	if err != nil {
		return err
	}
	r := v.R
	f := replayForm{From: r.PostFormValue("from"), To: r.PostFormValue("to"), Dropped: r.PostFormValue("dropped") != "", Delivered: r.PostFormValue("delivered") != ""}
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
	if mendable(err) {
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

// replayed leaves its trace as the API's replay does, and goes back to the list that shows how it goes.
func (s *Site) replayed(v *page.Visit, h *models.Webhook, count int) error {
	if err := s.record(v, "deliveries sent again", strconv.Itoa(count)+" "+h.ID); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/settings/webhooks/"+h.ID+"?done=hook-replayed")
}
