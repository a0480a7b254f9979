package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"
)

// Webhook is an endpoint. Fields with omitempty are absent unless they were set.
type Webhook struct {
	Meta `json:"-"`
	// ID is opaque.
	ID string `json:"id"`
	// URL receives the events.
	URL string `json:"url"`
	// Events are the kinds that it receives.
	Events []string `json:"events"`
	// Status is active or disabled.
	Status string `json:"status"`
	// CreatedAt is UTC.
	CreatedAt time.Time `json:"created_at"`
	// PayloadVersion is 2; absent: 1.
	PayloadVersion int `json:"payload_version,omitempty"`
	// Notices are further messages: retraction, sealed, source_stale.
	Notices []string `json:"notices,omitempty"`
	// Paused endpoints receive nothing.
	Paused bool `json:"paused,omitempty"`
	// DisabledReason says why it was disabled.
	DisabledReason string `json:"disabled_reason,omitempty"`
}

// NewWebhook is an endpoint to register. Empty fields are left to their defaults.
type NewWebhook struct {
	// URL is public, https, without user and fragment.
	URL string `json:"url"`
	// Events are kinds, at least one.
	Events []string `json:"events"`
	// PayloadVersion is 1 or 2; 0: 1.
	PayloadVersion int `json:"payload_version,omitempty"`
	// Notices are retraction, sealed, source_stale.
	Notices []string `json:"notices,omitempty"`
	// Paused registers it paused.
	Paused bool `json:"paused,omitempty"`
}

// WebhookChange is what to change of an endpoint: Set a field, Clear it, or leave it.
type WebhookChange struct {
	URL            Change[string]   `json:"url,omitzero"`
	Events         Change[[]string] `json:"events,omitzero"`
	PayloadVersion Change[int]      `json:"payload_version,omitzero"`
	Notices        Change[[]string] `json:"notices,omitzero"`
	Paused         Change[bool]     `json:"paused,omitzero"`
}

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	Meta `json:"-"`
	// ID is opaque.
	ID string `json:"id"`
	// EventID is sent as webhook-id.
	EventID string `json:"event_id"`
	// Event is what happened.
	Event string `json:"event"`
	// WebhookID is the endpoint.
	WebhookID string `json:"webhook_id"`
	// AlertID is the watcher; nil for a test and for notices about sources.
	AlertID *string `json:"alert_id"`
	// State is pending, delivered, failed (waits for its next attempt) or dropped (has none).
	State string `json:"state"`
	// Reason says why it was dropped; nil: it was not.
	Reason *string `json:"reason"`
	// NextAttempt is nil when there is none.
	NextAttempt *time.Time `json:"next_attempt"`
	// CreatedAt is UTC.
	CreatedAt time.Time `json:"created_at"`
	// Payload is the body; empty when the record must not be shown any more.
	Payload string `json:"payload"`
	// Attempts are oldest first.
	Attempts []Attempt `json:"attempts"`
}

// Attempt is one request to an endpoint.
type Attempt struct {
	// At is UTC.
	At time.Time `json:"at"`
	// Status is that of HTTP; nil: there was no answer.
	Status *int `json:"status"`
	// LatencyMS is in milliseconds.
	LatencyMS int `json:"latency_ms"`
	// Answer is the first 1 KB of it.
	Answer *string `json:"answer"`
	// Error says what went wrong; nil: it was taken.
	Error *string `json:"error"`
}

// DeliveryFilter narrows a list of deliveries. Empty fields do not narrow.
type DeliveryFilter struct {
	// AlertID is a watcher.
	AlertID string
	// State is pending, delivered, failed or dropped.
	State string
	// From is included, To is not.
	From, To time.Time
}

// Replay says which deliveries to send once more.
type Replay struct {
	// From is included, To is not; nil: no bound.
	From *time.Time `json:"from,omitempty"`
	To   *time.Time `json:"to,omitempty"`
	// States are delivered and dropped; empty: dropped.
	States []string `json:"states,omitempty"`
	// DryRun only counts.
	DryRun bool `json:"dry_run,omitempty"`
}

// ReplayResult is what a replay did, or would do.
type ReplayResult struct {
	// Count is of deliveries.
	Count int `json:"count"`
}

// Webhooks yields the account's endpoints, newest first.
func (c *Client) Webhooks(ctx context.Context) iter.Seq2[Webhook, error] {
	return all[Webhook](ctx, c, "/webhooks", "webhooks", url.Values{})
}

// Webhook returns one endpoint.
func (c *Client) Webhook(ctx context.Context, id string) (Webhook, error) {
	return show[Webhook](ctx, c, webhookPath(id))
}

// CreateWebhook registers an endpoint. The secret that signs is in the account settings, never here.
func (c *Client) CreateWebhook(ctx context.Context, n NewWebhook) (Webhook, error) {
	return send[Webhook](ctx, c, http.MethodPost, "/webhooks", n)
}

// ChangeWebhook changes an endpoint and returns it as it is now.
func (c *Client) ChangeWebhook(ctx context.Context, id string, change WebhookChange) (Webhook, error) {
	return send[Webhook](ctx, c, http.MethodPatch, webhookPath(id), change)
}

// DeleteWebhook deletes an endpoint. One that is gone already is CodeNotFound.
func (c *Client) DeleteWebhook(ctx context.Context, id string) error {
	_, err := c.call(ctx, http.MethodDelete, webhookPath(id), nil, nil)
	return err
}

// EnableWebhook lets an endpoint that was disabled receive events again.
func (c *Client) EnableWebhook(ctx context.Context, id string) (Webhook, error) {
	return send[Webhook](ctx, c, http.MethodPost, webhookPath(id)+"/enable", nil)
}

// TestWebhook sends a test delivery, of a record that is invented.
func (c *Client) TestWebhook(ctx context.Context, id string) (Delivery, error) {
	return send[Delivery](ctx, c, http.MethodPost, webhookPath(id)+"/test", nil)
}

// Deliveries yields the deliveries of an endpoint, newest first, with their attempts.
func (c *Client) Deliveries(ctx context.Context, webhookID string, f DeliveryFilter) iter.Seq2[Delivery, error] {
	return all[Delivery](ctx, c, webhookPath(webhookID)+"/deliveries", "deliveries",
		query("alert_id", f.AlertID, "state", f.State, "from", instant(f.From), "to", instant(f.To)))
}

// Redeliver sends a delivery once more, with the same bytes and webhook-id. One that is still being tried is CodeConflict.
func (c *Client) Redeliver(ctx context.Context, id string) (Delivery, error) {
	return send[Delivery](ctx, c, http.MethodPost, "/deliveries/"+url.PathEscape(id)+"/redeliver", nil)
}

// ReplayDeliveries sends the deliveries of a span of time once more, or counts them.
func (c *Client) ReplayDeliveries(ctx context.Context, webhookID string, r Replay) (ReplayResult, error) {
	return send[ReplayResult](ctx, c, http.MethodPost, webhookPath(webhookID)+"/replay", r)
}

// webhookPath returns the path of an endpoint.
func webhookPath(id string) string { return "/webhooks/" + url.PathEscape(id) }
