package notifier

import (
	"context"
	"time"

	"rollcall/internal/public"
)

// Registrar is what the interfaces need of webhooks (graph.Endpoints): it checks addresses, makes secrets and
// test messages. It is safe for concurrent use.
type Registrar struct {
	// Guard decides which addresses are public.
	Guard *public.Guard
	// Names resolves hosts when an address is registered.
	Names Resolver
	// Seal encrypts new secrets.
	Seal *Sealer
}

// CheckURL returns an error if address may not be registered; see the function CheckURL.
func (r Registrar) CheckURL(ctx context.Context, address string) error {
	return CheckURL(ctx, r.Guard, r.Names, address)
}

// NewSecret returns a new webhook secret of an account, encrypted for storage.
func (r Registrar) NewSecret(accountID string) []byte { return r.Seal.Seal(NewSecret(), accountID) }

// TestBody returns the bytes of a test delivery with that webhook-id, time and payload version.
func (Registrar) TestBody(id string, at time.Time, version int) ([]byte, error) {
	return TestEvent(id, at).Body(version)
}
