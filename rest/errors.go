package rest

import (
	"errors"
	"log/slog"
	"net/http"

	"rollcall/internal/server"
	"rollcall/models"
)

// statusOf is the one table from codes to HTTP statuses (DECISIONS.md, "Keys, plans, limits,
// errors"). A code that is missing here is shown as internal.
var statusOf = map[models.Code]int{
	models.CodeUnauthorized:       http.StatusUnauthorized,
	models.CodeForbidden:          http.StatusForbidden,
	models.CodeRateLimited:        http.StatusTooManyRequests,
	models.CodeInvalidParameter:   http.StatusBadRequest,
	models.CodeInvalidRequest:     http.StatusBadRequest,
	models.CodeNotFound:           http.StatusNotFound,
	models.CodeMethodNotAllowed:   http.StatusMethodNotAllowed,
	models.CodeConflict:           http.StatusConflict,
	models.CodePreconditionFailed: http.StatusPreconditionFailed,
	models.CodePayloadTooLarge:    http.StatusRequestEntityTooLarge,
	models.CodeUnsupportedMedia:   http.StatusUnsupportedMediaType,
	models.CodeUnavailable:        http.StatusServiceUnavailable,
	models.CodeInternal:           http.StatusInternalServerError,
}

const (
	// retryAfter is the Retry-After of a 503 in seconds: most often the database is slow or
	// restarting.
	retryAfter = "2"

	messageInternal    = "internal error; the log has it under the X-Request-Id of this response"
	messageUnavailable = "the service is unavailable; try again shortly"
)

// Reject answers a request with an error, in the one body that all errors of the service have:
// two strings, error and message. A *models.Error is shown as it is. Every other error is logged
// here, once, and shown as internal or unavailable. A failure because the client left is not
// logged; the access log has a line of it. Package auth and the calendars answer through it too.
type Reject func(w http.ResponseWriter, r *http.Request, err error)

// NewReject returns a Reject that writes to log what users must not see. It sets WWW-Authenticate
// with 401 and Retry-After with 503. A caller that answers 429 sets Retry-After itself, since it
// knows the time. X-Error-Field names the one parameter or
// member that an error is about. The log line carries the request id and the route's pattern, never the address,
// which may hold a name.
func NewReject(log *slog.Logger) Reject {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		code, message := shown(err)
		status := statusOf[code]
		if status >= http.StatusInternalServerError && (!server.ClientLeft(r.Context()) || errors.Is(err, errPanic)) {
			log.LogAttrs(r.Context(), levelOf(status), "request failed",
				slog.String("request_id", RequestIDOf(r.Context())), slog.String("method", r.Method),
				slog.String("route", r.Pattern), slog.String("error", models.WithoutValues(err)))
		}
		var e encoder
		e.object()
		e.text("error", string(code))
		e.text("message", message)
		e.endObject()
		h := w.Header()
		if field := fieldOf(err); field != "" {
			h.Set("X-Error-Field", field)
		}
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

// shown returns what a user may see of err: the code and message of a *models.Error, else nothing
// of its text. The message of an internal error names X-Request-Id, by which an operator finds
// the line of the log.
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

// fieldOf returns the one parameter or member that an error is about, or "". A name that a client made up is left out if it
// is not plain: a header must not carry it.
func fieldOf(err error) string {
	var e *models.Error
	if !errors.As(err, &e) || statusOf[e.Code] == 0 || len(e.Field) > 40 {
		return ""
	}
	for _, c := range []byte(e.Field) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return ""
		}
	}
	return e.Field
}

// levelOf returns the level at which an error is logged. A database that is away for a moment is
// a warning here, as it was logged where it was noticed.
func levelOf(status int) slog.Level {
	if status == http.StatusServiceUnavailable {
		return slog.LevelWarn
	}
	return slog.LevelError
}
