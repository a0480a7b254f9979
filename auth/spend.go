package auth

import (
	"net/http"
	"strconv"

	"rollcall/models"
)

// Spend counts a request against an account's limit, waits in the account's Line, and reports whether it may be answered;
// then the request calls leave. When it returns false it has answered already: 429, or 503 when the limit could not be
// determined or the wait was too long. Addresses that carry a token of the account instead of a key use it, such as calendars.
func (g *Guard) Spend(w http.ResponseWriter, r *http.Request, account *models.Account) (leave func(), ok bool) {
	_, leave, ok = g.enter(w, r, &Caller{Account: account})
	return leave, ok
}

// enter is Spend for a caller. The context of the request it returns knows how to leave the line.
func (g *Guard) enter(w http.ResponseWriter, r *http.Request, c *Caller) (in *http.Request, leave func(), ok bool) {
	if !g.spend(w, r, c) {
		return nil, nil, false
	}
	ctx, leave, err := g.Line.enter(r.Context(), c.Account.ID)
	switch {
	case err == nil:
		return r.WithContext(ctx), leave, true
	case models.CodeOf(err) == models.CodeUnavailable:
		w.Header().Set("Retry-After", "1")
		g.Reject(w, r, err)
	default:
		g.unavailable(w, r, err)
	}
	return nil, nil, false
}

// spend counts a request against the limit of its caller, and in the account's usage.
func (g *Guard) spend(w http.ResponseWriter, r *http.Request, c *Caller) bool {
	a, err := take(r.Context(), g.Limiter, c, 1)
	if err != nil {
		g.unavailable(w, r, err)
		return false
	}
	g.Meter.count(c.Account.ID, a.OK)
	setRateHeaders(w.Header(), a)
	if !a.OK {
		w.Header().Set("Retry-After", strconv.Itoa(wholeSeconds(a.Wait)))
		g.Reject(w, r, tooMany(a))
	}
	return a.OK
}

// Slow delays a request whose token opens nothing, like one without a valid key. Otherwise tokens could be guessed at
// full speed.
func (g *Guard) Slow(w http.ResponseWriter, r *http.Request) {
	if !g.Flood.Wait(r.Context(), g.Proxies.Client(r)) {
		w.Header().Set("Connection", "close")
	}
}
