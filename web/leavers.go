package web

import (
	"strings"

	"rollcall/models"
	"rollcall/web/page"
)

// leaver is somebody who is no member any more, and whose keys still open the account. Nothing tells whether the person
// kept a copy of them, so owners see them until they are revoked or replaced.
type leaver struct {
	Email string
	// Keys are those in use that the person made, newest first.
	Keys []*models.APIKey
}

// leavers returns who of the makers of keys has left, for owners; nothing for others.
func (s *Site) leavers(v *page.Visit, keys []*models.APIKey) ([]leaver, error) {
	if v.User.Role != models.Owner {
		return nil, nil
	}
	users, err := s.Store.Users(v.R.Context(), v.Account.ID)
	if err != nil {
		return nil, err
	}
	present := map[string]bool{models.CommandLine: true}
	for _, u := range users {
		present[strings.ToLower(u.Email)] = true
	}
	var left []leaver
	at := map[string]int{}
	for _, k := range keys {
		who := strings.ToLower(k.CreatedBy)
		if present[who] || !k.Usable(s.Now()) {
			continue
		}
		if _, known := at[who]; !known {
			at[who] = len(left)
			left = append(left, leaver{Email: k.CreatedBy})
		}
		left[at[who]].Keys = append(left[at[who]].Keys, k)
	}
	return left, nil
}

// revokeMadeBy ends all keys that one person made, at once.
func (s *Site) revokeMadeBy(v *page.Visit) error {
	email := v.R.PostFormValue("email")
	ended, err := s.Store.RevokeKeysOf(v.R.Context(), v.Account.ID, email, s.Now())
	if err != nil {
		return err
	}
	if len(ended) == 0 {
		return s.showKeys(v, keysBody{}, &models.Error{Code: models.CodeConflict, Message: "this person has no keys in use; nothing was revoked"})
	}
	for _, k := range ended {
		if err := s.ended(v, k, 0); err != nil {
			return err
		}
	}
	return page.Redirect(v.W, v.R, "/settings/keys?done=revoked-all")
}
