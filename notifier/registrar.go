package notifier

import (
	"context"
	"time"
)

// Registrar is what the interfaces need of webhooks: it judges addresses, makes secrets and test messages.
type Registrar struct {
	Guard *Guard
	Names Resolver
	Seal  *Sealer
}

// CheckURL says whether address may be registered, as Guard.CheckURL does.
func (r Registrar) CheckURL(ctx context.Context, address string) error {
	return r.Guard.CheckURL(ctx, r.Names, address)
}

// NewSecret makes a webhook secret for an account, sealed for storage.
func (r Registrar) NewSecret(accountID string) []byte { return r.Seal.Seal(NewSecret(), accountID) }

// TestBody gives the bytes of a test delivery with that webhook-id, time and payload version.
func (Registrar) TestBody(id string, at time.Time, version int) ([]byte, error) {
	return TestEvent(id, at).Body(version)
}
