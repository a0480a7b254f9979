package page

import (
	"bytes"
	"context"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"time"

	"rollcall/internal/aead"
	"rollcall/internal/once"
	"rollcall/models"
)

// shownAgain is how long a secret that is shown once is shown again when the same form is sent
// again: after a second click, or an answer that was lost on the way.
const shownAgain = 10 * time.Minute

// errSent is for a repeated form whose answer is not shown again.
var errSent = &models.Error{Code: models.CodeConflict, Message: "this form was already submitted; open its page to see the result"}

// once does what a form asks a single time, however often it is sent. Each form carries a token
// (template "once"), and a request that repeats the token gets the first answer. The database
// stores only a hash of the token. The answer may show a secret, so it is encrypted with a key
// derived from the token: only the page that sent the form can have it read.
func (s *Pages) once(v *Visit, h func(*Visit) error) error {
	token := v.R.PostFormValue("once")
	if v.R.Method != http.MethodPost || token == "" {
		return h(v)
	}
	seal, err := sealOf(token)
	if err != nil {
		return err
	}
	var first *answer
	claim := once.New(s.Store, v.Account.ID, "form "+hash("name", token),
		[]byte(hash(v.User.ID, v.R.URL.EscapedPath(), v.R.PostForm.Encode()))) //nolint:forbidigo // the form that came, not the call of that name
	kept, err := claim.Do(v.R.Context(), http.Header{}, func(ctx context.Context) (models.KeptAnswer, bool, error) {
		first = &answer{At: s.Now(), Head: http.Header{}, Status: http.StatusOK}
		if err := h(&Visit{Visitor: v.Visitor, W: first, R: v.R.WithContext(ctx)}); err != nil {
			return models.KeptAnswer{}, false, err
		}
		all, err := json.Marshal(first)
		return models.KeptAnswer{Status: first.Status, Body: seal.Seal(nil, nil, all, nil)}, first.keeps(), err //nolint:gosec // the cipher makes a nonce of its own
	})
	switch {
	case first != nil && err == nil:
		first.send(v.W)
	case first == nil && models.CodeOf(err) == models.CodeConflict:
		return errSent
	case err == nil:
		return s.sendAgain(v, seal, kept)
	}
	return err
}

// sendAgain sends the stored answer, unless it shows what is shown only for a while.
func (s *Pages) sendAgain(v *Visit, seal cipher.AEAD, kept models.KeptAnswer) error {
	all, err := seal.Open(nil, nil, kept.Body, nil)
	if err != nil {
		return fmt.Errorf("open the answer of a form: %w", err)
	}
	var a answer
	if err := json.Unmarshal(all, &a); err != nil {
		return fmt.Errorf("read the answer of a form: %w", err)
	}
	if a.Status == http.StatusOK && s.Now().Sub(a.At) > shownAgain {
		return errSent
	}
	a.send(v.W)
	return nil
}

// sealOf returns the cipher that everybody who has the token can make.
func sealOf(token string) (cipher.AEAD, error) {
	key := sha256.Sum256([]byte("answer\x00" + token))
	return aead.New(key[:])
}

// hash returns the SHA-256 of parts in hex. A zero byte ends each part, so that ("ab", "c")
// differs from ("a", "bc").
func hash(parts ...string) string {
	sum := sha256.New()
	for _, p := range parts {
		sum.Write([]byte(p))
		sum.Write([]byte{0})
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// answer is a response before it is sent: a page, or a redirect. It implements
// http.ResponseWriter.
type answer struct {
	// When it was made; shownAgain counts from here.
	At     time.Time
	Status int
	Head   http.Header
	Body   []byte
}

// Header implements http.ResponseWriter, as do Write and WriteHeader.
func (a *answer) Header() http.Header { return a.Head }

func (a *answer) Write(b []byte) (int, error) {
	a.Body = append(a.Body, b...)
	return len(b), nil
}

// WriteHeader stores the status.
func (a *answer) WriteHeader(status int) { a.Status = status }

// keeps reports whether the form was done. A form that was refused may be corrected and sent
// again. An answer that sets a cookie is never stored.
func (a *answer) keeps() bool {
	return (a.Status == http.StatusOK || a.Status == http.StatusSeeOther) && a.Head.Get("Set-Cookie") == ""
}

// send sends the answer.
func (a *answer) send(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.Head)
	w.WriteHeader(a.Status)
	_, _ = bytes.NewReader(a.Body).WriteTo(w) // the client has left
}
