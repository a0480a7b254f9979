package web

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/internal/server"
	"rollcall/models"
	"rollcall/web/page"
)

// passkeys routes what scripts ask, in JSON.
func (s *Site) passkeys(r chi.Router) {
	if s.Passkeys == nil {
		return
	}
	r.Post("/sign-in/passkey/begin", s.spoken(s.beginPasskeySignIn))
	r.Post("/sign-in/passkey", s.spoken(s.passkeySignIn))
	r.Post("/settings/you/passkeys/begin", s.spoken(s.visiting(s.beginPasskey)))
	r.Post("/settings/you/passkeys", s.spoken(s.visiting(s.addPasskey)))
}

// ownPasskeys routes the form that removes a passkey.
func (s *Site) ownPasskeys(r chi.Router) {
	if s.Passkeys != nil {
		r.Post("/settings/you/passkeys/{id}/remove", s.SignedIn(s.removePasskey))
	}
}

// spoken returns the handler of what a script asks: it answers in JSON, errors too.
func (s *Site) spoken(h func(http.ResponseWriter, *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		status := http.StatusOK
		answer, err := h(w, r)
		if err != nil {
			code := models.CodeOf(err)
			status = page.StatusOf(code)
			message := "Something went wrong on our side; try again in a moment."
			if status < http.StatusInternalServerError {
				message = page.Sentence(page.Said(err))
			} else if !server.ClientLeft(r.Context()) {
				s.Log.ErrorContext(r.Context(), "passkey failed", "error", models.WithoutValues(err))
			}
			answer = map[string]string{"message": message}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(answer) // the client has left
	}
}

// visiting is SignedIn for handlers that answer in JSON.
func (s *Site) visiting(h func(*page.Visit) (any, error)) func(http.ResponseWriter, *http.Request) (any, error) {
	return func(w http.ResponseWriter, r *http.Request) (any, error) {
		v, err := s.Sessions.Visitor(r)
		if err == nil {
			err = s.Sessions.Admit(r.Context(), v)
		}
		if err == nil {
			err = v.Meant(r.Header.Get(auth.ReaderHeader))
		}
		if err != nil {
			return nil, err
		}
		return h(&page.Visit{Visitor: v, W: w, R: r})
	}
}

// beginPasskeySignIn returns a challenge for any passkey of this site.
func (s *Site) beginPasskeySignIn(_ http.ResponseWriter, r *http.Request) (any, error) {
	return s.Passkeys.BeginSignIn(r.Context(), s.Proxies.Client(r))
}

// passkeySignIn sets the cookie of a session and returns where to go.
func (s *Site) passkeySignIn(w http.ResponseWriter, r *http.Request) (any, error) {
	var asked struct {
		Next       string          `json:"next"`
		Credential json.RawMessage `json:"credential"`
	}
	if err := readJSON(r, &asked); err != nil {
		return nil, err
	}
	cookie, err := s.Passkeys.SignIn(r.Context(), r.UserAgent(), asked.Credential)
	if err != nil {
		return nil, err
	}
	if err := s.arrive(w, r, cookie); err != nil {
		return nil, err
	}
	return map[string]string{"to": page.Inside(r, asked.Next)}, nil
}

// beginPasskey returns a challenge for a new passkey of the reader.
func (s *Site) beginPasskey(v *page.Visit) (any, error) {
	return s.Passkeys.BeginAdd(v.R.Context(), v.Visitor)
}

// addPasskey stores the passkey that answered the challenge.
func (s *Site) addPasskey(v *page.Visit) (any, error) {
	var asked struct {
		Name       string          `json:"name"`
		Credential json.RawMessage `json:"credential"`
	}
	if err := readJSON(v.R, &asked); err != nil {
		return nil, err
	}
	if err := s.Passkeys.Add(v.R.Context(), v.Visitor, asked.Name, asked.Credential); err != nil {
		return nil, err
	}
	return map[string]string{"to": "/settings/you?done=passkey"}, nil
}

// removePasskey removes a passkey. The device keeps its part, which then opens nothing.
func (s *Site) removePasskey(v *page.Visit) error {
	id, err := base64.RawURLEncoding.DecodeString(chi.URLParam(v.R, "id"))
	if err != nil {
		return page.ErrNoPage
	}
	if err := s.Store.RemovePasskey(v.R.Context(), v.User, id); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/settings/you?done=passkey-removed")
}

// readJSON reads a body that a script of ours sent.
func readJSON(r *http.Request, to any) error {
	b, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(b, to)
	}
	if err != nil {
		return &models.Error{Code: models.CodeInvalidRequest, Message: fmt.Sprintf("the body must be the JSON that the page sends, at most %d bytes", page.MaxForm)}
	}
	return nil
}

// passkeyRow is a passkey as the page of a user's own things shows it.
type passkeyRow struct {
	models.Passkey
	// Its id as an address holds it.
	Path string
}

// passkeyRows adds the address of each passkey.
func passkeyRows(all []models.Passkey) []passkeyRow {
	var rows []passkeyRow
	for _, k := range all {
		rows = append(rows, passkeyRow{Passkey: k, Path: base64.RawURLEncoding.EncodeToString(k.ID)})
	}
	return rows
}
