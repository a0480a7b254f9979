package rest

import (
	"net/http"
	"net/url"
	"sync"

	"github.com/go-chi/chi/v5"

	"rollcall/graph/generated"
	"rollcall/internal/answers"
	"rollcall/internal/once"
	"rollcall/models"
)

// Options are what New needs beside the resolvers; all but Views and Keep are required.
type Options struct {
	Reject    Reject      // answers errors, also those of the middlewares around
	Freshness Freshness   // labels answers
	Claims    once.Claims //  makes a POST with an Idempotency-Key happen once
	Views     Views       // tells when records changed; nil: no answer is kept
	Keep      int         // bytes of memory for answers to be given again; 0: none is kept
}

// Views tells the state of the records; *store.Store does.
type Views = answers.Views

// api is /v1.
type api struct {
	// The resolvers of GraphQL, called as methods: both interfaces read alike.
	root generated.ResolverRoot
	// How current a family is.
	fresh Freshness
	// Idempotency keys.
	claims   once.Claims
	reject   Reject
	compress *compressor
	answers  sync.Pool // of *answer
	// Responses that are sent again until a record they show changes (decision 4); nil: none are.
	kept *answers.Cache[*sending]
}

// New makes the handler of /v1, to be mounted there. Keys, plans and limits are checked around it
// (so an unknown path without a key is 401), and the requests carry the resolvers' loaders.
func New(root generated.ResolverRoot, o Options) (chi.Router, error) {
	c, err := newCompressor()
	if err != nil {
		return nil, err
	}
	h := &api{root: root, fresh: o.Freshness, claims: o.Claims, reject: o.Reject, compress: c}
	if o.Views != nil {
		h.kept = answers.New(o.Keep, o.Views, (*sending).weight)
	}
	r := chi.NewRouter()
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

// routeAlerts routes watchers, webhooks and deliveries, which alone can be changed.
func (h *api) routeAlerts(r chi.Router, get func(pattern string, fill func(a *answer, r *http.Request) error, shows ...models.Family)) {
	change := func(method, pattern string, do changer) {
		handler := h.change(do)
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

// pathText gives a part of the path, unescaped exactly once: the router matches the escaped path
// when that differs from the plain one.
func pathText(r *http.Request, name string) (string, error) {
	part := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return part, nil
	}
	plain, err := url.PathUnescape(part)
	if err != nil {
		return "", models.NotFound("this address is not escaped as a URL demands: write % as %25")
	}
	return plain, nil
}

// openList begins the body of a list, up to its first record.
func (e *encoder) openList(total, limit, offset int, name string) {
	e.object()
	e.number("total", total)
	e.number("limit", limit)
	e.number("offset", offset)
	e.array(name)
}

// closeList ends a list and the object around it.
func (e *encoder) closeList() {
	e.endArray()
	e.endObject()
}
