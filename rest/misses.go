package rest

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
)

// methods are those that an address may answer, in the order in which Allow lists them.
var methods = [...]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete}

var errNoAddress = models.NotFound("page not found; /openapi.json lists all addresses")

// Misses makes r answer in the common shape where it has no handler: 404, or 405 with Allow where
// the address answers another method. The program's outermost router needs it too, since unknown
// methods get no further. A wrong method is 405 only with a key: the checks of auth stand around.
func Misses(r chi.Router, reject Reject) {
	notFound := func(w http.ResponseWriter, req *http.Request) { reject(w, req, errNoAddress) }
	r.NotFound(notFound)
	r.MethodNotAllowed(func(w http.ResponseWriter, req *http.Request) {
		allow := Allowed(r, req)
		if allow == "" {
			notFound(w, req)
			return
		}
		w.Header().Set("Allow", allow)
		reject(w, req, &models.Error{Code: models.CodeMethodNotAllowed, Message: "this address answers only " + allow})
	})
}

// Allowed returns the methods that routes answers at the address of req, as in the header Allow.
// Empty: there is no such address.
func Allowed(routes chi.Routes, req *http.Request) string {
	path := chi.RouteContext(req.Context()).RoutePath
	if path == "" {
		path = req.URL.EscapedPath()
	}
	answers := func(method string) bool {
		c := chi.NewRouteContext()
		return routes.Match(c, method, path) && !lacksPart(c)
	}
	if answers(http.MethodTrace) { // no handler does: below this address other routes are mounted, and it has none itself
		return ""
	}
	var names []string
	for _, m := range methods {
		if answers(m) {
			names = append(names, m)
		}
	}
	return strings.Join(names, ", ")
}

// lacksPart reports whether a part that the route names is empty, as in /webhooks//replay: chi matches that, and there is no
// such address.
func lacksPart(c *chi.Context) bool {
	for i, name := range c.URLParams.Keys {
		if name != "*" && c.URLParams.Values[i] == "" {
			return true
		}
	}
	return false
}
