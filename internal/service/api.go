package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/redis/go-redis/v9"

	"rollcall/atom"
	"rollcall/auth"
	"rollcall/calendar"
	"rollcall/docs"
	"rollcall/graph"
	"rollcall/graph/lookback"
	"rollcall/graph/playground"
	"rollcall/graph/transport"
	"rollcall/internal/public"
	"rollcall/internal/sunset"
	"rollcall/internal/turn"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
	"rollcall/photo/show"
	"rollcall/photo/vault"
	"rollcall/rest"
	"rollcall/web"
)

const (
	// requestTimeout bounds the work for one request. A single statement is bounded further, by the store.
	requestTimeout = 20 * time.Second
	// readyTimeout is shorter than the interval at which load balancers usually probe.
	readyTimeout = 2 * time.Second
)

// API is the HTTP side of the service: routes, callers, limits and metrics. It is made once and serves requests
// concurrently.
type API struct {
	// Handler is everything that is served, with its middleware.
	Handler http.Handler
	// Keys are the API keys that were looked up lately. A key that is revoked in this process is removed there.
	Keys *auth.Keyring
	// meter counts requests in memory until they are written, for limits and the usage of accounts.
	meter *auth.Meter
	// Metrics is what /metrics shows of this process.
	Metrics *Metrics
	// redis is nil when rate limits are counted in this process alone.
	redis *redis.Client
	// draining is set when the service stops. /readyz fails from then on.
	draining atomic.Bool
	closing  chan struct{} // closed when streams have to end
	// turns bound previews and imports, of GraphQL and pages together.
	turns *turn.Turns
}

// NewAPI wires the interfaces around a store. The first middleware is for every request: request id, metrics
// and access log, recovery, cross-origin rules. Groups of routes then add what they need. Paths that do not
// exist pass the checks of a key too, so the order of refusals is 401, 403, 429, 404 and 405, 400
// (DECISIONS.md, Keys). An error is about a setting, the secret key, or a Redis that cannot be reached. Close
// the API after its last request.
func NewAPI(ctx context.Context, a *App, store *store.Store) (*API, error) {
	n := &API{closing: make(chan struct{}), turns: turn.Half(), Metrics: NewMetrics(store), Keys: auth.NewKeyring(store, time.Now)}
	limiter, err := n.limiter(ctx, a.RedisURL)
	if err != nil {
		return nil, err
	}
	n.meter = auth.NewMeter(store, limiter, a.Log, time.Now)
	reject := rest.NewReject(a.Log)
	guard := &auth.Guard{
		Keys: n.Keys, Limiter: limiter, Line: auth.NewLine(), Meter: n.meter, Flood: auth.NewFlood(time.Now),
		Proxies: auth.Proxies(a.TrustedProxies), Simulated: a.Invented, Log: a.Log, Reject: auth.Reject(reject),
	}
	sessions, err := a.sessions(store, guard)
	if err != nil {
		return nil, err
	}
	endpoints, err := a.registrar()
	if err != nil {
		return nil, err
	}
	cors, err := auth.NewCORS(a.CORSOrigins)
	if err != nil {
		return nil, fmt.Errorf("ROLLCALL_CORS_ORIGINS: %w", err)
	}
	r := chi.NewRouter()
	r.Use(transportSecurity(a.BaseURL), rest.RequestID, n.Metrics.Observe(a.Log, rest.RequestIDOf), rest.Recover(reject), cors.Middleware)
	open(r, "/livez", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") })
	open(r, "/readyz", n.ready(store))
	open(r, calendar.Pattern, deadline(&calendar.Handler{Store: store, Gate: guard, Reject: reject}).ServeHTTP)
	open(r, atom.Pattern, deadline(&atom.Handler{Store: store, Gate: guard, Root: a.Root(), Reject: reject}).ServeHTTP)
	photos, err := a.photographs(store, reject)
	if err != nil {
		return nil, err
	}
	open(r, show.Pattern, deadline(photos).ServeHTTP)
	reference, gql, err := n.interfaces(r, a, store, guard, sessions, endpoints, photos)
	if err != nil {
		return nil, err
	}
	site, err := n.site(a, store, guard, sessions, endpoints, photos, reference)
	if err != nil {
		return nil, err
	}
	if err := site.Routes(r); err != nil { //nolint:contextcheck // each request brings its own
		return nil, err
	}
	if err := play(r, site, gql); err != nil {
		return nil, err
	}
	if err := a.notifications(r, store, site); err != nil { //nolint:contextcheck // each request brings its own
		return nil, err
	}
	// Without a key nobody learns which paths exist: they answer 401 like all others.
	protect := protection(guard)
	rest.Misses(r, reject)
	r.NotFound(site.Missing(protect.HandlerFunc(r.NotFoundHandler())))
	otherMethod := site.NotAllowed(func(req *http.Request) string { return rest.Allowed(r, req) }, protect.HandlerFunc(r.MethodNotAllowedHandler()))
	r.MethodNotAllowed(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/graphql" { // it refuses methods itself, and the router never routes those that it does not know
			gql.ServeHTTP(w, req)
			return
		}
		otherMethod(w, req)
	})
	n.Handler = r
	return n, nil
}

// transportSecurity has browsers come by https alone from their first answer on (RFC 6797), if the public address is https.
// Subdomains are not named: what else runs below the domain is not this program's to decide.
func transportSecurity(baseURL string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if !strings.HasPrefix(baseURL, "https://") {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
			next.ServeHTTP(w, r)
		})
	}
}

// protection is what a request with an API key passes before it is routed: the key (401), the plan (403) and
// the limit (429), in this order.
func protection(guard *auth.Guard) chi.Middlewares {
	return chi.Chain(guard.Authenticate, guard.RequirePlan, guard.Limit)
}

// interfaces routes /v1 and its description. It returns the reference of /v1 for the page that shows it, and the handler of
// /graphql, which has a page in front. Both interfaces share one resolver, so they cannot disagree. Each has half of the response cache,
// hence the shift by 19 bits instead of 20. GraphQL accepts a session besides a key, for the dashboard.
func (n *API) interfaces(
	r chi.Router, a *App, store *store.Store, guard *auth.Guard, sessions *auth.Sessions, endpoints notifier.Registrar, photos *show.Server,
) (*rest.Docs, http.Handler, error) {
	alerts := graph.Alerts{Endpoints: endpoints, Standing: guard.Standing, Closing: n.closing, Log: a.Log, Turns: n.turns}
	if mailer, err := a.mailer(store); err != nil {
		return nil, nil, err
	} else if mailer != nil {
		alerts.Mails = mailer
	}
	root := graph.NewResolver(store, a.BaseURL, callerUsage{n.meter}, alerts)
	root.Photographs = photos
	v1, err := rest.New(root, rest.Options{
		BaseURL: a.BaseURL, Reject: rest.Reject(guard.Reject), Freshness: store, Claims: store, Views: store, Keep: a.ResultCache << 19, CacheUse: n.Metrics.Answers,
		Photographs: photos, Opens: graph.Opens,
	})
	if err != nil {
		return nil, nil, err
	}
	r.Group(func(r chi.Router) {
		r.Use(protection(guard)...)
		r.Use(deadline, loaders(store), sunset.V1().Middleware(a.Root()))
		r.Mount("/v1", v1)
	})
	r.Group(func(r chi.Router) { // the same for pages, which have a session and no key (docs/decisions/0036-developers.md)
		r.Use(guard.AuthenticatePage(sessions), guard.RequirePlan, guard.Limit)
		r.Use(deadline, loaders(store), sunset.V1().Middleware(a.Root()))
		r.Mount(auth.TryPath+"/v1", v1)
	})
	gql := graph.NewHandler(root, transport.Options{
		Root: a.Root(), Log: a.Log, RequestID: rest.RequestIDOf, AllowedOrigins: a.CORSOrigins, Authorize: guard.Authorize, Admit: guard.Admit, Enter: guard.Line.Enter,
		Claims: store, Views: store, Keep: a.ResultCache << 19, CacheUse: n.Metrics.Answers, Closing: n.closing,
		Streams: &auth.Streams{}, Reject: guard.Reject,
	})
	either := chi.Chain(guard.KeyLater(sessions, gql), guard.AuthenticateEither(sessions), guard.RequirePlan, guard.Limit)
	reference, err := rest.NewDocs(a.BaseURL)
	if err != nil {
		return nil, nil, err
	}
	open(r, "/openapi.json", reference.OpenAPI)
	return reference, either.Handler(gql), nil
}

// site makes the pages for people. What pages do beyond the store, such as replaying a run, is passed as
// functions, because the package web may not import ingest or notifier.
func (n *API) site(
	a *App, store *store.Store, guard *auth.Guard, sessions *auth.Sessions, endpoints notifier.Registrar, photos *show.Server, reference *rest.Docs,
) (*web.Site, error) {
	passkeys, err := auth.NewPasskeys(sessions, a.Root())
	if err != nil {
		return nil, err
	}
	control, err := a.newJobControl(store)
	if err != nil {
		return nil, err
	}
	return web.New(web.Options{
		Endpoints: endpoints, Secrets: secretKeeper(&notifier.Secrets{Store: store, Seal: endpoints.Seal}),
		Store: store, Sessions: sessions, Passkeys: passkeys, Keys: n.Keys, Usage: n.meter, Rehearse: a.rehearser(store), Release: a.releaser(store),
		Proxies: guard.Proxies, Turns: n.turns,
		Photograph: func(id string) string {
			address, _ := photos.Address(id, vault.Small)
			return address
		},
		Root: a.Root(), Log: a.Log, Now: time.Now, Reference: manualOf(reference), Guides: docs.Guides(), Vectors: docs.Vectors(),
		Replay: a.replayer(store), RowText: a.rowText(store), Jobs: control, Documents: documents{app: a, store: store},
		Similar: lookback.New(store, n.turns),
	})
}

// manualOf returns the reference of /v1 as package web takes it, which may not import rest.
func manualOf(d *rest.Docs) web.Reference {
	out := web.Reference{Intro: d.Intro()}
	for _, p := range d.Pages() {
		out.Pages = append(out.Pages, web.ReferencePage(p))
	}
	for _, e := range d.Entries() {
		out.Entries = append(out.Entries, web.ReferenceEntry{
			Kind: e.Kind, ID: e.ID, Title: e.Title, Text: e.Text, Method: e.Method, Address: rest.DocsPath + e.Slug + "#" + e.ID, Group: e.Page,
		})
	}
	return out
}

// registrar returns what checks the addresses of new endpoints and makes their secrets. Its guard refuses
// addresses that are not public, except the networks of ROLLCALL_WEBHOOK_ALLOW.
func (a *App) registrar() (notifier.Registrar, error) {
	secrets, err := a.SecretKeys()
	if err != nil {
		return notifier.Registrar{}, err
	}
	seal, err := notifier.NewSealer(secrets...)
	return notifier.Registrar{Guard: public.New(a.WebhookAllow), Names: net.DefaultResolver, Seal: seal}, err
}

// open routes GET and HEAD of a path without a key. Only probes, references and static files may use it.
func open(r chi.Router, path string, h http.HandlerFunc) {
	r.Get(path, h)
	r.Head(path, h)
}

// play routes /graphql. Browsers that open it as a page get the playground, which is open without a key and shows no data.
func play(r chi.Router, site *web.Site, graphql http.Handler) error {
	files, err := playground.New()
	if err != nil {
		return err
	}
	page, err := site.Playground(web.Playground{Styles: files.Styles(), Scripts: files.Scripts()})
	if err != nil {
		return err
	}
	r.Handle("/graphql", playground.Page(page, graphql))
	open(r, playground.Path+"*", files.Assets().ServeHTTP)
	return nil
}

// limiter returns the counter of requests: in this process, or in Redis when replicas have to count together. A
// Redis that does not answer at the start is an error. Otherwise each replica would allow the full limit.
func (n *API) limiter(ctx context.Context, url string) (auth.Limiter, error) {
	if url == "" {
		return auth.NewLocalLimiter(time.Now), nil
	}
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("ROLLCALL_REDIS_URL is not an address like redis://host:6379/0")
	}
	n.redis = redis.NewClient(o)
	if err := n.redis.Ping(ctx).Err(); err != nil {
		return nil, fmt.Errorf("reach ROLLCALL_REDIS_URL: %w", err)
	}
	return auth.NewRedisLimiter(n.redis, nil), nil
}

// Close writes the usage that is still counted in memory and closes the connection to Redis.
func (n *API) Close(ctx context.Context) error {
	err := n.meter.Close(ctx)
	if n.redis != nil {
		err = errors.Join(err, n.redis.Close())
	}
	return err
}

// ready answers /readyz with 200 when this process can answer requests. It answers 503 while the process
// drains, and when the database does not answer within readyTimeout. The database is asked at most once a second.
func (n *API) ready(store *store.Store) http.HandlerFunc {
	database := &pulse{check: store.Ping, now: time.Now}
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case n.draining.Load():
			plain(w, http.StatusServiceUnavailable, "draining")
		case database.Err(r.Context()) != nil:
			plain(w, http.StatusServiceUnavailable, "the database does not answer")
		default:
			plain(w, http.StatusOK, "ok")
		}
	}
}

// plain answers a probe in plain text. The answer is never cached.
func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}

// loaders adds the loaders of one request to its context. They must not be shared between requests: what they
// have read is of one moment and of one caller.
func loaders(store *store.Store) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(graph.WithLoaders(r.Context(), store)))
		})
	}
}

// deadline bounds the work for one request of /v1 or of a calendar. GraphQL bounds its operations by itself,
// because a subscription has no end.
func deadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// callerUsage returns the usage of the caller's account (graph.UsageReader).
type callerUsage struct{ meter *auth.Meter }

// Usage returns the usage of the account that the caller of ctx belongs to. Without a caller it is
// CodeUnauthorized.
func (u callerUsage) Usage(ctx context.Context) (*models.Usage, error) {
	c, ok := auth.FromContext(ctx)
	if !ok {
		return nil, &models.Error{Code: models.CodeUnauthorized, Message: "usage belongs to an account: send an API key"}
	}
	return u.meter.Usage(ctx, c.Account)
}
