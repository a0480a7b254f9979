package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"rollcall/internal/coding"
	"rollcall/internal/once"
	"rollcall/models"
)

// changer makes the change that a request asks for and fills in the answer. status is that of
// success; with 204 there is no body. b holds the members of the request's body and is never nil.
type changer func(a *answer, r *http.Request, b *body) (status int, err error)

// change returns the handler of a changer, for POST and PATCH with their bodies, and for DELETE,
// whose body does not count. A POST may be repeated with an Idempotency-Key. The work runs with a
// context of its own when it has a key, because a client that hangs up must not leave it half
// done. The body is read before anything else, because the key's claim covers its bytes.
// pattern is the address of the list that a created thing joins.
func (h *api) change(pattern string, do changer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if lacksPart(chi.RouteContext(r.Context())) {
			h.reject(w, r, errNoAddress)
			return
		}
		a := &answer{}
		raw, err := readChange(w, r)
		if err != nil {
			h.reject(w, r, err)
			return
		}
		work := func(ctx context.Context) (models.KeptAnswer, bool, error) {
			b := parseBody(raw)
			status, err := do(a, r.WithContext(ctx), b)
			if err == nil && status != http.StatusNoContent {
				a.b = append(a.b, '\n')
			}
			return models.KeptAnswer{Status: status, Body: a.b}, err == nil, b.blame(err)
		}
		sent, err := h.once(w, r, raw, work)
		if err == nil && sent.Status == http.StatusCreated {
			err = h.locate(w.Header(), pattern, sent.Body)
		}
		if err != nil {
			h.reject(w, r, err)
			return
		}
		if sent.Status == http.StatusCreated || r.Method == http.MethodPatch {
			w.Header().Set("ETag", etag(sent.Body, coding.Identity)) // of what GET answers now
		}
		sendChange(w, sent.Status, sent.Body)
	}
}

// locate sets Location to the address of what was created (RFC 9110, 15.3.2). The body holds its id, also when an
// earlier answer is repeated.
func (h *api) locate(head http.Header, list string, body []byte) error {
	var created struct{ ID string }
	if err := json.Unmarshal(body, &created); err != nil {
		return fmt.Errorf("read id of what was created: %w", err)
	}
	head.Set("Location", h.base+list+"/"+url.PathEscape(created.ID))
	return nil
}

// once does the work of a POST only the first time that it comes with its key, and repeats that
// answer for 24 hours (DECISIONS, "Alerts"). Otherwise a client that retries after a lost
// response would create a second watcher.
func (h *api) once(w http.ResponseWriter, r *http.Request, raw []byte, work once.Work) (models.KeptAnswer, error) {
	if r.Method == http.MethodPost {
		claim, err := once.Of(r, raw, h.claims)
		if err != nil {
			return models.KeptAnswer{}, err
		}
		if claim != nil {
			return claim.Do(r.Context(), w.Header(), work)
		}
	}
	sent, _, err := work(r.Context())
	return sent, err
}

// readChange returns the body of a request that changes something. A request that needs no
// members may come without a body and without a content type. A body that has no content type is
// 415 if it is not empty: it may be a form of a foreign page.
func readChange(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Method == http.MethodDelete {
		return nil, nil
	}
	if len(r.Header.Values("Content-Type")) == 0 {
		raw, err := readText(w, r)
		if err != nil || len(raw) == 0 {
			return nil, err
		}
	}
	return readBody(w, r)
}

// blame returns the error of a request. What a resolver says about an argument is a mistake in
// the body on /v1, so its code becomes invalid_request. The field stays, and names the member.
func (b *body) blame(err error) error {
	var e *models.Error
	if errors.As(err, &e) && e.Code == models.CodeInvalidParameter && slices.Contains(b.known, e.Field) {
		return badBody(e.Field, e.Error())
	}
	return err
}

// sendChange sends the answer of a change that was made. No cache may store it.
func sendChange(w http.ResponseWriter, status int, body []byte) {
	head := w.Header()
	head.Set("Cache-Control", "no-store")
	head.Set("X-Content-Type-Options", "nosniff")
	if status == http.StatusNoContent {
		w.WriteHeader(status)
		return
	}
	head.Set("Content-Type", "application/json")
	head.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}
