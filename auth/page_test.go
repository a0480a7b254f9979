package auth_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
)

// signedIn returns the cookie of a new session of a new member.
func (b *bundle) signedIn(s *auth.Sessions, email string) *http.Cookie {
	b.t.Helper()
	b.sessionsOf(email, nil)
	u, err := b.store.UserByEmail(b.t.Context(), email)
	require.NoError(b.t, err)
	cookie, err := s.Begin(b.t.Context(), u, "test")
	require.NoError(b.t, err)
	return cookie
}

// ask sends a request with a session through the doors of /graphql and returns its status and limit.
func (b *bundle) ask(door http.Handler, cookie *http.Cookie, headers map[string]string) (status int, limit string) {
	r := httptest.NewRequestWithContext(b.t.Context(), http.MethodPost, "/graphql", http.NoBody)
	r.AddCookie(cookie)
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	door.ServeHTTP(w, r)
	return w.Code, w.Header().Get("RateLimit-Limit")
}

// tokenOf returns the token that the pages of a session carry.
func tokenOf(s *auth.Sessions, cookie *http.Cookie) string {
	r := httptest.NewRequest(http.MethodGet, "/search", http.NoBody)
	r.AddCookie(cookie)
	return s.PageToken(r)
}

// A program with a copied cookie has the limit of the account, as one with a key has; only a page has that of pages.
func TestASessionWithoutThePagesTokenCountsAsTheAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.sessionsOf("ada@example.org", nil)
	s.Limiter = b.guard.Limiter
	door := b.guard.AuthenticateEither(s)(b.guard.RequirePlan(b.guard.Limit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))))
	ada, bob := b.signedIn(s, "eve@example.org"), b.signedIn(s, "bob@example.org")
	token := tokenOf(s, ada)
	require.NotEqual(t, token, tokenOf(s, bob), "each session has its own")
	require.NotContains(t, token, ada.Value)

	programs := map[string]map[string]string{
		"the cookie alone":              {},
		"what a browser says, no token": {"Sec-Fetch-Site": "same-origin"},
		"the token, no browser":         {auth.PageHeader: token},
		"an address that was typed in":  {auth.PageHeader: token, "Sec-Fetch-Site": "none"},
		"the token of another session":  {auth.PageHeader: tokenOf(s, bob), "Sec-Fetch-Site": "same-origin"},
	}
	for name, headers := range programs {
		status, limit := b.ask(door, ada, headers)
		require.Equal(t, http.StatusOK, status, name)
		require.Equal(t, "100", limit, name)
	}
	for range 100 - len(programs) {
		b.ask(door, ada, nil)
	}
	for _, cookie := range []*http.Cookie{ada, bob} {
		status, _ := b.ask(door, cookie, nil)
		require.Equal(t, http.StatusTooManyRequests, status, "of all users together")
	}
	require.Equal(t, http.StatusTooManyRequests, b.get(b.bearer()).StatusCode, "and of keys")
	require.Equal(t, 100, b.usage().LastDay[23].Requests, "the usage shows them")

	page := map[string]string{auth.PageHeader: token, "Sec-Fetch-Site": "same-origin"}
	status, limit := b.ask(door, ada, page)
	require.Equal(t, http.StatusOK, status, "pages do not wait for programs")
	require.Equal(t, "600", limit)
	require.Equal(t, 101, b.usage().LastDay[23].Requests)
}

// Members are not limited in number, so their pages are limited together.
func TestPagesOfAllUsersOfAnAccountShareALimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.sessionsOf("ada@example.org", nil)
	s.Limiter = b.guard.Limiter
	door := b.guard.AuthenticateEither(s)(b.guard.Limit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
	answered := func(i int) (n int) {
		cookie := b.signedIn(s, fmt.Sprintf("user%d@example.org", i))
		page := map[string]string{auth.PageHeader: tokenOf(s, cookie), "Sec-Fetch-Site": "same-origin"}
		for range 610 {
			if status, _ := b.ask(door, cookie, page); status == http.StatusOK {
				n++
			}
		}
		return n
	}
	require.Equal(t, []int{600, 600, 0}, []int{answered(1), answered(2), answered(3)}, "what a user is refused takes nothing from the others")
	b.signedIn(s, "late@example.org")
	u, err := b.store.UserByEmail(t.Context(), "late@example.org")
	require.NoError(t, err)
	require.ErrorContains(t, s.Admit(t.Context(), &auth.Visitor{User: u, Account: b.account}), "more than 1200 requests", "pages that no script asks for count too")
}
