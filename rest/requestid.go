package rest

import (
	"context"
	"crypto/rand"
	"net/http"
)

// maxRequestID bounds an id that a client chose, in bytes.
const maxRequestID = 64

type requestIDKey struct{}

// RequestID puts X-Request-Id on every response and into the request's context: the client's own
// when it is short and plain (letters, digits, and -_.), else a new one. It stands outermost, so
// that errors of all middlewares carry it.
func RequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if !saneRequestID(id) {
			id = rand.Text()
		}
		w.Header().Set("X-Request-Id", id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
	})
}

// RequestIDOf returns the id of the request that ctx belongs to, or "".
func RequestIDOf(ctx context.Context) string {
	id, ok := ctx.Value(requestIDKey{}).(string)
	if !ok {
		return ""
	}
	return id
}

// saneRequestID reports whether a client's id may enter the log: others could forge or break its
// lines.
func saneRequestID(id string) bool {
	for _, c := range []byte(id) {
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
		if !plain {
			return false
		}
	}
	return id != "" && len(id) <= maxRequestID
}
