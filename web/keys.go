package web

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// keysBody is what the page of API keys shows.
type keysBody struct {
	// Ended ones were revoked or have expired; both lists are newest first.
	Active, Ended []*models.APIKey
	Calendars     []*models.CalendarSubscription
	// A key just made: its text is shown now and never again.
	New string
	// Label of the key that was just made.
	NewLabel string
	// The key that the new one replaces; nil: none.
	Old *models.APIKey
	// Label that was typed, after a mistake.
	Label string
	// Scopes that the form offers beside reading.
	Offered []models.Scope
	// Id of the key that a mistake was about.
	Asked string
	// The password is asked for before a key is made.
	Confirm bool
	Left    []leaver
	Now     time.Time
	// Gone is the key that was revoked a moment ago; nil: none was.
	Gone *models.APIKey
}

// lives are the expiries that the form offers; overlaps are the times that a replaced key may
// work on.
var (
	lives    = map[string]time.Duration{"never": 0, "30d": 30 * day, "90d": 90 * day, "365d": 365 * day}
	overlaps = map[string]time.Duration{"now": 0, "1h": time.Hour, "1d": day, "7d": 7 * day}
)

// day is 24 hours: keys need no civil days.
const day = 24 * time.Hour

// keysPage shows the page as it is opened.
func (s *Site) keysPage(v *page.Visit) error { return s.showKeys(v, keysBody{}, nil) }

// showKeys shows the page, and problem, why something was not done.
func (s *Site) showKeys(v *page.Visit, b keysBody, problem error) error {
	keys, err := s.Store.Keys(v.R.Context(), v.Account.ID)
	if err != nil {
		return err
	}
	if b.Calendars, err = s.liveCalendars(v); err != nil {
		return err
	}
	b.Now, b.Offered = s.Now(), models.Scopes()[1:]
	if b.Confirm, err = s.asks(v); err != nil {
		return err
	}
	if b.Left, err = s.leavers(v, keys); err != nil {
		return err
	}
	for _, k := range keys {
		if k.Usable(b.Now) {
			b.Active = append(b.Active, k)
		} else {
			b.Ended = append(b.Ended, k)
		}
	}
	gone := v.R.URL.Query().Get("key")
	if i := slices.IndexFunc(b.Ended, func(k *models.APIKey) bool { return k.ID == gone }); i >= 0 {
		b.Gone = b.Ended[i]
	}
	data := page.View{Title: "API keys", Script: "settings", At: "/settings/keys", Body: b}
	if problem != nil {
		data.Failed(problem)
		if models.CodeOf(problem) == models.CodeConflict {
			data.Status = http.StatusConflict
		}
	}
	return s.Page(v, "keys", data)
}

// Last returns the key in use that works longest, where every one ends; nil: one does not, or none is in use. Without is left out.
func (b keysBody) Last(without *models.APIKey) (last *models.APIKey) {
	for _, k := range b.Active {
		switch {
		case k == without:
		case k.RevokedAt == nil:
			return nil
		case last == nil || k.RevokedAt.After(*last.RevokedAt):
			last = k
		}
	}
	return last
}

// Replaced reports whether another key took the place of k: it ends, and a newer one in use has its label.
func (b keysBody) Replaced(k *models.APIKey) bool {
	return k.RevokedAt != nil && slices.ContainsFunc(b.Active, func(o *models.APIKey) bool {
		return o.Label == k.Label && o.CreatedAt.After(k.CreatedAt)
	})
}

// mayMakeKeys returns why a visitor may not make keys: settings make them for Enterprise
// accounts only (DECISIONS.md, "Keys, plans, limits, errors").
func mayMakeKeys(v *page.Visit) error {
	if refusal := v.Account.Suspended(); refusal != nil {
		return refusal
	}
	if v.Account.Entitled() {
		return nil
	}
	return &models.Error{Code: models.CodeForbidden, Message: "API keys belong to the Enterprise plan"}
}

// createKey makes a key that lives as long as was chosen.
func (s *Site) createKey(v *page.Visit) error {
	if err := mayMakeKeys(v); err != nil {
		return err
	}
	label := strings.TrimSpace(v.R.PostFormValue("label"))
	life, known := lives[v.R.PostFormValue("expires")]
	switch {
	case label == "":
		return s.showKeys(v, keysBody{}, models.Invalid("label", "give the key a label that says what it is for"))
	case !known:
		return s.showKeys(v, keysBody{Label: label}, models.Invalid("expires", "choose when the key expires"))
	}
	// A form without boxes ticked asks for a key that reads records alone.
	scopes, err := models.ParseScopes(append([]string{string(models.ScopeRead)}, v.R.PostForm["scope"]...)) //nolint:forbidigo // the form that came, not the call of that name
	if err != nil {
		return s.showKeys(v, keysBody{Label: label}, err)
	}
	if err := s.confirmed(v, "current"); err != nil {
		return s.orKeys(v, keysBody{Label: label}, err)
	}
	return s.makeKey(v, &models.APIKey{Label: label, Scopes: scopes}, life, nil)
}

// makeKey stores a new key with the label and scopes of k, and of the kind of its prefix if it has one. It shows the text,
// once (SPEC.md, "Authentication"). old is the key that it replaces, nil if none.
func (s *Site) makeKey(v *page.Visit, k *models.APIKey, life time.Duration, old *models.APIKey) error {
	action := "key created"
	if old != nil {
		action = "key regenerated"
	}
	key := auth.NewKeyLike(k.Prefix)
	sha := key.SHA256()
	k.AccountID, k.Prefix, k.SHA256, k.CreatedBy = v.Account.ID, key.Prefix(), sha[:], v.User.Email
	if life > 0 {
		end := s.Now().Add(life).UTC()
		k.ExpiresAt = &end
	}
	err := s.Store.CreateKey(v.R.Context(), k)
	if models.CodeOf(err) == models.CodeInvalidParameter {
		return s.showKeys(v, keysBody{Label: k.Label}, err)
	}
	if err != nil {
		return err
	}
	if err := s.Trail(v, action, k.Label+" ("+k.Prefix+"…)"); err != nil {
		return err
	}
	return s.showKeys(v, keysBody{New: key.Reveal(), NewLabel: k.Label, Old: old}, nil)
}

// orKeys shows an error that the reader can mend on the page of keys.
func (s *Site) orKeys(v *page.Visit, b keysBody, err error) error {
	switch models.CodeOf(err) {
	case models.CodeConflict, models.CodeInvalidParameter, models.CodeRateLimited:
		return s.showKeys(v, b, err)
	}
	return err
}

// manages reports whether a visitor may revoke and replace a key: owners every one, members those that they made.
func manages(u *models.User, k *models.APIKey) bool {
	return u.Role == models.Owner || strings.EqualFold(u.Email, k.CreatedBy)
}

// key returns a usable key of the visitor's account. CodeConflict: it has ended since the page
// was opened. CodeForbidden: another person made it, and the visitor is no owner.
func (s *Site) key(v *page.Visit) (*models.APIKey, error) {
	keys, err := s.Store.Keys(v.R.Context(), v.Account.ID)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		if k.ID != chi.URLParam(v.R, "id") {
			continue
		}
		if !manages(v.User, k) {
			return nil, &models.Error{Code: models.CodeForbidden, Message: "only an owner of the account, or the person who created this key, can revoke or replace it"}
		}
		if !k.Usable(s.Now()) { // the page was opened before it ended
			return nil, &models.Error{Code: models.CodeConflict, Message: "this key has expired or was revoked already"}
		}
		return k, nil
	}
	return nil, models.NotFound("key not found")
}

// revokeKey ends a key at once, in every process within a second.
func (s *Site) revokeKey(v *page.Visit) error {
	k, err := s.key(v)
	if err != nil {
		return s.orKeys(v, keysBody{}, err)
	}
	if err := s.end(v, k, 0); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/settings/keys?done=revoked&key="+k.ID)
}

// end revokes a key now or after an overlap.
func (s *Site) end(v *page.Visit, k *models.APIKey, after time.Duration) error {
	if err := s.Store.RevokeKey(v.R.Context(), k.ID, s.Now().Add(after)); err != nil {
		return err
	}
	return s.ended(v, k, after)
}

// ended makes this process forget a key that ended, and writes the trail.
func (s *Site) ended(v *page.Visit, k *models.APIKey, after time.Duration) error {
	s.Keys.Forget(k.ID)
	action := "key revoked"
	if after > 0 {
		action = "old key kept for " + words.Span(after).String()
	}
	return s.Trail(v, action, k.Label+" ("+k.Prefix+"…)")
}

// replaceKey makes a new key like an old one. The old one works on for the overlap that was
// chosen, so that programs can change over without a gap. Its expiry is not moved by that.
func (s *Site) replaceKey(v *page.Visit) error {
	if err := mayMakeKeys(v); err != nil {
		return err
	}
	old, err := s.key(v)
	if err != nil {
		return s.orKeys(v, keysBody{}, err)
	}
	overlap, known := overlaps[v.R.PostFormValue("overlap")]
	if !known {
		return s.showKeys(v, keysBody{Asked: old.ID}, models.Invalid("overlap", "choose how long the old key keeps working"))
	}
	if err := s.confirmed(v, "current-"+old.ID); err != nil {
		return s.orKeys(v, keysBody{Asked: old.ID}, err)
	}
	var life time.Duration
	if old.ExpiresAt != nil {
		life = old.ExpiresAt.Sub(old.CreatedAt)
		overlap = min(overlap, old.ExpiresAt.Sub(s.Now())) // it lives no longer for being replaced
	}
	// Of two who press the button at once, one replaces the key.
	err = s.Store.EndKeyOnce(v.R.Context(), old.ID, s.Now().Add(overlap))
	if models.CodeOf(err) == models.CodeConflict {
		return s.showKeys(v, keysBody{}, err)
	}
	if err == nil {
		err = s.ended(v, old, overlap)
	}
	if err != nil {
		return err
	}
	end := s.Now().Add(overlap)
	old.RevokedAt = &end
	return s.makeKey(v, &models.APIKey{Label: old.Label, Prefix: old.Prefix, Scopes: old.Scopes}, life, old)
}
