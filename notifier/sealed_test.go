package notifier_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/delivery"
)

// waiting puts the deliveries so far into these states, in turn.
func (d *desk) waiting(tb testing.TB, states ...string) {
	tb.Helper()
	for i, s := range d.deliveries(tb) {
		sql := `update deliveries set state = $2 where id = $1`
		switch states[i] {
		case "delivered":
			sql = `update deliveries set state = $2, next_attempt = null where id = $1`
		case "dropped":
			sql = `update deliveries set state = $2, next_attempt = null, reason = 'exhausted' where id = $1`
		}
		_, err := d.db.Pool.Exec(tb.Context(), sql, s.ID, states[i])
		require.NoError(tb, err)
		_, err = d.db.Pool.Exec(tb.Context(), `insert into attempts (delivery_id, at, status, latency_ms, class, answer) values ($1, now(), 500, 3, 'status', 'you sent QUILLFEATHER')`, s.ID)
		require.NoError(tb, err)
	}
}

// standing tells kind, state, reason and whether there is a body, of each delivery.
func (d *desk) standing(tb testing.TB) []string {
	tb.Helper()
	var out []string
	for _, s := range d.deliveries(tb) {
		words := []string{s.Kind, string(s.State)}
		if s.Reason != nil {
			words = append(words, string(*s.Reason))
		}
		if len(s.Body) == 0 {
			words = append(words, "hidden")
		}
		out = append(out, strings.Join(words, " "))
	}
	slices.Sort(out)
	return out
}

func TestNothingOfASealedRecordIsSentOrShownAnyMore(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	h := d.register(t, models.NewWebhook{Notices: []models.Notice{models.NoticeWithheld}})
	d.watch(t, models.NewWatcher{})
	for bond := range int64(4) {
		d.list(t, other, person{key: "1", bond: 100_00 * bond})
	}
	before := d.deliveries(t)
	require.Len(t, before, 4)
	d.waiting(t, "pending", "failed", "delivered", "dropped")

	d.load(t, true, other, person{key: "1", bond: 300_00, withheld: models.WithheldJuvenile})
	require.Equal(t, []string{
		"bond_change delivered hidden", "bond_change dropped exhausted hidden", "bond_change dropped sealed hidden", "booking dropped sealed hidden",
	}, d.standing(t), "already with the transaction that seals it")
	d.match(t)
	require.Contains(t, d.standing(t), "sealed pending", "the notice names nobody and goes out")

	attempts, err := d.store.AttemptsOf(t.Context(), []string{before[0].ID, before[2].ID})
	require.NoError(t, err)
	for _, list := range attempts {
		require.Len(t, list, 1)
		require.Nil(t, list[0].Answer, "a receiver may have echoed it")
	}
	for _, b := range before {
		_, err := d.store.Redeliver(t.Context(), d.account, b.ID)
		require.Equal(t, models.CodeConflict, models.CodeOf(err))
	}
	for _, dry := range []bool{true, false} {
		n, err := d.store.Replay(t.Context(), d.account, models.Replay{WebhookID: h.ID, States: []models.DeliveryState{models.DeliveryDropped, models.DeliveryDelivered}, DryRun: dry})
		require.NoError(t, err)
		require.Zero(t, n)
	}

	d.list(t, other, person{key: "1", bond: 300_00, dob: "1980-02-03"})
	n, err := d.store.Replay(t.Context(), d.account, models.Replay{WebhookID: h.ID})
	require.NoError(t, err)
	require.Equal(t, 3, n, "it may be shown again, so it may be sent again")
	require.Equal(t, before[0].Body, d.deliveries(t)[0].Body, "the same bytes")
}

func TestARecordThatAnOperatorHidesAgainIsNotSentAnyMore(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.register(t, models.NewWebhook{Notices: []models.Notice{models.NoticeWithheld}})
	d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1", withheld: models.WithheldMaybeJuvenile})
	var id string
	require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select id from bookings where withheld is not null`).Scan(&id))
	require.NoError(t, d.store.Review(t.Context(), id, models.ReviewLifted, "ann", "looked at"))
	d.match(t)
	require.Equal(t, []string{"booking pending"}, d.standing(t))
	require.NoError(t, d.store.Review(t.Context(), id, models.ReviewKept, "ann", "looked at"))
	require.Equal(t, []string{"booking dropped sealed hidden"}, d.standing(t), "with the decision, before anything is matched")
	d.match(t)
	require.Equal(t, []string{"booking dropped sealed hidden", "sealed pending"}, d.standing(t))
}

func TestAnswersKeptForRepeatedRequestsForgetASealedRecord(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other, person{key: "1"})
	keep := func(key, body string) {
		_, claim, err := d.store.BeginIdempotent(t.Context(), d.account, key, []byte("request"))
		require.NoError(t, err)
		require.NoError(t, d.store.FinishIdempotent(t.Context(), claim, models.KeptAnswer{Status: 200, Body: []byte(body)}))
	}
	var id, another string
	require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select b.id, (select id from bookings o where o.rid <> b.rid) from bookings b where name = 'QUILLFEATHER, MARLOWE'`).Scan(&id, &another))
	keep("record", `{"record":{"id":"`+id+`","name":"QUILLFEATHER"}}`)
	keep("payload", `{"payload":"{\"id\":\"`+id+`\"}"}`)
	keep("another", `{"record":{"id":"`+another+`"}}`)
	d.list(t, other, person{key: "1", withheld: models.WithheldJuvenile})
	for key, want := range map[string]bool{"record": false, "payload": false, "another": true} {
		kept, _, err := d.store.BeginIdempotent(t.Context(), d.account, key, []byte("request"))
		require.NoError(t, err)
		require.Equal(t, want, kept != nil, key)
	}
}

func TestARecordThatIsSealedBetweenCommitAndMatchIsNotTold(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.register(t, models.NewWebhook{})
	d.watch(t, models.NewWatcher{})
	d.load(t, true, other, person{key: "1"})
	d.load(t, true, other, person{key: "1", withheld: "juvenile"})
	d.match(t)
	require.Empty(t, d.deliveries(t))
}

func TestAMergedRecordIsSentOnUntilTheOneThatItWentIntoIsSealed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.register(t, models.NewWebhook{Notices: []models.Notice{models.NoticeWithheld}})
	d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1"}, person{key: "2", name: "QUILLFEATHER, MARLOWE J"})
	require.Equal(t, []string{"booking pending", "booking pending"}, d.standing(t))
	var ids []string
	for _, s := range d.deliveries(t) {
		var id string
		require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select b.id from bookings b join events e on e.rid = b.rid where e.id = $1`, s.EventID).Scan(&id))
		ids = append(ids, id)
	}
	slices.Sort(ids)
	require.NoError(t, d.store.MergeBookings(t.Context(), ids[0], ids[1]))
	require.Equal(t, []string{"booking pending", "booking pending"}, d.standing(t), "the id still resolves")
	d.list(t, other, person{key: "1", withheld: models.WithheldJuvenile}, person{key: "2", name: "QUILLFEATHER, MARLOWE J", withheld: models.WithheldJuvenile})
	require.Equal(t, []string{"booking dropped sealed hidden", "booking dropped sealed hidden", "sealed pending"}, d.standing(t))
}

func TestOfARecordThatIsDeletedNothingIsLeft(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.register(t, models.NewWebhook{})
	d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1"})
	d.waiting(t, "failed")
	_, err := d.db.Pool.Exec(t.Context(), `delete from bookings where name = 'QUILLFEATHER, MARLOWE'`)
	require.NoError(t, err)
	require.Empty(t, d.deliveries(t))
	require.Empty(t, d.fired(t))
}

// A notice names a record, so it goes where that record was sent, or may have been: not to an address that was confirmed later
// or never, nor to an endpoint that was made later or was paused.
func TestANoticeOfASealedRecordGoesWhereTheRecordWent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	sealed := models.NewWebhook{Notices: []models.Notice{models.NoticeWithheld}}
	named := func(name string, paused bool) *models.Webhook {
		n := sealed
		n.URL, n.Paused = "https://"+name+".example.org/", paused
		return d.register(t, n)
	}
	confirm := func(h *models.Webhook) {
		_, err := d.store.ConfirmEmail(t.Context(), h.ID, h.URL, d.clock)
		require.NoError(t, err)
	}
	mail := func(name string, confirmed bool) *models.Webhook {
		h, err := d.store.CreateEmail(t.Context(), d.account, &delivery.NewEmail{Address: name + "@example.org", Events: models.EventKinds(), Notices: &sealed.Notices})
		require.NoError(t, err)
		if confirmed {
			confirm(h)
		}
		return h
	}
	got, waits, paused := named("got", false), named("waits", false), named("paused", true)
	reader, late, never := mail("reader", true), mail("late", false), mail("never", false)
	d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1"})
	for _, sent := range []*models.Webhook{got, reader} {
		_, err := d.db.Pool.Exec(t.Context(), `update deliveries set state = 'delivered', attempts = 1, next_attempt = null where webhook_id = $1`, sent.ID)
		require.NoError(t, err)
	}
	later := named("later", false)
	confirm(late)
	_, err := d.store.UpdateWebhook(t.Context(), d.account, paused.ID, models.WebhookChange{Paused: new(false)})
	require.NoError(t, err)
	d.list(t, other, person{key: "1", withheld: models.WithheldJuvenile})
	var noticed []string
	for _, s := range d.deliveries(t) {
		if s.Kind == "sealed" {
			noticed = append(noticed, s.WebhookID)
		}
	}
	require.ElementsMatch(t, []string{got.ID, waits.ID, reader.ID}, noticed, "neither %s, %s, %s nor %s", late.ID, never.ID, later.ID, paused.ID)
}
