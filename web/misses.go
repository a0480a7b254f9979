package web

import (
	"context"
	"net/http"
	"strings"

	"rollcall/auth"
	"rollcall/models"
)

var (
	errNoPage = models.NotFound("page not found")
	// errNoRecord is one answer for what never was and for what must not be shown any more: nobody learns which.
	errNoRecord = models.NotFound("it does not exist or is no longer published")
)

// Missing answers a browser that asks for an address where nothing is with a page. What programs ask for goes on to next.
// Whoever is not signed in does not learn what exists.
func (s *Site) Missing(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !fromBrowser(r) {
			next.ServeHTTP(w, r)
			return
		}
		s.astray(w, r, errNoPage)
	}
}

// NotAllowed is Missing for an address that answers other methods; allowed names them, and nothing where none is answered.
func (s *Site) NotAllowed(allowed func(*http.Request) string, next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		allow := allowed(r)
		switch {
		case !fromBrowser(r):
			next.ServeHTTP(w, r)
		case allow == "":
			s.astray(w, r, errNoPage)
		default:
			w.Header().Set("Allow", allow)
			s.astray(w, r, &models.Error{Code: models.CodeMethodNotAllowed, Message: "this address does not accept this method; nothing was changed"})
		}
	}
}

// fromBrowser says whether a person asks, who wants a page; the interfaces for programs answer programs.
func fromBrowser(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html") && r.Header.Get("Authorization") == "" && r.URL.Path != "/graphql" && r.URL.Path != "/v1" && !strings.HasPrefix(r.URL.Path, "/v1/")
}

// astray shows a page about an address that leads nowhere.
func (s *Site) astray(w http.ResponseWriter, r *http.Request, why error) {
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

// known makes a frame of a page whose address names a record. A record that is not there is errNoRecord.
func known(look func(ctx context.Context, v *auth.Visitor, id string) (*plainRecord, error)) func(*visit) (frame, error) {
	return func(v *visit) (frame, error) {
		f := frame{ID: v.param("id")}
		var err error
		f.Record, err = look(v.r.Context(), v.Visitor, f.ID)
		if code := models.CodeOf(err); err != nil && (code == models.CodeNotFound || code == models.CodeInvalidParameter) {
			return f, errNoRecord
		}
		return f, err
	}
}

// readable turns a look-up that every account may do into one for known, with what its page says without scripts.
func readable[T any](look func(context.Context, string) (*T, error), plain func(*T) plainRecord) func(context.Context, *auth.Visitor, string) (*plainRecord, error) {
	return func(ctx context.Context, _ *auth.Visitor, id string) (*plainRecord, error) {
		record, err := look(ctx, id)
		if err != nil {
			return nil, err
		}
		p := plain(record)
		return &p, nil
	}
}

// mine turns a look-up among the account's own into one for known.
func mine[T any](look func(context.Context, string, string) (T, error)) func(context.Context, *auth.Visitor, string) (*plainRecord, error) {
	return func(ctx context.Context, v *auth.Visitor, id string) (*plainRecord, error) {
		_, err := look(ctx, v.Account.ID, id)
		return nil, err
	}
}
