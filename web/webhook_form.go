package web

import (
	"html/template"
	"net/http"
	"slices"
	"strings"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// choice is a box of a form.
type choice struct {
	// Word is as the contract has it; Says is for people.
	Word   string
	Says   words.Text
	Chosen bool
}

// hookForm is what the forms of webhooks hold.
type hookForm struct {
	URL             string
	Events, Notices []choice
	// It is of a request bin, whose address stays.
	Bin bool
	// Payload version of the body: 1 or 2.
	Version int
	// Field that the last mistake was in.
	Field string
	// The address may be of the reader's own machine: the form says how to test a receiver there.
	Private bool
	// Another endpoint has the address already: the form asks before it adds a second one.
	Same *models.Webhook
	// models.Webhook.Version when the form was made; empty: of a new endpoint.
	Seen string
}

// newHookForm returns the form for a new endpoint: all events, in the form of /v1.
func newHookForm() hookForm { return hookFormOf("", models.EventKinds(), nil, 1) }

// formOf returns the form of an endpoint as it is.
func formOf(h *models.Webhook) hookForm {
	f := hookFormOf(h.URL, h.Events, h.Notices, h.PayloadVersion)
	f.Seen, f.Bin = h.Version(), h.Bin != nil
	return f
}

// hookFormOf returns a form with these values.
func hookFormOf(address string, events []models.EventKind, notices []models.Notice, version int) hookForm {
	f := hookForm{URL: address, Version: version}
	for _, o := range fact.EventOffers {
		f.Events = append(f.Events, choice{o.Word, o.Says, slices.Contains(events, models.EventKind(o.Word))})
	}
	for _, o := range fact.NoticeOffers {
		f.Notices = append(f.Notices, choice{o.Word, o.Says, slices.Contains(notices, models.Notice(o.Word))})
	}
	return f
}

// readHookForm reads a form that was sent. Words that no box has are left out.
func readHookForm(r *http.Request) hookForm {
	version := 1
	if r.PostFormValue("version") == "2" {
		version = 2
	}
	events := make([]models.EventKind, 0, len(r.PostForm["events"]))
	for _, w := range r.PostForm["events"] {
		events = append(events, models.EventKind(w))
	}
	notices := make([]models.Notice, 0, len(r.PostForm["notices"]))
	for _, w := range r.PostForm["notices"] {
		notices = append(notices, models.Notice(w))
	}
	f := hookFormOf(strings.TrimSpace(r.PostFormValue("url")), events, notices, version)
	f.Seen, f.Bin = r.PostFormValue("seen"), r.PostFormValue("bin") == "yes"
	return f
}

// sameAs returns an endpoint that has the address of the form already and would get some of the same events; nil if none.
func (f hookForm) sameAs(all []*models.Webhook) *models.Webhook {
	for _, h := range all {
		if h.URL == f.URL && slices.ContainsFunc(h.Events, func(e models.EventKind) bool { return slices.Contains(f.events(), e) }) {
			return h
		}
	}
	return nil
}

// Wrong returns the attributes of a field, as page.View.Wrong does.
func (f hookForm) Wrong(name string) template.HTMLAttr { return page.Wrong(f.Field == name) }

// AnyNotice reports whether a notice is chosen.
func (f hookForm) AnyNotice() bool { return len(f.notices()) > 0 }

// events returns the chosen kinds, never nil: an empty choice is a mistake and not "all".
func (f hookForm) events() []models.EventKind {
	out := []models.EventKind{}
	for _, c := range f.Events {
		if c.Chosen {
			out = append(out, models.EventKind(c.Word))
		}
	}
	return out
}

// notices returns the chosen notices.
func (f hookForm) notices() []models.Notice {
	out := []models.Notice{}
	for _, c := range f.Notices {
		if c.Chosen {
			out = append(out, models.Notice(c.Word))
		}
	}
	return out
}
