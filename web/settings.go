package web

import (
	"bytes"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// settings routes the pages of account settings.
func (s *Site) settings(r chi.Router) {
	r.Get("/settings", s.SignedIn(func(v *page.Visit) error { return page.Redirect(v.W, v.R, "/settings/keys") }))
	r.Get("/settings/keys", s.SignedIn(s.keysPage))
	r.Post("/settings/keys", s.SignedIn(s.createKey))
	r.Post("/settings/keys/revoke-made-by", s.Owner(s.revokeMadeBy))
	r.Post("/settings/keys/{id}/revoke", s.SignedIn(s.revokeKey))
	r.Post("/settings/keys/{id}/replace", s.SignedIn(s.replaceKey))
	r.Post("/settings/calendars/{id}/end", s.SignedIn(s.endCalendar))
	r.Get("/settings/usage", s.SignedIn(s.usagePage))
	r.Get("/settings/members", s.SignedIn(s.membersPage))
	r.Post("/settings/members", s.Owner(s.invite))
	r.Post("/settings/members/links/{id}/take-back", s.Owner(s.takeBack))
	r.Post("/settings/members/{id}/role", s.Owner(s.changeRole))
	r.Post("/settings/members/{id}/remove", s.Owner(s.removeMember))
	r.Post("/settings/members/{id}/reset", s.Owner(s.resetMember))
	r.Get("/settings/trail", s.SignedIn(s.trailPage))
	r.Get("/settings/trail/export", s.SignedIn(s.exportTrail))
	r.Get("/settings/you", s.SignedIn(s.youPage))
	r.Post("/settings/you/password", s.SignedIn(s.changePassword))
	r.Post("/settings/you/everywhere", s.SignedIn(s.signOutEverywhere))
}

// usageBody is what the page of usage shows.
type usageBody struct {
	*models.Usage
	// Sums of the last 24 hours; Most is the largest hour, which scales the chart.
	Requests, Limited, Most int
	Bars                    []usageBar
}

// usageBar is one hour of the chart, in its coordinates.
type usageBar struct {
	models.UsageHour
	X                     float64
	Y, Height             float64
	LimitedY, LimitedHigh float64
	// Label of the axis; empty for most hours.
	Label words.Text
}

// Size of the chart of usage, in its own units.
const (
	usageWidth  = 720.0
	usageHeight = 180.0
	// usageStep is the width of an hour.
	usageStep = usageWidth / 24
)

// usagePage shows the requests of the last 24 hours as a chart. It is drawn here, so it needs no
// script.
func (s *Site) usagePage(v *page.Visit) error {
	u, err := s.Usage.Usage(v.R.Context(), v.Account)
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
			bar.Label = words.Hour(h.Hour)
		}
		b.Bars = append(b.Bars, bar)
	}
	return s.Page(v, "usage", page.View{Title: "Usage", Fresh: true, Body: b})
}

// youBody is what the page of a user's own things shows.
type youBody struct {
	Sessions []sessionRow
	// This site has passkeys.
	Passkeys bool
	Keys     []passkeyRow
	Agent    string
	Now      time.Time
}

// sessionRow is a session; This marks the one of the request.
type sessionRow struct {
	models.Session
	This bool
}

// youPage shows the page as it is opened.
func (s *Site) youPage(v *page.Visit) error { return s.showYou(v, page.View{}) }

// showYou shows the user's sessions and passkeys, and data's message.
func (s *Site) showYou(v *page.Visit, data page.View) error {
	sessions, err := s.Store.Sessions(v.R.Context(), v.User.ID)
	if err != nil {
		return err
	}
	b := youBody{Now: s.Now(), Passkeys: s.Passkeys != nil, Agent: v.R.UserAgent()}
	if b.Passkeys {
		keys, err := s.Store.Passkeys(v.R.Context(), v.User.ID)
		if err != nil {
			return err
		}
		b.Keys = passkeyRows(keys)
	}
	for _, n := range sessions {
		b.Sessions = append(b.Sessions, sessionRow{Session: n, This: bytes.Equal(n.SHA256, v.Session.SHA256)})
	}
	if data.Linked, err = s.Store.HasEnterLink(v.R.Context(), v.User.ID); err != nil {
		return err
	}
	data.Title, data.Script, data.Body = "You", "you", b
	return s.Page(v, "you", data)
}

// changePassword checks the current password first, within the limits of signing in: an open
// session alone must not be enough. It ends every session; this browser gets a new one.
func (s *Site) changePassword(v *page.Visit) error {
	ctx := v.R.Context()
	err := s.Sessions.Confirm(ctx, v.User, v.R.PostFormValue("current"))
	var hash string
	if err == nil && v.R.PostFormValue("password") == v.R.PostFormValue("current") {
		err = models.Invalid("password", "the new password is the same as the current one; choose another")
	}
	if err == nil {
		hash, err = s.newPassword(v.R, v.User.Email)
	}
	switch code := models.CodeOf(err); {
	case err == nil:
	case code == models.CodeInvalidParameter || code == models.CodeRateLimited:
		var data page.View
		data.Failed(err)
		return s.showYou(v, data)
	default:
		return err
	}
	if err := s.Store.SetPassword(ctx, v.User, hash); err != nil {
		return err
	}
	cookie, err := s.Sessions.Begin(ctx, v.User, v.R.UserAgent()) // every session has ended; this browser gets a new one
	if err != nil {
		return err
	}
	http.SetCookie(v.W, cookie)
	return page.Redirect(v.W, v.R, "/settings/you?done=password")
}

// signOutEverywhere ends all sessions of the reader, and the links that sign in.
func (s *Site) signOutEverywhere(v *page.Visit) error {
	if err := s.Store.EndSessions(v.R.Context(), v.User); err != nil {
		return err
	}
	cookie, err := s.Sessions.End(v.R)
	if err != nil {
		return err
	}
	http.SetCookie(v.W, cookie)
	return page.Redirect(v.W, v.R, "/sign-in?done=everywhere")
}

// link returns the address of a new sign-in link and stores its hash. The address itself is
// shown once and not stored.
func (s *Site) link(v *page.Visit, l *models.SignInLink, path string, life time.Duration) (string, error) {
	token := auth.NewToken()
	l.SHA256, l.AccountID, l.CreatedBy, l.ExpiresAt = auth.HashToken(token), v.Account.ID, v.User.Email, s.Now().Add(life)
	if err := s.Store.CreateSignInLink(v.R.Context(), l); err != nil {
		return "", err
	}
	return s.Root + path + token, nil
}
