package rest

import (
	"errors"
	"net/http"
	"slices"
	"strconv"

	"rollcall/models"
)

// changer does what a request asks for, and fills in the answer. Its status is that of success; with
// 204 there is no body. b holds the members of the request's body and is never nil.
type changer func(a *answer, r *http.Request, b *body) (status int, err error)

// change makes a handler of a changer: of a POST or PATCH with its body, or of a DELETE, whose body does
// not count. A POST may be repeated with an Idempotency-Key.
func (h *api) change(do changer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a := &answer{}
		raw, err := readChange(w, r)
		if err != nil {
			h.reject(w, r, err)
			return
		}
		answerOnce := func(r *http.Request) (int, error) {
			b := parseBody(raw)
			status, err := do(a, r, b)
			if err == nil && status != http.StatusNoContent {
				a.b = append(a.b, '\n')
			}
			return status, b.blame(err)
		}
		var status int
		if key := r.Header.Values("Idempotency-Key"); r.Method == http.MethodPost && len(key) > 0 {
			status, err = h.once(w, r, a, key, raw, answerOnce)
		} else {
			status, err = answerOnce(r)
		}
		if err != nil {
			h.reject(w, r, err)
			return
		}
		sendChange(w, status, a.b)
	}
}

// readChange takes the body of a request that changes something. One that needs none may come without.
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

// blame gives the error of a request. What resolvers say of a parameter is, on /v1, said of the body.
func (b *body) blame(err error) error {
	var e *models.Error
	if errors.As(err, &e) && e.Code == models.CodeInvalidParameter && slices.Contains(b.known, e.Field) {
		return badBody(e.Field, e.Message)
	}
	return err
}

// sendChange answers a change that was made. Nothing of it may be kept by a cache.
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
