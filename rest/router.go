package rest

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"rollcall/graph/generated"
	"rollcall/internal/answers"
	"rollcall/internal/lru"
	"rollcall/internal/once"
	"rollcall/models"
	"rollcall/photo/vault"
)

// Options are what New needs beside the resolvers. All but Views and Keep are required.
type Options struct {
	// BaseURL is the public address of /v1, for the header Location.
	BaseURL string
	// Reject answers errors. The middlewares around use the same one, so that all errors look
	// alike.
	Reject Reject
	// Freshness returns how current the records of a response are, for its headers.
	Freshness Freshness
	// Opens refuses a caller who may not use what needs the scope alerts or webhooks. Nil: the resolvers alone do.
	Opens func(ctx context.Context, scope models.Scope) error
	// Claims make a POST with an Idempotency-Key happen once.
	Claims once.Claims
	// Views report which state of the records is current. Nil: no response is cached.
	Views Views
	// Keep is the size of the response cache in bytes; 0: no cache (decision 4).
	Keep int
	// Photographs sends the photograph of a booking; nil: there is none.
	Photographs Photographs
	// CacheUse counts what was found in it; nil counts nothing.
	CacheUse *lru.Use
}

// Photographs sends photographs; *show.Server does.
type Photographs interface {
	// Send answers with the photograph of a booking, by its key. An error means that nothing was sent.
	Send(w http.ResponseWriter, r *http.Request, rid int64, size vault.Size) error
}

// Views report which state of the records is current; *store.Store implements it.
type Views = answers.Views

// api is /v1. It is safe for concurrent use and holds nothing of a single request.
type api struct {
	// Resolvers of GraphQL, called as methods, so that both interfaces read alike.
	root generated.ResolverRoot
	// Public address of /v1.
	base string
	// Source of X-Data-As-Of and X-Data-Stale.
	fresh Freshness
	// Stored answers of requests with an Idempotency-Key.
	claims   once.Claims
	reject   Reject
	photos   Photographs
	compress *compressor
	// Pool of *answer: their buffers serve the next request.
	answers sync.Pool
	// Responses that are sent again until a record that they show changes (decision 4). Nil
	// caches nothing.
	kept *answers.Cache[*sending]
}

// New returns the handler of /v1, to be mounted there. Keys, plans and limits are checked around
// it, also for unknown paths (so these are 401 without a key). Requests must carry the resolvers'
// loaders. An error means that the encoder of a compression could not be made. Every address also
// works with a slash at its end, and GET addresses answer HEAD.
func New(root generated.ResolverRoot, o Options) (chi.Router, error) {
	c, err := newCompressor()
	if err != nil {
		return nil, err
	}
	h := &api{root: root, base: o.BaseURL, fresh: o.Freshness, claims: o.Claims, reject: o.Reject, photos: o.Photographs, compress: c}
	if o.Views != nil {
		h.kept = answers.New(o.Keep, o.Views, o.CacheUse, (*sending).weight)
	}
	r := chi.NewRouter()
	if o.Opens != nil {
		r.Use(h.scoped(o.Opens))
	}
	Misses(r, o.Reject)
	get := func(pattern string, fill func(a *answer, r *http.Request) error, shows ...models.Family) {
		handler := h.serve(fill, shows...)
		for _, p := range []string{pattern, pattern + "/"} {
			r.Get(p, handler)
			r.Head(p, handler)
		}
	}
	get("/roster", h.listRoster, models.Roster)
	get("/roster/{id}", h.showBooking, models.Roster, models.Corrections)
	for _, p := range []string{"/roster/{id}/mugshot", "/roster/{id}/mugshot/"} {
		r.Get(p, h.showMugshot)
		r.Head(p, h.showMugshot)
	}
	get("/courts", h.listCourts, models.Courts)
	r.Get("/courts/*", h.serve(h.showCase, models.Courts))
	r.Head("/courts/*", h.serve(h.showCase, models.Courts))
	get("/corrections", h.listCorrections, models.Corrections)
	get("/corrections/{gdc_id}", h.showOffender, models.Corrections, models.Roster)
	get("/counties", h.listCounties)
	get("/sources", h.listSources)
	get("/usage", h.showUsage)
	h.routeAlerts(r, get)
	return r, nil
}

// scopes are what a key needs for the addresses that begin so.
var scopes = map[string]models.Scope{
	"alerts": models.ScopeAlerts, "hits": models.ScopeAlerts, "webhooks": models.ScopeWebhooks, "deliveries": models.ScopeWebhooks,
}

// scoped refuses a key without the scope of an address before anything else is read of the request, also where there is no such address.
func (h *api) scoped(opens func(ctx context.Context, scope models.Scope) error) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			first, _, _ := strings.Cut(strings.TrimPrefix(chi.RouteContext(r.Context()).RoutePath, "/"), "/")
			if scope, ok := scopes[first]; ok {
				if err := opens(r.Context(), scope); err != nil {
					h.reject(w, r, err)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// routeAlerts routes watchers, webhooks and deliveries: the only resources that callers can
// change.
func (h *api) routeAlerts(r chi.Router, get func(pattern string, fill func(a *answer, r *http.Request) error, shows ...models.Family)) {
	change := func(method, pattern string, do changer) {
		handler := h.change(pattern, do)
		for _, p := range []string{pattern, pattern + "/"} {
			r.Method(method, p, handler)
		}
	}
	get("/alerts", h.listAlerts)
	change(http.MethodPost, "/alerts", h.createAlert)
	change(http.MethodPost, "/alerts/preview", h.previewAlert)
	get("/alerts/{id}", h.showAlert)
	change(http.MethodPatch, "/alerts/{id}", h.changeAlert)
	change(http.MethodDelete, "/alerts/{id}", h.deleteAlert)
	get("/alerts/{id}/hits", h.listHits)
	change(http.MethodPost, "/hits/{id}/feedback", h.giveFeedback)
	get("/webhooks", h.listWebhooks)
	change(http.MethodPost, "/webhooks", h.createWebhook)
	get("/webhooks/{id}", h.showWebhook)
	change(http.MethodPatch, "/webhooks/{id}", h.changeWebhook)
	change(http.MethodDelete, "/webhooks/{id}", h.deleteWebhook)
	change(http.MethodPost, "/webhooks/{id}/test", h.testWebhook)
	change(http.MethodPost, "/webhooks/{id}/enable", h.enableWebhook)
	get("/webhooks/{id}/deliveries", h.listDeliveries)
	change(http.MethodPost, "/webhooks/{id}/replay", h.replay)
	change(http.MethodPost, "/deliveries/{id}/redeliver", h.redeliver)
}

// pathText returns a part of the path, unescaped exactly once: the router matches the escaped
// path when that differs from the plain one. Unescaping twice would turn the case number "50%25"
// into "50%". A part that is empty, or not escaped well, is not found. Record ids are opaque and are never
// parsed here (DECISIONS, "Lists and parameters").
func pathText(r *http.Request, name string) (string, error) {
	part := chi.URLParam(r, name)
	if part == "" {
		return "", models.NotFound("this address has nothing between two slashes, where an id belongs")
	}
	if r.URL.RawPath == "" {
		return part, nil
	}
	plain, err := url.PathUnescape(part)
	if err != nil {
		return "", models.NotFound("this address is not escaped as a URL demands: write % as %25")
	}
	return plain, nil
}

// openList begins the body of a list, up to its first record. Every list has the same members:
// total, limit, offset and its records (DECISIONS, "Lists and parameters").
func (e *encoder) openList(total, limit, offset int, name string) {
	e.object()
	e.number("total", total)
	e.number("limit", limit)
	e.number("offset", offset)
	e.array(name)
}

// closeList ends the records and the body of a list.
func (e *encoder) closeList() {
	e.endArray()
	e.endObject()
}
