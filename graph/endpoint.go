package graph

import (
	"context"
	"log/slog"
	"time"

	"rollcall/internal/turn"
	"rollcall/models"
)

// Alerts holds what the resolvers of alerts and webhooks need beside the store.
type Alerts struct {
	// Endpoints checks addresses and makes secrets. The interface stands here because graph must
	// not import the notifier.
	Endpoints Endpoints
	// Mails asks addresses to confirm; nil where no mail server is set (ROLLCALL_SMTP_URL).
	Mails Confirmer
	// Standing returns an error once the caller of ctx must not be answered any more. It is asked
	// before each event of a subscription, which would otherwise outlive its key. Nil answers
	// always, which only tests use.
	Standing func(ctx context.Context) error
	// Closing is closed when subscriptions have to end, at shutdown; nil: never.
	Closing <-chan struct{}
	// Turns bound previews and imports; nil: they take turns among themselves.
	Turns *turn.Turns
	// Log receives failed reads of subscriptions; default: discards.
	Log *slog.Logger
}

// Endpoints is what package notifier knows of the addresses that receive events. Implementations
// are safe for concurrent use.
type Endpoints interface {
	// CheckURL returns an error if an address may not be registered (DECISIONS, "Webhooks"). Its
	// text is a sentence for the user who registers it.
	CheckURL(ctx context.Context, address string) error
	// NewSecret returns a new webhook secret of an account, encrypted for storage.
	NewSecret(accountID string) []byte
	// TestBody returns the bytes of a test delivery with that webhook-id, time and payload version.
	TestBody(id string, at time.Time, version int) ([]byte, error)
}

// Confirmer asks the owner of an address to confirm it (package notifier/mail). account is who asks. The error is a
// sentence for whoever added the address, if it is a models.Error.
type Confirmer interface {
	Confirm(ctx context.Context, h *models.Webhook, account string) error
}

// checkURL refuses an address that webhooks may not be sent to, such as one inside the operator's
// own network. The sender checks again at each connection, as a name may resolve to another address
// by then.
func (r *Resolver) checkURL(ctx context.Context, address string) error {
	if err := r.alerts.Endpoints.CheckURL(ctx, address); err != nil {
		return models.InvalidBody("url", err.Error())
	}
	return nil
}

// notices converts words that the schema has checked. Nil stays nil: the argument was absent.
func notices(words []string) []models.Notice {
	if words == nil {
		return nil
	}
	out := make([]models.Notice, len(words))
	for i, w := range words {
		out[i] = models.Notice(w)
	}
	return out
}

// noticeWords returns the notices of an endpoint as the schema has them.
func noticeWords(h *models.Webhook) []string {
	out := make([]string, len(h.Notices))
	for i, n := range h.Notices {
		out[i] = string(n)
	}
	return out
}

// given returns a pointer to a list, or nil for an argument that is absent or null. An empty list
// is a value of its own: "no events" is refused where "absent" means all.
func given[T any](list []T) *[]T {
	if list == nil {
		return nil
	}
	return &list
}
