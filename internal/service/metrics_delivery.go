package service

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
)

// DeliveryFigures are what this process sent, and what is still to be sent over all processes.
type DeliveryFigures struct {
	store *store.Store
	// attempts is the time of each attempt by the class of its outcome, such as a time-out.
	attempts *prometheus.HistogramVec
	// late is the time from when an attempt was due to its start. It grows when sending cannot keep up.
	late prometheus.Histogram
	// age is the time from the making of a delivery to its receipt, which is what a subscriber notices.
	age prometheus.Histogram
	// ended counts deliveries that reached a final state here.
	ended *prometheus.CounterVec
	// open, oldest and webhooks describe figures that are read from the database when they are scraped.
	open     *prometheus.Desc
	oldest   *prometheus.Desc
	webhooks *prometheus.Desc
}

// newDeliveryFigures makes the figures. The longest bucket is an hour, which is beyond the retries after 30 s,
// 5 min and 30 min.
func newDeliveryFigures(store *store.Store) *DeliveryFigures {
	seconds := []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600}
	return &DeliveryFigures{
		store: store,
		attempts: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "rollcall_delivery_attempt_duration_seconds", Help: "Time of an attempt to deliver, by what came of it.", Buckets: seconds[:11],
		}, []string{"class"}),
		late: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "rollcall_delivery_lateness_seconds", Help: "From when an attempt was due to its start.", Buckets: seconds,
		}),
		age: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "rollcall_delivery_age_seconds", Help: "From the making of a delivery to its being delivered.", Buckets: seconds,
		}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "rollcall_deliveries_ended_total", Help: "Deliveries that an attempt ended, by state.",
		}, []string{"state"}),
		open:     prometheus.NewDesc("rollcall_deliveries_open", "Deliveries under way over all processes, by state.", []string{"state"}, nil),
		oldest:   prometheus.NewDesc("rollcall_delivery_oldest_due_seconds", "Since when the longest waiting delivery is due; 0: none is.", nil, nil),
		webhooks: prometheus.NewDesc("rollcall_webhooks", "Endpoints whose last attempt failed, and disabled ones.", []string{"state"}, nil),
	}
}

// Observe counts an attempt. It is safe for concurrent use.
func (f *DeliveryFigures) Observe(s notifier.Sent) {
	f.attempts.WithLabelValues(string(s.Class)).Observe(s.Latency.Seconds())
	f.late.Observe(s.Late.Seconds())
	switch s.State {
	case models.DeliveryDelivered:
		f.age.Observe(s.Age.Seconds())
		f.ended.WithLabelValues(string(s.State)).Inc()
	case models.DeliveryDropped:
		f.ended.WithLabelValues(string(s.State)).Inc()
	case models.DeliveryPending, models.DeliveryFailed:
	}
}

// Describe names the figures (prometheus.Collector).
func (f *DeliveryFigures) Describe(ch chan<- *prometheus.Desc) {
	f.attempts.Describe(ch)
	f.late.Describe(ch)
	f.age.Describe(ch)
	f.ended.Describe(ch)
	ch <- f.open
	ch <- f.oldest
	ch <- f.webhooks
}

// Collect returns what was counted and reads what is still to be sent (prometheus.Collector).
func (f *DeliveryFigures) Collect(ch chan<- prometheus.Metric) {
	f.attempts.Collect(ch)
	f.late.Collect(ch)
	f.age.Collect(ch)
	f.ended.Collect(ch)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	b, err := f.store.DeliveryBacklog(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(f.open, err)
		return
	}
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	gauge(f.open, float64(b.Pending), "pending")
	gauge(f.open, float64(b.Failed), "failed")
	waiting := 0.0
	if b.Oldest != nil {
		waiting = time.Since(*b.Oldest).Seconds()
	}
	gauge(f.oldest, waiting)
	gauge(f.webhooks, float64(b.Failing), "failing")
	gauge(f.webhooks, float64(b.Disabled), "disabled")
}
