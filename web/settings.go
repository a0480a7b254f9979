package web

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/models"
)

func (s *Site) settings(r chi.Router) {
	r.Get("/settings", s.signedIn(func(v *visit) error { return redirect(v.w, v.r, "/settings/keys") }))
	r.Get("/settings/keys", s.signedIn(s.keysPage))
	r.Post("/settings/keys", s.signedIn(s.createKey))
	r.Post("/settings/keys/{id}/revoke", s.signedIn(s.revokeKey))
	r.Post("/settings/keys/{id}/replace", s.signedIn(s.replaceKey))
	r.Post("/settings/calendars/{id}/end", s.signedIn(s.endCalendar))
	r.Get("/settings/usage", s.signedIn(s.usagePage))
	r.Get("/settings/members", s.signedIn(s.membersPage))
	r.Post("/settings/members", s.owner(s.invite))
	r.Post("/settings/members/links/{id}/take-back", s.owner(s.takeBack))
	r.Post("/settings/members/{id}/role", s.owner(s.changeRole))
	r.Post("/settings/members/{id}/remove", s.owner(s.removeMember))
	r.Post("/settings/members/{id}/reset", s.owner(s.resetMember))
	r.Get("/settings/trail", s.signedIn(s.trailPage))
	r.Get("/settings/you", s.signedIn(s.youPage))
	r.Post("/settings/you/password", s.signedIn(s.changePassword))
	r.Post("/settings/you/everywhere", s.signedIn(s.signOutEverywhere))
}

// usageBody is what the page of usage shows.
type usageBody struct {
	*models.Usage
	Requests, Limited, Most int
	Bars                    []usageBar
}

// usageBar is one hour of the chart, in its coordinates.
type usageBar struct {
	models.UsageHour
	X                     float64
	Y, Height             float64
	LimitedY, LimitedHigh float64
	Label                 string // of the axis; empty for most hours
}

// Size of the chart of usage, in its own units.
const (
	usageWidth  = 720.0
	usageHeight = 180.0
	// UsageStep is the width of an hour.
	usageStep = usageWidth / 24
)

func (s *Site) usagePage(v *visit) error {
	u, err := s.Usage.Usage(v.r.Context(), v.Account)
	if err != nil {
		return err
	}
	b := usageBody{Usage: u}
	for _, h := range u.LastDay {
		b.Requests += h.Requests
		b.Limited += h.Limited
		b.Most = max(b.Most, h.Requests+h.Limited)
	}
	for i, h := range u.LastDay {
		bar := usageBar{UsageHour: h, X: float64(i) * usageStep}
		if b.Most > 0 {
			bar.Height = usageHeight * float64(h.Requests) / float64(b.Most)
			bar.LimitedHigh = usageHeight * float64(h.Limited) / float64(b.Most)
		}
		bar.Y, bar.LimitedY = usageHeight-bar.Height, usageHeight-bar.Height-bar.LimitedHigh
		if local := h.Hour.In(models.Georgia); local.Hour()%6 == 0 {
			bar.Label = local.Format("3 PM")
		}
		b.Bars = append(b.Bars, bar)
	}
	return s.page(v, "usage", view{Title: "Usage", Fresh: true, Body: b})
}

// trailSize is how many entries a page of the trail shows.
const trailSize = 50

func (s *Site) trailPage(v *visit) error {
	before, err := strconv.ParseInt("0"+v.r.URL.Query().Get("before"), 10, 64)
	if err != nil {
		return errNoPage
	}
	events, err := s.Store.AccountEvents(v.r.Context(), v.Account.ID, before, trailSize+1)
	if err != nil {
		return err
	}
	body := struct {
		Events []models.AccountEvent
		Older  int64
		Newer  bool
	}{Events: events, Newer: before > 0}
	if len(events) > trailSize {
		body.Events = events[:trailSize]
		body.Older = events[trailSize-1].ID
	}
	return s.page(v, "trail", view{Title: "Audit trail", Body: body})
}

// youBody is what the page of a user's own things shows.
type youBody struct {
	Sessions []sessionRow
	Passkeys bool // this site has them
	Keys     []passkeyRow
	Agent    string
	Now      time.Time
}

type sessionRow struct {
	models.Session
	This bool
}

func (s *Site) youPage(v *visit) error { return s.showYou(v, view{}) }

func (s *Site) showYou(v *visit, data view) error {
	sessions, err := s.Store.Sessions(v.r.Context(), v.User.ID)
	if err != nil {
		return err
	}
	b := youBody{Now: s.Now(), Passkeys: s.Passkeys != nil, Agent: v.r.UserAgent()}
	if b.Passkeys {
		keys, err := s.Store.Passkeys(v.r.Context(), v.User.ID)
		if err != nil {
			return err
		}
		b.Keys = passkeyRows(keys)
	}
	for _, n := range sessions {
		b.Sessions = append(b.Sessions, sessionRow{Session: n, This: bytes.Equal(n.SHA256, v.Session.SHA256)})
	}
	if data.Linked, err = s.Store.HasEnterLink(v.r.Context(), v.User.ID); err != nil {
		return err
	}
	data.Title, data.Script, data.Body = "You", "you", b
	return s.page(v, "you", data)
}

func (s *Site) changePassword(v *visit) error {
	ctx := v.r.Context()
	err := s.Sessions.Confirm(ctx, s.Proxies.Client(v.r), v.User, v.r.PostFormValue("current"))
	var hash string
	if err == nil && v.r.PostFormValue("password") == v.r.PostFormValue("current") {
		err = models.Invalid("password", "the new password is the same as the current one; choose another")
	}
	if err == nil {
		hash, err = s.newPassword(v.r, v.User.Email)
	}
	switch code := models.CodeOf(err); {
	case err == nil:
	case code == models.CodeInvalidParameter || code == models.CodeRateLimited:
		var data view
		data.failed(err)
		return s.showYou(v, data)
	default:
		return err
	}
	if err := s.Store.SetPassword(ctx, v.User, hash); err != nil {
		return err
	}
	cookie, err := s.Sessions.Begin(ctx, v.User, v.r.UserAgent()) // every session ended; this browser goes on with a new one
	if err != nil {
		return err
	}
	http.SetCookie(v.w, cookie)
	return redirect(v.w, v.r, "/settings/you?done=password")
}

func (s *Site) signOutEverywhere(v *visit) error {
	if err := s.Store.EndSessions(v.r.Context(), v.User); err != nil {
		return err
	}
	cookie, err := s.Sessions.End(v.r)
	if err != nil {
		return err
	}
	http.SetCookie(v.w, cookie)
	return redirect(v.w, v.r, "/sign-in?done=everywhere")
}

// record adds to the trail of the visitor's account.
func (s *Site) record(v *visit, action, subject string) error {
	return s.Store.RecordEvent(v.r.Context(), models.AccountEvent{
		AccountID: v.Account.ID, Actor: v.User.Email, Action: action, Subject: subject,
	})
}

// link makes the address of a sign-in link and stores its hash.
func (s *Site) link(v *visit, l *models.SignInLink, path string, life time.Duration) (string, error) {
	token := auth.NewToken()
	l.SHA256, l.AccountID, l.CreatedBy, l.ExpiresAt = auth.HashToken(token), v.Account.ID, v.User.Email, s.Now().Add(life)
	if err := s.Store.CreateSignInLink(v.r.Context(), l); err != nil {
		return "", err
	}
	return s.Root + path + token, nil
}
