package service

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"rollcall/internal/lru"
	"rollcall/internal/server"
	"rollcall/models/store"
)

// Metrics are the figures of this process, served on ROLLCALL_METRICS_ADDR in the format of Prometheus. Values
// that only the database knows, such as the state of sources, are read when somebody asks for them.
type Metrics struct {
	registry *prometheus.Registry
	// Requests is the time of each request by method, route pattern and status.
	Requests *prometheus.HistogramVec
	inFlight prometheus.Gauge
	// Answers counts what was found in the response cache.
	Answers *lru.Use
	// Delivery is about webhooks.
	Delivery *DeliveryFigures
}

// NewMetrics registers the figures. Every label has few values, so that a hostile client cannot create series
// without end: unknown methods and paths share one label.
func NewMetrics(store *store.Store) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		Requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "rollcall_http_request_duration_seconds", Help: "Time to answer a request.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method", "route", "status"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "rollcall_http_requests_in_flight", Help: "Requests being answered."}),
		Answers:  new(lru.Use),
		Delivery: newDeliveryFigures(store),
	}
	m.registry.MustRegister(m.Requests, m.inFlight, m.Delivery, sourceCollector{store},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	pool := func(name, help string, get func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, get))
	}
	pool("rollcall_db_connections_in_use", "Database connections in use.", func() float64 { return float64(store.Use().InUse) })
	pool("rollcall_db_connections_idle", "Database connections idle.", func() float64 { return float64(store.Use().Idle) })
	pool("rollcall_db_connections_max", "Database connections at most.", func() float64 { return float64(store.Use().Max) })
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "rollcall_photographs_lost_total", Help: "Kept photographs that were missing from their place or damaged there.",
	}, func() float64 { return float64(store.LostPictures()) }))
	m.cache("records", func() *lru.Use { return store.RecordUse() })
	m.cache("responses", func() *lru.Use { return m.Answers })
	return m
}

// cache registers the reads of a cache.
func (m *Metrics) cache(name string, use func() *lru.Use) {
	read := func(result string, count func() int64) {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "rollcall_cache_reads_total", Help: "Values asked of a cache: a hit still held, a miss was read or made anew.",
			ConstLabels: prometheus.Labels{"cache": name, "result": result},
		}, func() float64 { return float64(count()) }))
	}
	read("hit", func() int64 { hits, _ := use().Totals(); return hits })
	read("miss", func() int64 { _, misses := use().Totals(); return misses })
}

// Observe returns middleware that measures each request and logs method, route pattern, status, size and time.
// It never logs the path or the query, which may hold names and ids of people. Requests are logged at debug,
// those that failed on our side at warning. requestID returns the id that the response carries.
func (m *Metrics) Observe(log *slog.Logger, requestID func(context.Context) string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			m.inFlight.Inc()
			defer m.inFlight.Dec()
			start := time.Now()
			rec := &recorder{ResponseWriter: w, request: r}
			next.ServeHTTP(rec, r)
			took, method, route, status := time.Since(start), knownMethod(r.Method), routeOf(r), rec.code(r.Context())
			m.Requests.WithLabelValues(method, route, statusLabel(status)).Observe(took.Seconds())
			level := slog.LevelDebug
			if status >= http.StatusInternalServerError {
				level = slog.LevelWarn
			}
			log.LogAttrs(r.Context(), level, "request", slog.String("id", requestID(r.Context())), slog.String("method", method),
				slog.String("route", route), slog.Int("status", status), slog.Int64("bytes", rec.bytes), slog.Duration("took", took))
		})
	}
}

// ClientClosed is the label of server.StatusClientClosed, a status that is never sent. It keeps clients that
// leave early apart from errors of the service.
const ClientClosed = "client_closed"

// statusLabel returns a status as a label of a metric.
func statusLabel(status int) string {
	if status == server.StatusClientClosed {
		return ClientClosed
	}
	return strconv.Itoa(status)
}

// routeOf returns the pattern that answered, such as /v1/roster/{id}, or "none" for a path that no route has.
func routeOf(r *http.Request) string {
	if c := chi.RouteContext(r.Context()); c != nil && c.RoutePattern() != "" {
		return c.RoutePattern()
	}
	return "none"
}

// knownMethod replaces methods that do not exist, so that they do not become labels.
func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodPut:
		return m
	}
	return "other"
}

// Handler serves the figures. At most four scrapes run at a time, since each asks the database.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}

// sourceCollector reads the lag and state of every source when the metrics are scraped.
type sourceCollector struct{ store *store.Store }

var (
	lagDesc   = prometheus.NewDesc("rollcall_source_lag_seconds", "Time since a source last succeeded.", []string{"source"}, nil)
	stateDesc = prometheus.NewDesc("rollcall_source_state", "1 for the state that a source is in.", []string{"source", "state"}, nil)
)

// Describe names the figures (prometheus.Collector).
func (c sourceCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- lagDesc
	ch <- stateDesc
}

// Collect reads the sources (prometheus.Collector). Without a database the scrape reports an invalid metric and
// the other figures still come.
func (c sourceCollector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	sources, err := c.store.Sources(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(lagDesc, err)
		return
	}
	for _, s := range sources {
		if lag := s.LagSeconds(); lag != nil {
			ch <- prometheus.MustNewConstMetric(lagDesc, prometheus.GaugeValue, float64(*lag), s.ID)
		}
		ch <- prometheus.MustNewConstMetric(stateDesc, prometheus.GaugeValue, 1, s.ID, string(s.State()))
	}
}
