package auth

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"rollcall/models"
)

// Reject answers a request with an error, in the one body that all errors have. The err it is given is a *models.Error;
// the headers that go with the status are set already.
type Reject func(w http.ResponseWriter, r *http.Request, err error)

// Guard is the way in. Its middlewares belong around everything that needs a key, the answers to unknown paths and wrong
// methods included, in this order: Authenticate (401), RequirePlan (403), Limit (429). All fields are needed.
type Guard struct {
	// Who sends a key.
	Keys *Keyring
	// How many calls an account may make in a minute.
	Limiter Limiter
	// Counts calls for the pages of usage.
	Meter *Meter
	// Slows down clients that are refused again and again.
	Flood *Flood
	// Whose X-Forwarded-For is believed.
	Proxies Proxies
	Log     *slog.Logger
	// Writes an error in the form of the interface that was called.
	Reject Reject
}

var (
	errNoKey = &models.Error{
		Code:    models.CodeUnauthorized,
		Message: "send your API key in the header: Authorization: Bearer rc_live_...",
	}
	errMalformedKey = &models.Error{
		Code:    models.CodeUnauthorized,
		Message: "the API key is malformed: it has to be exactly as it was shown when it was made, rc_live_ and 38 more characters",
	}
	errPlan = &models.Error{
		Code:    models.CodeForbidden,
		Message: "the plan of this account does not include API access; it needs the Enterprise plan",
	}
	errUnavailable = &models.Error{
		Code:    models.CodeUnavailable,
		Message: "API keys cannot be checked right now; try again in a second",
	}
)

// Authenticate lets requests with a valid key through, with their caller in the context; others are answered 401. Only
// the header Authorization counts, never the query string.
func (g *Guard) Authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := g.caller(r)
		var refusal *models.Error
		switch {
		case err == nil:
			g.Meter.touch(caller.KeyID)
			next.ServeHTTP(w, r.WithContext(WithCaller(r.Context(), caller)))
		case errors.As(err, &refusal):
			g.Slow(w, r)
			w.Header().Set("WWW-Authenticate", "Bearer")
			g.Reject(w, r, refusal)
		default:
			g.unavailable(w, r, err)
		}
	})
}

// caller is who sent a request: it has one Authorization header.
func (g *Guard) caller(r *http.Request) (*Caller, error) {
	values := r.Header["Authorization"]
	if len(values) != 1 {
		return nil, errNoKey
	}
	return g.bearer(r.Context(), values[0])
}

// bearer is the caller whose key follows the scheme Bearer (in any letter case, RFC 9110) in the value of an Authorization
// header.
func (g *Guard) bearer(ctx context.Context, authorization string) (*Caller, error) {
	scheme, text, ok := strings.Cut(authorization, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return nil, errNoKey
	}
	key, ok := ParseKey(strings.Trim(text, " "))
	if !ok {
		return nil, errMalformedKey
	}
	return g.Keys.Lookup(ctx, key)
}

// RequirePlan answers 403 to callers whose plan has no API access: only Enterprise has it (SPEC.md, "Limits").
func (g *Guard) RequirePlan(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := FromContext(r.Context())
		if ok && c.Account.Plan == models.Enterprise {
			next.ServeHTTP(w, r)
			return
		}
		if ok {
			// Every authenticated answer tells the limit, also one that does not count.
			if a, err := g.Limiter.Take(r.Context(), c.bucket(), 0); err == nil {
				setRateHeaders(w.Header(), a)
			}
		}
		g.Reject(w, r, errPlan)
	})
}

// Limit lets as many requests of an account through as it may make, and answers the others 429, which do not count. A
// request counts whatever comes of it: HEAD, 304 and 404 too.
func (g *Guard) Limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := FromContext(r.Context())
		if !ok { // only by a mistake in the router, which must not open a way around the limit
			g.Reject(w, r, errNoKey)
			return
		}
		if g.spend(w, r, c) {
			next.ServeHTTP(w, r)
		}
	})
}

// unavailable answers 503 when the database or Redis could not tell.
func (g *Guard) unavailable(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		g.Log.ErrorContext(r.Context(), "request not checked", "error", err)
	}
	w.Header().Set("Retry-After", "1")
	g.Reject(w, r, errUnavailable)
}

// setRateHeaders tells the limit, what remains of it, and in how many seconds more will. Without a limit there is nothing
// to tell: a number would make clients wait for no reason.
func setRateHeaders(h http.Header, a Allowance) {
	if a.Limit == 0 {
		return
	}
	v := [...]string{strconv.Itoa(a.Limit), strconv.Itoa(a.Remaining), strconv.Itoa(wholeSeconds(a.Wait))}
	// As Header.Set would write them, with one allocation for the three.
	h["Ratelimit-Limit"] = v[0:1:1]
	h["Ratelimit-Remaining"] = v[1:2:2]
	h["Ratelimit-Reset"] = v[2:3:3]
}
