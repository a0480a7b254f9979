package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// What scripts of other origins may do and read. The headers are those that the contract names.
const (
	corsMethods = "GET, HEAD, POST, PATCH, DELETE"
	corsExposed = "ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate, " +
		"Idempotent-Replayed, Link, Location, Deprecation, Sunset, X-Case-Matches, X-Data-As-Of, X-Data-Stale, X-Error-Field, X-GraphQL-Cost, X-GraphQL-Cost-Limit, " +
		"X-Request-Id"
	// corsMaxAge is how many seconds a browser may remember a preflight.
	corsMaxAge = "600"
)

// CORS lets scripts of chosen origins call the API (ROLLCALL_CORS_ORIGINS). A key travels in a header that a script
// has to set, never in a cookie. So credentials mode is not allowed, and any request header is. It is not
// go-chi/cors, which also answers preflights of other origins: those would never reach the guard and its 401. The
// zero value allows none.
type CORS struct {
	// "*" was set: every origin may read, without cookies.
	any bool
	// Allowed origins in lower case, as hosts and schemes are compared.
	origins map[string]bool
}

// NewCORS returns rules that allow origins such as https://desk.example.org or http://localhost:5173; "*" allows all.
// Anything else, a trailing slash included, is an error: it would match no browser's header.
func NewCORS(origins []string) (CORS, error) {
	c := CORS{origins: map[string]bool{}}
	for _, s := range origins {
		if s == "*" {
			c.any = true
			continue
		}
		u, err := url.Parse(s)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.Scheme+"://"+u.Host != s {
			return CORS{}, fmt.Errorf("%.80q is not an origin like https://desk.example.org", s)
		}
		c.origins[strings.ToLower(s)] = true
	}
	return c, nil
}

// Middleware answers preflights of allowed origins, which carry no key, and marks responses as readable for them. It
// stands before Guard.Authenticate, which answers preflights of other origins with 401. Handlers behind it add to
// Vary, never set it.
func (c CORS) Middleware(next http.Handler) http.Handler {
	if !c.any && len(c.origins) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		if !c.any {
			h.Add("Vary", "Origin")
		}
		origin := r.Header.Get("Origin")
		if origin == "" || !c.allows(origin) {
			next.ServeHTTP(w, r)
			return
		}
		if c.any {
			origin = "*"
		}
		h.Set("Access-Control-Allow-Origin", origin)
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Add("Vary", "Access-Control-Request-Headers")
			h.Set("Access-Control-Allow-Methods", corsMethods)
			if wanted := r.Header.Get("Access-Control-Request-Headers"); wanted != "" {
				h.Set("Access-Control-Allow-Headers", wanted)
			}
			h.Set("Access-Control-Max-Age", corsMaxAge)
			w.WriteHeader(http.StatusNoContent)
			return
		}
		h.Set("Access-Control-Expose-Headers", corsExposed)
		next.ServeHTTP(w, r)
	})
}

// allows reports whether a browser may pass responses on to scripts of origin.
func (c CORS) allows(origin string) bool { return c.any || c.origins[strings.ToLower(origin)] }
