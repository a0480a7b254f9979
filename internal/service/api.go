package service

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/redis/go-redis/v9"

	"rollcall/auth"
	"rollcall/calendar"
	"rollcall/docs"
	"rollcall/graph"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
	"rollcall/rest"
	"rollcall/web"
)

const (
	requestTimeout = 20 * time.Second // of one request; a statement has less
	readyTimeout   = 2 * time.Second
)

// API is the HTTP side: routes, callers, limits and figures.
type API struct {
	// Everything that is served, within its middleware.
	Handler http.Handler
	// Forgets keys that were revoked.
	Keys *auth.Keyring
	// Counts calls in memory until they are written.
	meter   *auth.Meter
	Metrics *Metrics
	// nil: limits count in this process.
	redis *redis.Client
	// The service is stopping: /readyz fails.
	draining atomic.Bool
	closing  chan struct{} // closed when streams have to end
}

// NewAPI wires the interfaces around a store. Close it after the last request.
func NewAPI(ctx context.Context, a *App, store *store.Store) (*API, error) {
	n := &API{closing: make(chan struct{}), Metrics: NewMetrics(store), Keys: auth.NewKeyring(store, time.Now)}
	limiter, err := n.limiter(ctx, a.RedisURL)
	if err != nil {
		return nil, err
	}
	n.meter = auth.NewMeter(store, limiter, a.Log, time.Now)
	reject := rest.NewReject(a.Log)
	guard := &auth.Guard{
		Keys: n.Keys, Limiter: limiter, Meter: n.meter, Flood: auth.NewFlood(time.Now),
		Proxies: auth.Proxies(a.TrustedProxies), Log: a.Log, Reject: auth.Reject(reject),
	}
	sessions, err := a.sessions(store, limiter)
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
	r.Use(rest.RequestID, n.Metrics.Observe(a.Log, rest.RequestIDOf), rest.Recover(reject), cors.Middleware)
	open(r, "/livez", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") })
	open(r, "/readyz", n.ready(store))
	feeds := chi.Chain(deadline).Handler(&calendar.Handler{Store: store, Gate: guard, Reject: reject})
	r.Method(http.MethodGet, calendar.Pattern, feeds)
	r.Method(http.MethodHead, calendar.Pattern, feeds)
	reference, err := n.interfaces(r, a, store, guard, sessions, endpoints)
	if err != nil {
		return nil, err
	}
	site, err := n.site(a, store, guard, sessions, endpoints, reference)
	if err != nil {
		return nil, err
	}
	site.Routes(r) //nolint:contextcheck // each request brings its own
	// Nobody learns without a key what exists and what does not.
	protect := protection(guard)
	rest.Misses(r, reject)
	r.NotFound(site.Missing(protect.HandlerFunc(r.NotFoundHandler())))
	r.MethodNotAllowed(site.NotAllowed(func(req *http.Request) string { return rest.Allowed(r, req) }, protect.HandlerFunc(r.MethodNotAllowedHandler())))
	n.Handler = r
	return n, nil
}

// protection is what a request with an API key passes before it is routed.
func protection(guard *auth.Guard) chi.Middlewares {
	return chi.Chain(guard.Authenticate, guard.RequirePlan, guard.Limit)
}

// interfaces routes /v1, /graphql and what describes them, and gives the reference of /v1.
func (n *API) interfaces(r chi.Router, a *App, store *store.Store, guard *auth.Guard, sessions *auth.Sessions, endpoints notifier.Registrar) (template.HTML, error) {
	root := graph.NewResolver(store, a.BaseURL, callerUsage{n.meter}, graph.Alerts{
		Endpoints: endpoints, Standing: guard.Standing, Closing: n.closing, Log: a.Log,
	})
	v1, err := rest.New(root, rest.Options{
		Reject: rest.Reject(guard.Reject), Freshness: store, Claims: store, Views: store, Keep: a.ResultCache << 19,
	})
	if err != nil {
		return "", err
	}
	r.Group(func(r chi.Router) {
		r.Use(protection(guard)...)
		r.Use(deadline, loaders(store))
		r.Mount("/v1", v1)
	})
	gql := graph.NewHandler(root, graph.Options{
		Log: a.Log, RequestID: rest.RequestIDOf, AllowedOrigins: a.CORSOrigins, Authorize: guard.Authorize, Admit: guard.Admit,
		Claims: store, Views: store, Keep: a.ResultCache << 19,
	})
	either := chi.Chain(guard.AuthenticateEither(sessions), guard.RequirePlan, guard.Limit)
	return pages(r, a.BaseURL, either.Handler(gql))
}

// site makes the pages for people.
func (n *API) site(a *App, store *store.Store, guard *auth.Guard, sessions *auth.Sessions, endpoints notifier.Registrar, reference template.HTML) (*web.Site, error) {
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
		Store: store, Sessions: sessions, Passkeys: passkeys, Keys: n.Keys, Usage: n.meter, Rehearse: a.rehearser(store), Release: a.releaser(store), Proxies: guard.Proxies,
		Root: a.Root(), Log: a.Log, Now: time.Now, Reference: reference, Webhooks: docs.Webhooks(),
		Replay: a.replayer(store), RowText: a.rowText(store), Jobs: control,
	})
}

// registrar judges addresses of webhooks and makes their secrets.
func (a *App) registrar() (notifier.Registrar, error) {
	secret, err := a.Secret()
	if err != nil {
		return notifier.Registrar{}, err
	}
	seal, err := notifier.NewSealer(secret)
	return notifier.Registrar{Guard: notifier.NewGuard(a.WebhookAllow), Names: net.DefaultResolver, Seal: seal}, err
}

// open routes what anybody may read.
func open(r chi.Router, path string, h http.HandlerFunc) {
	r.Get(path, h)
	r.Head(path, h)
}

// pages routes what is open to anybody: the description of /v1 and the playground in front of graphql. It gives the
// reference of /v1 for the site's page of it.
func pages(r chi.Router, baseURL string, graphql http.Handler) (template.HTML, error) {
	reference, err := rest.NewDocs(baseURL)
	if err != nil {
		return "", err
	}
	play, err := graph.NewPlayground()
	if err != nil {
		return "", err
	}
	open(r, "/openapi.json", reference.OpenAPI)
	r.Handle("/graphql", play.Page(graphql))
	r.Handle("GET "+graph.PlaygroundAssets+"*", play.Assets())
	return reference.Body(), nil
}

// limiter counts in this process, or in Redis when replicas share one.
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

// Close writes the usage that is counted in memory, and leaves Redis.
func (n *API) Close(ctx context.Context) error {
	err := n.meter.Close(ctx)
	if n.redis != nil {
		err = errors.Join(err, n.redis.Close())
	}
	return err
}

// ready says whether this process can answer: not while it drains, nor without its database.
func (n *API) ready(store *store.Store) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		switch {
		case n.draining.Load():
			plain(w, http.StatusServiceUnavailable, "draining")
		case store.Ping(ctx) != nil:
			plain(w, http.StatusServiceUnavailable, "the database does not answer")
		default:
			plain(w, http.StatusOK, "ok")
		}
	}
}

// plain answers in plain text, for probes.
func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}

// loaders gives each request its own.
func loaders(store *store.Store) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(graph.WithLoaders(r.Context(), store)))
		})
	}
}

// deadline bounds the work for one request.
func deadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// callerUsage tells the use of whoever asks (graph.UsageReader).
type callerUsage struct{ meter *auth.Meter }

// Usage gives the usage of the account that ctx's caller belongs to.
func (u callerUsage) Usage(ctx context.Context) (*models.Usage, error) {
	c, ok := auth.FromContext(ctx)
	if !ok {
		return nil, &models.Error{Code: models.CodeUnauthorized, Message: "usage belongs to an account: send an API key"}
	}
	return u.meter.Usage(ctx, c.Account)
}
