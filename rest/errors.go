package rest

import (
	"errors"
	"log/slog"
	"net/http"

	"rollcall/internal/server"
	"rollcall/models"
)

// statusOf is the one table between what went wrong and what HTTP says (DECISIONS.md, "Keys,
// plans, limits, errors").
var statusOf = map[models.Code]int{
	models.CodeUnauthorized:     http.StatusUnauthorized,
	models.CodeForbidden:        http.StatusForbidden,
	models.CodeRateLimited:      http.StatusTooManyRequests,
	models.CodeInvalidParameter: http.StatusBadRequest,
	models.CodeInvalidRequest:   http.StatusBadRequest,
	models.CodeNotFound:         http.StatusNotFound,
	models.CodeMethodNotAllowed: http.StatusMethodNotAllowed,
	models.CodeConflict:         http.StatusConflict,
	models.CodePayloadTooLarge:  http.StatusRequestEntityTooLarge,
	models.CodeUnsupportedMedia: http.StatusUnsupportedMediaType,
	models.CodeUnavailable:      http.StatusServiceUnavailable,
	models.CodeInternal:         http.StatusInternalServerError,
}

const (
	// retryAfter is what a 503 tells, in seconds: the trouble is mostly a slow or restarting database.
	retryAfter = "2"

	messageInternal    = "internal error; the log has it under the X-Request-Id of this response"
	messageUnavailable = "the service is unavailable; try again shortly"
)

// Reject answers a request with an error, in the one body that all errors of the service have:
// two strings, error and message. A *models.Error is shown; every other error is logged here, once, and shown as internal
// or unavailable. What fails because the client left is not logged: the access log has a line of it.
type Reject func(w http.ResponseWriter, r *http.Request, err error)

// NewReject makes the Reject that writes to log what users must not see. Who answers 429 sets
// Retry-After first; 401 gets its WWW-Authenticate and 503 its Retry-After here.
func NewReject(log *slog.Logger) Reject {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		code, message := shown(err)
		status := statusOf[code]
		if status >= http.StatusInternalServerError && (!server.ClientLeft(r.Context()) || errors.Is(err, errPanic)) {
			log.LogAttrs(r.Context(), levelOf(status), "request failed",
				slog.String("request_id", RequestIDOf(r.Context())), slog.String("method", r.Method),
				slog.String("route", r.Pattern), slog.Any("error", err))
		}
		var e encoder
		e.object()
		e.text("error", string(code))
		e.text("message", message)
		e.endObject()
		h := w.Header()
		switch code {
		case models.CodeUnauthorized:
			h.Set("WWW-Authenticate", "Bearer")
		case models.CodeUnavailable:
			h.Set("Retry-After", retryAfter)
		}
		h.Set("Content-Type", "application/json")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		w.WriteHeader(status)
		w.Write(append(e.b, '\n'))
	}
}

// shown is what a user may see of err.
func shown(err error) (models.Code, string) {
	var e *models.Error
	if errors.As(err, &e) && statusOf[e.Code] != 0 {
		return e.Code, e.Error()
	}
	if models.CodeOf(err) == models.CodeUnavailable {
		return models.CodeUnavailable, messageUnavailable
	}
	return models.CodeInternal, messageInternal
}

// levelOf returns how loud an error is logged: a database that is away for a moment is a warning, and was reported
// where it was noticed.
func levelOf(status int) slog.Level {
	if status == http.StatusServiceUnavailable {
		return slog.LevelWarn
	}
	return slog.LevelError
}
