package alert_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/models/internal/modelstest"
)

// bundle is what a test of the package works with.
type bundle struct{ *modelstest.Bundle }

func setup(t *testing.T) *bundle {
	t.Helper()
	return &bundle{modelstest.Setup(t)}
}

// watch stores a watcher.
func (b *bundle) watch(t *testing.T, account string, n models.NewWatcher) *models.Watcher {
	t.Helper()
	if n.Name == "" {
		n.Name = "Wren Moonsail"
	}
	w, err := b.Store.CreateWatcher(b.Ctx, account, &n)
	require.NoError(t, err)
	return w
}

// register makes a registration of an account for all events and the given notices.
func (b *bundle) register(t *testing.T, account string, notices ...models.Notice) *models.Webhook {
	t.Helper()
	h, err := b.Store.CreateWebhook(b.Ctx, account, &models.NewWebhook{URL: "https://receiver.example.org", Events: models.EventKinds(), Notices: notices}, []byte("sealed"))
	require.NoError(t, err)
	return h
}

// told is a watcher that was told of bookings.
type told struct {
	account string
	watcher *models.Watcher
}

// tell makes an account with a watcher, and books people under those ids.
func (b *bundle) tell(t *testing.T, ids ...string) *told {
	t.Helper()
	a := &told{account: b.Account(t, models.NewID("a")+"@example.org")}
	a.watcher = b.watch(t, a.account, models.NewWatcher{})
	for _, id := range ids {
		b.Book(t, modelstest.Booking{ID: id, Name: "MOONSAIL, WREN"})
	}
	return a
}

// event stores an event of the watcher.
func (b *bundle) event(t *testing.T, a *told, record string, kind models.EventKind) string {
	t.Helper()
	return b.Event(t, modelstest.Event{Watcher: a.watcher.ID, Record: record, Kind: kind})
}

// withhold hides a booking.
func (b *bundle) withhold(t *testing.T, id string) {
	t.Helper()
	b.Exec(t, `update bookings set withheld = 'maybe juvenile' where id = $1`, id)
}

// change stores an open change of a booking, and returns its number.
func (b *bundle) change(t *testing.T, record string, kind models.EventKind, retracts *int64) (id int64) {
	t.Helper()
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) values ('jail', $3, 7) returning id
)
insert into changes (batch_id, kind, detected_at, retracts, source_id, rid, record_id, county_id, name, dob, birth_year, booked_at, charges, bond_cents, old_name, old_birth_year)
select batch.id, $2, $3, $4, 'jail', b.rid, b.id, b.county_id, b.name, '1990-02-03', 1990, b.booked_at, '{THEFT}', 150000, 'MOONSALE, WREN', 1991
from batch, bookings b where b.id = $1 returning id`, record, kind, b.Now, retracts).Scan(&id))
	return id
}

// rid is the number of a booking.
func (b *bundle) rid(t *testing.T, id string) (rid int64) {
	t.Helper()
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select rid from bookings where id = $1`, id).Scan(&rid))
	return rid
}

func requireCode(t *testing.T, want models.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, models.CodeOf(err), err)
}

// soon waits for something that another goroutine says.
func soon[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(10 * time.Second):
		require.Fail(t, "nothing came")
		panic("unreachable")
	}
}

func TestStatementsAreUnderstoodAndUsed(t *testing.T) {
	t.Parallel()
	sqltest.Check(t, testdb.New(t).Pool, alert.Statements())
}
