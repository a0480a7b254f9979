package auth

import (
	"net/http"
	"strconv"

	"rollcall/models"
)

// Spend counts a request against an account's limit and reports whether it may be answered. When it returns false it
// has answered already: 429, or 503 when the limit could not be determined. Addresses that carry a token of the
// account instead of a key use it, such as calendars.
func (g *Guard) Spend(w http.ResponseWriter, r *http.Request, account *models.Account) bool {
	return g.spend(w, r, &Caller{Account: account})
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
