package main

import (
	"time"

	"rollcall/internal/cell"
	"rollcall/models"
)

// deliveryJSON is a delivery as --json lists it. What is not known is null.
type deliveryJSON struct {
	ID string `json:"id"`
	// EventID is that of /v1: it is sent in the header webhook-id, and stays the same over all attempts and replays.
	EventID string `json:"event_id"`
	// WebhookID is the id of the endpoint.
	WebhookID string `json:"webhook_id"`
	// MessageID is EventID under its name of old.
	MessageID string  `json:"message_id"`
	AlertID   *string `json:"alert_id"`
	// Event is booking, release or bond_change, or the kind of a notice such as a retraction.
	Event string               `json:"event"`
	State models.DeliveryState `json:"state"`
	// Reason is set if and only if the delivery was dropped.
	Reason *models.DropReason `json:"reason"`
	// NextAttempt is null for a delivery that is final.
	NextAttempt *time.Time `json:"next_attempt"`
	CreatedAt   time.Time  `json:"created_at"`
	// Payload is the body, byte for byte, as every attempt sends it: the signatures cover it. It is empty while
	// the record must not be shown.
	Payload  string        `json:"payload"`
	Attempts []attemptJSON `json:"attempts"`
}

// attemptJSON is one request to an endpoint.
type attemptJSON struct {
	At time.Time `json:"at"`
	// Status is null when no HTTP answer came within 5 seconds of the start; Error then has the reason.
	Status *int `json:"status"`
	// LatencyMS is in milliseconds from the start of the attempt, connect and TLS included.
	LatencyMS int `json:"latency_ms"`
	// Answer is the beginning of the response body.
	Answer *string `json:"answer"`
	Error  *string `json:"error"`
}

// deliveryJSONOf converts a delivery for --json, with its attempts in the order in which they were made.
func deliveryJSONOf(d *models.Delivery, attempts []*models.Attempt) deliveryJSON {
	out := deliveryJSON{
		ID: d.ID, EventID: d.MessageID, WebhookID: d.WebhookID, MessageID: d.MessageID, AlertID: d.WatcherID, Event: d.Kind, State: d.State,
		Reason: d.Reason, NextAttempt: cell.UTC(d.NextAttempt), CreatedAt: d.CreatedAt, Payload: string(d.Body), Attempts: make([]attemptJSON, len(attempts)),
	}
	for i, a := range attempts {
		out.Attempts[i] = attemptJSON{At: a.At, Status: a.Status, LatencyMS: a.LatencyMS, Answer: a.Answer, Error: a.Error}
	}
	return out
}
