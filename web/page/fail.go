package page

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/internal/server"
	"rollcall/models"
	"rollcall/web/words"
)

// fail shows an error as a page. A models.Error is shown as it is. All else is logged and shown
// as an error of ours, since its text may name people, tables or addresses.
func (s *Pages) fail(w http.ResponseWriter, r *http.Request, v *auth.Visitor, err error) {
	code := models.CodeOf(err)
	message := words.T("Something went wrong on our side. It has been noted; try again in a moment.")
	var known *models.Error
	switch {
	case errors.As(err, &known):
		message = words.Error(Sentence(Said(known)))
	case code == models.CodeUnavailable:
		message = words.T("The database does not answer at the moment. Try again in a few seconds.")
	case server.ClientLeft(r.Context()): // nobody reads the page
	default:
		s.Log.ErrorContext(r.Context(), "page failed", "route", chi.RouteContext(r.Context()).RoutePattern(), "error", models.WithoutValues(err))
	}
	status := StatusOf(code)
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "10")
	}
	title := cmp.Or(titles[status], http.StatusText(status))
	switch {
	case errors.Is(err, ErrNoRecord):
		title = "No such record"
	case errors.Is(err, errSent):
		title = "This was sent already"
	}
	s.Show(w, r, v, status, "error", View{Title: title, Body: message})
}

// titles are the headings of error pages by status.
var titles = map[int]string{
	http.StatusBadRequest: "Invalid request", http.StatusNotFound: "Not found", http.StatusForbidden: "Not allowed",
	http.StatusMethodNotAllowed: "Method not allowed",
	http.StatusConflict:         "Nothing was changed", http.StatusRequestEntityTooLarge: "Too large", http.StatusUnsupportedMediaType: "Unsupported content type",
	http.StatusTooManyRequests: "Too many requests", http.StatusServiceUnavailable: "Unavailable", http.StatusInternalServerError: "Something went wrong",
}

// StatusOf returns the HTTP status of an error code. Pages and scripts get the same.
func StatusOf(c models.Code) int {
	switch c {
	case models.CodeUnauthorized:
		return http.StatusUnauthorized
	case models.CodeForbidden:
		return http.StatusForbidden
	case models.CodeNotFound:
		return http.StatusNotFound
	case models.CodeMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case models.CodeConflict:
		return http.StatusConflict
	case models.CodePayloadTooLarge:
		return http.StatusRequestEntityTooLarge
	case models.CodeUnsupportedMedia:
		return http.StatusUnsupportedMediaType
	case models.CodeRateLimited:
		return http.StatusTooManyRequests
	case models.CodeInvalidParameter, models.CodeInvalidRequest:
		return http.StatusBadRequest
	case models.CodeUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

var (
	// ErrNoPage is for an address that no page has, and for one that the reader must not know
	// of.
	ErrNoPage = models.NotFound("page not found")
	// ErrNoRecord is the one answer for a record that never was and for one that must not be
	// shown any more, so that nobody learns which.
	ErrNoRecord = models.NotFound("it does not exist or is no longer published")
)

// Hidden returns ErrNoRecord for the error of a look-up that found nothing, or whose id cannot be
// one; other errors stay as they are.
func Hidden(err error) error {
	if code := models.CodeOf(err); err != nil && (code == models.CodeNotFound || code == models.CodeInvalidParameter) {
		return ErrNoRecord
	}
	return err
}

// Missing answers a browser that asks for an unknown address with a page. Requests of programs
// go on to next. Readers who are not signed in do not learn which addresses exist.
func (s *Pages) Missing(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !fromBrowser(r) {
			next.ServeHTTP(w, r)
			return
		}
		s.astray(w, r, ErrNoPage)
	}
}

// NotAllowed is Missing for an address that answers other methods. allowed returns those
// methods, and "" where the address answers none.
func (s *Pages) NotAllowed(allowed func(*http.Request) string, next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		allow := allowed(r)
		switch {
		case !fromBrowser(r):
			next.ServeHTTP(w, r)
		case allow == "":
			s.astray(w, r, ErrNoPage)
		default:
			w.Header().Set("Allow", allow)
			s.astray(w, r, &models.Error{Code: models.CodeMethodNotAllowed, Message: "this address does not accept this method; nothing was changed"})
		}
	}
}

// fromBrowser reports whether a person asks and wants a page. The interfaces for programs answer
// in their own form.
func fromBrowser(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html") && r.Header.Get("Authorization") == "" &&
		r.URL.Path != "/graphql" && r.URL.Path != "/v1" && !strings.HasPrefix(r.URL.Path, "/v1/")
}

// astray shows a page about an address that leads nowhere.
func (s *Pages) astray(w http.ResponseWriter, r *http.Request, why error) {
	v, err := s.Sessions.Visitor(r)
	switch {
	case err == nil:
		err = why
	case models.CodeOf(err) == models.CodeUnauthorized:
		w.Header().Del("Allow")
		w.Header().Set("WWW-Authenticate", "Bearer")
		err = &models.Error{Code: models.CodeUnauthorized, Message: "sign in to see the pages of this service; programs send an API key"}
	}
	s.fail(w, r, v, err)
}

// Mendable reports whether an error is about what was typed or about the state of things. Such an error is shown beside the form; others are
// an error page.
func Mendable(err error) bool {
	switch models.CodeOf(err) {
	case models.CodeInvalidParameter, models.CodeInvalidRequest, models.CodeConflict:
		return err != nil
	}
	return false
}
