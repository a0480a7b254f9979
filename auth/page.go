package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"rollcall/models"
)

const (
	// pageLimit is how many requests a minute the pages of one signed-in user may make, and pagesLimit those of all users of
	// an account (DECISIONS.md, "Keys, plans, limits").
	pageLimit  = 600
	pagesLimit = 1200
	// streamCheck is how soon a stream ends after its session has: within a second, as one of a key does.
	streamCheck = 700 * time.Millisecond
)

// ReaderHeader is the header in which scripts of a page send the id of the user for whom the page was made.
const ReaderHeader = "Rollcall-Reader"

// PageHeader is the header in which scripts of a page send its token (Sessions.PageToken).
const PageHeader = "Rollcall-Page"

var (
	errForeignPage = &models.Error{Code: models.CodeForbidden, Message: "requests from other sites cannot use your session; send an API key"}
	errOtherReader = &models.Error{
		Code:    models.CodeConflict,
		Message: "someone else signed in to this browser after this page was opened; nothing was changed. Open the page again",
	}
	errSocket = &models.Error{Code: models.CodeForbidden, Message: "websockets need an API key in connection_init; with a session read server-sent events"}
)

// AuthenticateEither is Authenticate for addresses that the service's own pages use too, such as /graphql. A request
// without an Authorization header may carry a session instead, if it comes from a page of this service: a foreign
// page must not read with a user's cookie. Websockets need a key. A request with a session counts within the limit of
// pages if it has the page's token, and within the account's limit if not.
func (g *Guard) AuthenticateEither(s *Sessions) func(http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	return func(next http.Handler) http.Handler {
		byKey := g.Authenticate(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if len(r.Header["Authorization"]) > 0 || !s.Signed(r) {
				byKey.ServeHTTP(w, r)
				return
			}
			v, err := s.Visitor(r)
			switch {
			case models.CodeOf(err) == models.CodeUnauthorized:
				g.Reject(w, r, err)
			case err != nil:
				g.unavailable(w, r, err)
			case cross.Check(r) != nil || foreign(r):
				g.Reject(w, r, errForeignPage)
			case v.Meant(r.Header.Get(ReaderHeader)) != nil:
				g.Reject(w, r, errOtherReader)
			case r.Header.Get("Upgrade") != "":
				g.Reject(w, r, errSocket)
			default:
				ctx := WithCaller(r.Context(), &Caller{Account: v.Account, UserID: v.User.ID, Page: s.fromPage(r)})
				if mayStream(r) {
					var end context.CancelFunc
					ctx, end = s.whileSignedIn(ctx, v.Session.SHA256)
					defer end()
				}
				next.ServeHTTP(w, r.WithContext(ctx))
			}
		})
	}
}

// PageToken returns the token of the pages that a session's browser shows; empty for a request without a session.
// Pages carry it, and their scripts send it with each query. Only a page of this site can have read it. So what a
// program asks with a copied cookie counts within the limit of the account, and not within that of its readers.
//
// The token is 64 bytes in hex: a random mask, and the secret under it. It differs from page to page, so the length of a
// compressed page says nothing of the secret.
func (s *Sessions) PageToken(r *http.Request) string {
	secret := s.pageSecret(r)
	if secret == nil {
		return ""
	}
	token := make([]byte, 2*len(secret))
	_, _ = rand.Read(token[:len(secret)]) // it never fails
	subtle.XORBytes(token[len(secret):], token, secret)
	return hex.EncodeToString(token)
}

// pageSecret returns what the pages of a session's browser prove that they know; nil for a request without a session.
func (s *Sessions) pageSecret(r *http.Request) []byte {
	c, err := r.Cookie(s.cookieName())
	if err != nil || c.Value == "" {
		return nil
	}
	mac := hmac.New(sha256.New, []byte(c.Value))
	_, _ = mac.Write([]byte("rollcall page v1"))
	return mac.Sum(nil)
}

// fromPage reports whether a script of a page of this service makes a request: the browser says so, and the page's
// token is there.
func (s *Sessions) fromPage(r *http.Request) bool {
	secret := s.pageSecret(r)
	token, err := hex.DecodeString(r.Header.Get(PageHeader))
	if secret == nil || err != nil || len(token) != 2*len(secret) || r.Header.Get("Sec-Fetch-Site") != "same-origin" {
		return false
	}
	under := make([]byte, len(secret))
	subtle.XORBytes(under, token, token[len(secret):])
	return hmac.Equal(secret, under)
}

// Meant returns an error when a page names another user than v as the one for whom it was made. Cookies belong to the
// browser: a tab that stayed open must not change things as the user who signed in last. An empty reader is accepted.
func (v *Visitor) Meant(reader string) error {
	if reader == "" || reader == v.User.ID {
		return nil
	}
	return errOtherReader
}

// foreign reports whether a browser says that a page of another site asks. It counts for every method, as reading is
// not that page's business either.
func foreign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "" && site != "same-origin" && site != "none"
}

// mayStream reports whether the answer may be a stream. Every header Accept counts, in any letter case (RFC 9110,
// 8.3.1).
func mayStream(r *http.Request) bool {
	return strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), "text/event-stream")
}

// whileSignedIn returns a context that ends soon after the session does, or after the account's plan loses streams. Its
// cause is a *models.Error that says so.
// Without it a stream would go on after a user signed out everywhere.
func (s *Sessions) whileSignedIn(ctx context.Context, sha []byte) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		defer cancel(nil)
		tick := time.NewTicker(streamCheck)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				v, err := s.visitor(ctx, sha)
				if err == nil && !v.Account.Entitled() {
					err = notEntitled(v.Account)
				}
				if code := models.CodeOf(err); code == models.CodeUnauthorized || code == models.CodeForbidden {
					cancel(err)
					return
				}
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}
