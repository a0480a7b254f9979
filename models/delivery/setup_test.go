package delivery_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/delivery"
	"rollcall/models/internal/modelstest"
)

// bundle is a store with an account.
type bundle struct {
	*modelstest.Bundle
	account string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{Bundle: modelstest.Setup(t)}
	b.account = b.Account(t, "desk@example.org")
	return b
}

// register makes a registration of an account.
func (b *bundle) register(t *testing.T, account string, n models.NewWebhook) *models.Webhook {
	t.Helper()
	if n.URL == "" {
		n.URL = "https://receiver.example.org/hook"
	}
	if n.Events == nil {
		n.Events = models.EventKinds()
	}
	h, err := b.Store.CreateWebhook(b.Ctx, account, &n, []byte("sealed"))
	require.NoError(t, err)
	return h
}

// watched is a watcher of the account, a registration, and a booking that the watcher was told of.
type watched struct {
	watcher *models.Watcher
	webhook *models.Webhook
	record  string // id of the booking
	event   string // the booking event
}

// watch books a person whom a new watcher of the account watches for.
func (b *bundle) watch(t *testing.T, id string) *watched {
	t.Helper()
	w, err := b.Store.CreateWatcher(b.Ctx, b.account, &models.NewWatcher{Name: "Wren Moonsail"})
	require.NoError(t, err)
	b.Book(t, modelstest.Booking{ID: id, Name: "MOONSAIL, WREN"})
	return &watched{
		watcher: w, webhook: b.register(t, b.account, models.NewWebhook{}), record: id,
		event: b.Event(t, modelstest.Event{Watcher: w.ID, Record: id, Kind: models.EventBooking}),
	}
}

// withhold hides a booking.
func (b *bundle) withhold(t *testing.T, id string) {
	t.Helper()
	b.Exec(t, `update bookings set withheld = 'maybe juvenile' where id = $1`, id)
}

// delivery reads a delivery of the account.
func (b *bundle) delivery(t *testing.T, id string) *models.Delivery {
	t.Helper()
	d, err := b.Store.Delivery(b.Ctx, b.account, id)
	require.NoError(t, err)
	return d
}

// standing are where deliveries of the account stand: state, and after a space why they were dropped.
func (b *bundle) standing(t *testing.T, ids ...string) []string {
	t.Helper()
	out := make([]string, len(ids))
	for i, id := range ids {
		d := b.delivery(t, id)
		out[i] = string(d.State)
		if d.Reason != nil {
			out[i] += " " + string(*d.Reason)
		}
	}
	return out
}

func requireCode(t *testing.T, want models.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, models.CodeOf(err), err)
}

func TestStatementsAreUnderstoodAndUsed(t *testing.T) {
	t.Parallel()
	sqltest.Check(t, testdb.New(t).Pool, delivery.Statements())
}
