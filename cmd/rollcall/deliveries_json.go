package main

import (
	"time"

	"rollcall/models"
)

// deliveryJSON is a delivery as --json lists it; what is not known is null.
type deliveryJSON struct {
	ID          string               `json:"id"`
	EventID     *string              `json:"event_id"`
	WebhookID   string               `json:"webhook_id"`
	MessageID   string               `json:"message_id"` // the header webhook-id
	AlertID     *string              `json:"alert_id"`
	Event       string               `json:"event"`
	State       models.DeliveryState `json:"state"`
	Reason      *models.DropReason   `json:"reason"`
	NextAttempt *time.Time           `json:"next_attempt"`
	CreatedAt   time.Time            `json:"created_at"`
	Payload     string               `json:"payload"`
	Attempts    []attemptJSON        `json:"attempts"`
}

type attemptJSON struct {
	At        time.Time `json:"at"`
	Status    *int      `json:"status"`
	LatencyMS int       `json:"latency_ms"`
	Answer    *string   `json:"answer"`
	Error     *string   `json:"error"`
}

// deliveryJSONOf shows a delivery to programs, with its attempts and the exact body.
func deliveryJSONOf(d *models.Delivery, attempts []*models.Attempt) deliveryJSON {
	out := deliveryJSON{
		ID: d.ID, EventID: d.EventID, WebhookID: d.WebhookID, MessageID: d.MessageID, AlertID: d.WatcherID, Event: d.Kind, State: d.State,
		Reason: d.Reason, NextAttempt: inUTC(d.NextAttempt), CreatedAt: d.CreatedAt, Payload: string(d.Body), Attempts: make([]attemptJSON, len(attempts)),
	}
	for i, a := range attempts {
		out.Attempts[i] = attemptJSON{At: a.At, Status: a.Status, LatencyMS: a.LatencyMS, Answer: a.Answer, Error: a.Error}
	}
	return out
}
