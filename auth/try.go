package auth

import (
	"net/http"

	"rollcall/models"
)

// TryPath is below which a page of this service tries operations of /v1 as its reader, without a key.
const TryPath = "/docs/try"

var (
	errNotSignedIn = &models.Error{Code: models.CodeUnauthorized, Message: "sign in to try operations without a key"}
	errNoPage      = &models.Error{Code: models.CodeForbidden, Message: "this address is only for pages of this service; programs send an API key to /v1"}
)

// AuthenticatePage passes on what a page of this service asks for the reader who is signed in, and nothing else: the browser must
// say that the page is of this site, and the page must show its token, which no page of another site can read. A key is
// refused, so that this is no second address of /v1.
//
// The caller is as a key of the account is that has every scope but admin. It counts in the limit of the account, and not in that
// of pages.
func (g *Guard) AuthenticatePage(s *Sessions) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !s.Signed(r) {
				g.Slow(w, r)
				g.Reject(w, r, errNotSignedIn)
				return
			}
			if len(r.Header["Authorization"]) > 0 || !s.fromPage(r) {
				g.Reject(w, r, errNoPage)
				return
			}
			v, err := s.Visitor(r)
			switch {
			case models.CodeOf(err) == models.CodeUnauthorized:
				g.Reject(w, r, err)
			case err != nil:
				g.unavailable(w, r, err)
			case v.Meant(r.Header.Get(ReaderHeader)) != nil:
				g.Reject(w, r, errOtherReader)
			default:
				c := &Caller{Account: v.Account, UserID: v.User.ID, Scopes: []models.Scope{models.ScopeRead, models.ScopeAlerts, models.ScopeWebhooks}}
				next.ServeHTTP(w, r.WithContext(WithCaller(r.Context(), c)))
			}
		})
	}
}
