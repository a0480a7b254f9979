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

	"rollcall/internal/server"
	"rollcall/models/store"
)

// Metrics are this process's figures, served on ROLLCALL_METRICS_ADDR.
type Metrics struct {
	registry *prometheus.Registry
	// By method, route pattern and status.
	Requests *prometheus.HistogramVec
	inFlight prometheus.Gauge
	// Webhooks.
	Delivery *DeliveryFigures
}

// NewMetrics registers the figures. Labels have few values, so that a hostile client cannot make new series.
func NewMetrics(store *store.Store) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		Requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "rollcall_http_request_duration_seconds", Help: "Time to answer a request.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method", "route", "status"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "rollcall_http_requests_in_flight", Help: "Requests being answered."}),
		Delivery: newDeliveryFigures(store),
	}
	m.registry.MustRegister(m.Requests, m.inFlight, m.Delivery, sourceCollector{store},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	pool := func(name, help string, get func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, get))
	}
	pool("rollcall_db_connections_in_use", "Database connections in use.", func() float64 { return float64(store.Stat().AcquiredConns()) })
	pool("rollcall_db_connections_idle", "Database connections idle.", func() float64 { return float64(store.Stat().IdleConns()) })
	pool("rollcall_db_connections_max", "Size of the pool.", func() float64 { return float64(store.Stat().MaxConns()) })
	return m
}

// Observe measures each request and writes a line of it to the log: method, route pattern, status,
// size, time. Never the path or the query, which may hold names and ids of people.
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

// ClientClosed is the label of server.StatusClientClosed, a status that is never sent.
const ClientClosed = "client_closed"

// statusLabel returns the status as a label.
func statusLabel(status int) string {
	if status == server.StatusClientClosed {
		return ClientClosed
	}
	return strconv.Itoa(status)
}

// routeOf is the pattern that answered, such as /v1/roster/{id}.
func routeOf(r *http.Request) string {
	if c := chi.RouteContext(r.Context()); c != nil && c.RoutePattern() != "" {
		return c.RoutePattern()
	}
	return "none"
}

// knownMethod keeps invented methods from becoming labels.
func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodPut:
		return m
	}
	return "other"
}

// Handler serves the figures.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}

// sourceCollector reports every source's lag and state at the moment of scraping.
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

// Collect reads the sources (prometheus.Collector). Without a database there are no figures.
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
