package models

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// Notice is a kind of message beside the events that a registration may ask for.
type Notice string

// The notices of DECISIONS.md, "Alerts". They are sent as payload version 2.
const (
	NoticeRetraction  Notice = "retraction"   // a release that was sent is withdrawn
	NoticeSourceStale Notice = "source_stale" // watchers see nothing of a county, and see again
	NoticeWithheld    Notice = "sealed"       // a record that was sent must not be shown any more
)

// WebhookStatus is whether events are sent to an endpoint.
type WebhookStatus string

// The statuses. The service disables a registration whose endpoint is gone; EnableWebhook ends that.
const (
	WebhookActive   WebhookStatus = "active"
	WebhookDisabled WebhookStatus = "disabled"
)

// Webhook is a registration: an address that gets the events of an account. It is the GORM model of webhooks.
type Webhook struct {
	ID             string        `gorm:"primaryKey"` // wh_...
	AccountID      string        // whose it is
	Way            Way           // how it is reached
	URL            string        // https; what is under way follows a new one. By e-mail: mailto:
	Events         []EventKind   `gorm:"serializer:list"` // in the contract's order, never empty
	PayloadVersion int           // 1 or 2
	Notices        []Notice      `gorm:"serializer:list"` // never nil
	Paused         bool          // by the account
	Status         WebhookStatus // disabled by the service, not by the account
	DisabledReason *string       // set if and only if disabled
	FailingSince   *time.Time    `gorm:"serializer:utc"` // the first failure after the last success; nil: it works
	Digest         Digest        // by e-mail: which deliveries go together
	Bounces        int           // by e-mail: mails that were refused for good since the last one that was taken
	ConfirmedAt    *time.Time    `gorm:"serializer:utc"` // by e-mail: when the recipient last confirmed; nil: never
	Bin            *BinAnswer    // set: the service itself hosts it, and answers so
	CreatedAt      time.Time     `gorm:"serializer:utc"` // UTC
	DeletedAt      *time.Time    `gorm:"serializer:utc"` // nil: it is not deleted; a row is never removed
}

// TableName is the table of registrations.
func (Webhook) TableName() string { return "webhooks" }

// NotPublicError is the refusal of an address that looks like a receiver on somebody's own machine: its host is not public, or it is http.
// Message says why; the whole error says also how to test such a receiver.
type NotPublicError struct{ Message string }

// Error returns Message and what to do.
func (e *NotPublicError) Error() string {
	return e.Message + ". To test a receiver on your own machine, put a tunnel in front of rollcall webhook listen --plain, " +
		"and register the tunnel's address. Or ask the operator to list the network in ROLLCALL_WEBHOOK_ALLOW, " +
		"and the receiver's certificate in ROLLCALL_WEBHOOK_CA_FILE"
}

// NewWebhook is what CreateWebhook takes. URL is checked by the caller (notifier.CheckURL).
type NewWebhook struct {
	URL            string
	Events         []EventKind
	PayloadVersion *int // nil: 1
	Notices        []Notice
	Paused         bool
	Bin            *BinAnswer // a request bin, which has no URL; nil: it is none
}

// WebhookChange holds what to change of a registration; nil leaves it.
type WebhookChange struct {
	URL            *string // checked by the caller
	Events         *[]EventKind
	PayloadVersion *int
	Notices        *[]Notice
	Paused         *bool
	Bin            *BinAnswer // of a request bin only
	Seen           *string    // Version that the change is of: ErrChanged if it is another by now; nil: whatever it is
}

// WebhookPage is one page of an account's registrations.
type WebhookPage struct {
	Total    int
	Limit    int
	Offset   int
	Webhooks []*Webhook
}

const (
	maxWebhookURL = 2000
	// MaxWebhooks bounds the registrations of an account: each event goes to all of them.
	MaxWebhooks = 100
)

// Apply applies c to h and checks what it changes.
func (h *Webhook) Apply(c WebhookChange) (err error) {
	if h.Bin != nil && c.URL != nil && *c.URL != h.URL {
		return InvalidBody("url", "the address of a request bin cannot be changed; add an endpoint of your own instead")
	}
	if c.Bin != nil {
		if h.Bin == nil {
			return InvalidBody("answer", "only the request bin has an answer to choose")
		}
		h.Bin = c.Bin
	}
	set(&h.URL, c.URL)
	if h.URL == "" || len(h.URL) > maxWebhookURL {
		return InvalidBody("url", "url must be an https address of at most 2000 bytes")
	}
	if c.Events != nil {
		if h.Events, err = orderKinds(*c.Events); err != nil {
			return err
		}
	}
	set(&h.PayloadVersion, c.PayloadVersion)
	if h.PayloadVersion != 1 && h.PayloadVersion != 2 {
		return InvalidBody("payload_version", "%s must be 1 or 2", "payload_version")
	}
	if c.Notices != nil {
		h.Notices = []Notice{}
		for _, n := range *c.Notices {
			n = Notice(strings.ToLower(string(n)))
			if !slices.Contains([]Notice{NoticeRetraction, NoticeSourceStale, NoticeWithheld}, n) {
				return InvalidBody("notices", "notices must be retraction, source_stale or sealed")
			}
			if !slices.Contains(h.Notices, n) {
				h.Notices = append(h.Notices, n)
			}
		}
	}
	set(&h.Paused, c.Paused)
	return nil
}

// WebhookPatience is how long a registration may do nothing but fail before it is disabled (DECISIONS.md, "Webhooks").
const WebhookPatience = 5 * 24 * time.Hour

// Breaker is how many attempts at once an endpoint gets. It never moves an attempt (DECISIONS.md, "Webhooks").
type Breaker string

// The states of a breaker.
const (
	BreakerClosed Breaker = "closed" // as many as the service makes at all
	BreakerNarrow Breaker = "narrow" // few: the last attempt failed
	BreakerOpen   Breaker = "open"   // none: the registration is disabled, paused or deleted
)

// Breaker is that of the registration.
func (h *Webhook) Breaker() Breaker {
	switch {
	case h.DeletedAt != nil || h.Undeliverable() != nil:
		return BreakerOpen
	case h.FailingSince != nil:
		return BreakerNarrow
	}
	return BreakerClosed
}

// DisabledAfter is when the registration is disabled unless an attempt is taken before; nil while it works,
// and once it is.
func (h *Webhook) DisabledAfter() *time.Time {
	if h.FailingSince == nil || h.Status == WebhookDisabled {
		return nil
	}
	at := h.FailingSince.UTC().Add(WebhookPatience)
	return &at
}

// Backlog is what there is still to deliver, of an account or to a registration.
type Backlog struct {
	Waiting      int        // due, or on the wire, and not attempted yet
	Delayed      int        // not attempted yet, and held back by the account's flood limit
	Retrying     int        // failed, and to be tried again
	OldestDue    *time.Time `gorm:"serializer:utc"` // since when the longest waiting one is due, UTC; nil: none is
	DelayedUntil *time.Time `gorm:"serializer:utc"` // when the last delayed one is due, UTC; nil: none is delayed
}

// WebhookSecret is the secret of an account as it is stored: encrypted (notifier.Sealer). It is the GORM model of
// webhook_secrets.
type WebhookSecret struct {
	AccountID     string     `gorm:"primaryKey"` // an account has one, from its first registration on
	Current       []byte     // signs
	Next          []byte     // set while the secret is being replaced: signs too
	RotatingSince *time.Time `gorm:"serializer:utc"` // set together with Next
	CreatedAt     time.Time  `gorm:"serializer:utc"` // of Current
}

// TableName is the table of secrets.
func (WebhookSecret) TableName() string { return "webhook_secrets" }

// Place returns where a registration leads, for the trail: an address, the request bin, or the host of an endpoint with its id.
func (h *Webhook) Place() string {
	if to := h.Address(); to != "" {
		return to
	}
	if h.Bin != nil {
		return "request bin"
	}
	u, err := url.Parse(h.URL)
	if err != nil {
		return h.ID
	}
	return u.Host + " (" + h.ID + ")"
}
