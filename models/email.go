package models

import "strings"

// Way is how an endpoint is reached.
type Way string

// The ways. /v1 knows webhooks alone (docs/decisions/0018-email-and-atom.md).
const (
	ByWebhook Way = "webhook"
	ByEmail   Way = "email"
)

// Digest is which deliveries of an endpoint go together as one mail.
type Digest string

// The digests.
const (
	DigestNone Digest = "none" // one mail an event
	DigestHour Digest = "hour" // at each full hour
	DigestDay  Digest = "day"  // at 7:00 in Georgia
)

// Mailto begins the URL of an e-mail endpoint.
const Mailto = "mailto:"

// Address is the address of an e-mail endpoint; empty for a webhook.
func (h *Webhook) Address() string {
	if h.Way != ByEmail {
		return ""
	}
	return strings.TrimPrefix(h.URL, Mailto)
}
