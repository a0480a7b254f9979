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

// Reject answers a request with an error, in the one body that all errors of an interface have. err is a
// *models.Error; the headers that go with its status are set already.
type Reject func(w http.ResponseWriter, r *http.Request, err error)

// Guard is the way in. Its middlewares stand around everything that needs a key, in this order: Authenticate (401),
// RequirePlan (403), Limit (429). The answers to unknown paths and wrong methods stand behind them too, so that a
// caller without a key does not find out which paths exist. All fields are needed unless they say so. It is safe for concurrent use.
type Guard struct {
	// Keys finds the caller of a key.
	Keys *Keyring
	// Limiter counts calls, by account and by user.
	Limiter Limiter
	// Line bounds how many calls of an account are answered at once; nil bounds nothing.
	Line *Line
	// Meter counts calls for the usage of an account.
	Meter *Meter
	// Flood slows clients that are refused again and again.
	Flood *Flood
	// Proxies are believed about the client's address.
	Proxies Proxies
	// Simulated reports that all records are invented, as in a demo. Elsewhere test keys are refused.
	Simulated bool
	// Log receives checks that failed; never a key or an address.
	Log *slog.Logger
	// Reject writes an error in the form of the interface that was called.
	Reject Reject
}

var (
	errNoKey = &models.Error{
		Code:    models.CodeUnauthorized,
		Message: "send your API key in the header: Authorization: Bearer rc_live_...",
	}
	errMalformedKey = &models.Error{
		Code:    models.CodeUnauthorized,
		Message: "the API key is malformed; send it exactly as it was shown, rc_live_ and 38 more characters",
	}
	errPlan = &models.Error{
		Code:    models.CodeForbidden,
		Message: "the plan of this account does not include API access; it needs the Enterprise plan",
	}
	errTestKey = &models.Error{
		Code:    models.CodeForbidden,
		Message: "test keys (rc_test_...) open invented records only, as rollcall demo has them; use a live key here",
	}
	errUnavailable = &models.Error{
		Code:    models.CodeUnavailable,
		Message: "API keys cannot be checked right now; try again in a second",
	}
)

// Authenticate passes requests with a valid key on, with their caller in the context, and answers others 401. Only
// the header Authorization counts, never the query string, which ends up in logs.
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

// caller returns the caller of a request, which must have exactly one Authorization header.
func (g *Guard) caller(r *http.Request) (*Caller, error) {
	values := r.Header["Authorization"]
	if len(values) != 1 {
		return nil, errNoKey
	}
	return g.bearer(r.Context(), values[0])
}

// bearer returns the caller of the key in an Authorization header's value. The scheme Bearer may have any letter case
// (RFC 9110).
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

// RequirePlan answers 403 to callers whose plan has no API access: only Enterprise has it (SPEC.md, "Limits"). So it
// answers test keys where records are real. Such a request does not count against the limit.
func (g *Guard) RequirePlan(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := FromContext(r.Context())
		refusal := errPlan
		if ok {
			if refusal = g.refused(c); refusal == nil {
				next.ServeHTTP(w, r)
				return
			}
			// Every authenticated response states the limit, also one that does not count.
			if a, err := take(r.Context(), g.Limiter, c, 0); err == nil {
				setRateHeaders(w.Header(), a)
			}
		}
		g.Reject(w, r, refusal)
	})
}

// notEntitled returns why an account has no API access.
func notEntitled(a *models.Account) *models.Error {
	if refusal := a.Suspended(); refusal != nil {
		return refusal
	}
	return errPlan
}

// refused returns why an authenticated caller gets no answer at all, or nil.
func (g *Guard) refused(c *Caller) *models.Error {
	switch {
	case !c.Account.Entitled():
		return notEntitled(c.Account)
	case c.Test && !g.Simulated:
		return errTestKey
	}
	return nil
}

// Limit passes on as many requests of an account as it may make in a Window, and answers the others 429, which do not
// count. A request counts whatever its answer is: HEAD, 304 and 404 too. What it lets through waits in the account's Line.
func (g *Guard) Limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := FromContext(r.Context())
		if !ok { // a mistake in the router must not open a way around the limit
			g.Reject(w, r, errNoKey)
			return
		}
		if in, leave, ok := g.enter(w, r, c); ok {
			defer leave()
			next.ServeHTTP(w, in)
		}
	})
}

// unavailable answers 503 when the database or Redis could not answer. A request is never let through unchecked.
func (g *Guard) unavailable(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		g.Log.ErrorContext(r.Context(), "request not checked", "error", models.WithoutValues(err))
	}
	w.Header().Set("Retry-After", "1")
	g.Reject(w, r, errUnavailable)
}

// setRateHeaders sets the limit, what remains of it, and in how many seconds all of it is free again: the numbers of
// /v1/usage. Of an unlimited account the limit is 0, and 2147483647 remain.
func setRateHeaders(h http.Header, a Allowance) {
	v := [...]string{strconv.Itoa(a.Limit), strconv.Itoa(a.Remaining), strconv.Itoa(wholeSeconds(a.Reset))}
	// As Header.Set would write them, with one allocation for the three.
	h["Ratelimit-Limit"] = v[0:1:1]
	h["Ratelimit-Remaining"] = v[1:2:2]
	h["Ratelimit-Reset"] = v[2:3:3]
}
