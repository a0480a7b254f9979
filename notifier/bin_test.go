package notifier

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/delivery"
)

// bin makes the request bin of the office's account.
func (o *office) bin(tb testing.TB, answer models.BinAnswer) *models.Webhook {
	tb.Helper()
	h, err := o.store.CreateWebhook(tb.Context(), o.account, &models.NewWebhook{Events: models.EventKinds(), Bin: &answer}, o.seal.Seal(o.keys.Current, o.account))
	require.NoError(tb, err)
	return h
}

// arrived returns what the bin shows.
func (o *office) arrived(tb testing.TB, h *models.Webhook) []*models.BinRequest {
	tb.Helper()
	all, err := o.store.BinRequests(tb.Context(), o.account, h.ID)
	require.NoError(tb, err)
	return all
}

func TestARequestBinGetsSignedDeliveriesOverNoNetwork(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	h := o.bin(t, models.BinTaken)
	o.post(t, 60, h.ID)
	o.sender(t)
	o.await(t, map[string]int{"delivered": 60})
	all := o.arrived(t, h)
	require.Len(t, all, models.BinKept, "the newest stay")
	got := all[0]
	d, err := o.store.Delivery(t.Context(), o.account, got.DeliveryID)
	require.NoError(t, err)
	require.Equal(t, d.Body, got.Body, "the exact bytes")
	require.Equal(t, []any{d.MessageID, 200, "0.97"}, []any{got.Headers.Get(HeaderStandardID), *got.Status, got.Headers.Get(HeaderProbability)})

	t.Log("it verifies with each secret of a rotation that signed it")
	registrar := Registrar{Seal: o.seal}
	w, err := o.store.WebhookSecret(t.Context(), o.account)
	require.NoError(t, err)
	proofs, err := registrar.Verify(w, got)
	require.NoError(t, err)
	require.Equal(t, []models.Verification{{Service: true, Standard: true}}, proofs)
	w, err = o.store.BeginRotation(t.Context(), o.account, o.seal.Seal(NewSecret(), o.account))
	require.NoError(t, err)
	proofs, err = registrar.Verify(w, got)
	require.NoError(t, err)
	require.Equal(t, []models.Verification{{Service: true, Standard: true}}, proofs, "there was no next secret yet")
	first := got
	_, err = o.store.CreateTestDelivery(t.Context(), o.account, h.ID, registrar.TestBody)
	require.NoError(t, err)
	o.await(t, map[string]int{"delivered": 61})
	got = o.arrived(t, h)[0]
	require.Equal(t, "1", got.Headers.Get(HeaderTest))
	proofs, err = registrar.Verify(w, got)
	require.NoError(t, err)
	require.Equal(t, []models.Verification{{Service: true, Standard: true}, {Next: true, Service: true, Standard: true}}, proofs)

	t.Log("when the rotation is over, what arrived before it keeps its verdict")
	w, err = o.store.FinishRotation(t.Context(), o.account)
	require.NoError(t, err)
	proofs, err = registrar.Verify(w, got)
	require.NoError(t, err)
	require.Equal(t, []models.Verification{{Service: true, Standard: true}}, proofs, "both secrets signed it")
	proofs, err = registrar.Verify(w, first)
	require.NoError(t, err)
	require.Equal(t, []models.Verification{{Earlier: true}}, proofs)

	t.Log("of a record that is withheld nothing is shown, as of its deliveries")
	_, err = o.db.Pool.Exec(t.Context(), `update bookings set withheld = 'restricted'`)
	require.NoError(t, err)
	all = o.arrived(t, h)
	require.NotEmpty(t, all[0].Body, "a test is of nobody")
	require.Nil(t, all[1].Body)
	require.True(t, all[1].Withheld)
	require.Empty(t, all[1].Headers.Get(HeaderReasons))
	require.Empty(t, all[1].Headers.Get(HeaderProbability))
	require.NotEmpty(t, all[1].Headers.Get(HeaderSignature))

	t.Log("nobody else reads it, and it is emptied with the bin")
	others, err := o.store.BinRequests(t.Context(), "acct_else", h.ID)
	require.NoError(t, err)
	require.Empty(t, others)
	require.NoError(t, o.store.DeleteWebhook(t.Context(), o.account, h.ID))
	require.Empty(t, o.arrived(t, h))
	o.bin(t, models.BinTaken)
}

func TestARequestBinAnswersAsItsAccountChose(t *testing.T) {
	t.Parallel()
	for answer, want := range map[models.BinAnswer]struct {
		class  Class
		status *int
		states map[string]int
	}{
		models.BinBroken: {classOf(500), new(500), map[string]int{"dropped exhausted": 1}},
		models.BinGone:   {classOf(410), new(410), map[string]int{"dropped exhausted": 1}},
		models.BinSlow:   {ClassTimeout, nil, map[string]int{"dropped exhausted": 1}},
	} {
		t.Run(string(answer), func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, time.Now)
			o.timeout = 50 * time.Millisecond
			h := o.bin(t, answer)
			o.post(t, 1, h.ID)
			o.sender(t, func(s *SenderOptions) { s.Retries = Retries{time.Millisecond} })
			o.await(t, want.states)
			all := o.arrived(t, h)
			require.Len(t, all, 2, "each attempt arrives")
			attempts, err := o.store.AttemptsOf(t.Context(), []string{all[0].DeliveryID})
			require.NoError(t, err)
			for i, a := range attempts[all[0].DeliveryID] {
				require.Equal(t, string(want.class), a.Class)
				require.Equal(t, want.status, a.Status)
				require.Equal(t, want.status, all[i].Status)
			}
		})
	}
}

func TestAnAccountHasOneRequestBinWithoutAnotherAddress(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	h := o.bin(t, models.BinTaken)
	again := models.BinTaken
	_, err := o.store.CreateWebhook(t.Context(), o.account, &models.NewWebhook{Events: models.EventKinds(), Bin: &again}, o.seal.Seal(o.keys.Current, o.account))
	require.Equal(t, models.CodeConflict, models.CodeOf(err), err)
	_, err = o.store.UpdateWebhook(t.Context(), o.account, h.ID, models.WebhookChange{URL: new("https://hooks.example.org/")})
	require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err), err)
	plain := o.register(t, "https://hooks.example.org/")
	_, err = o.store.UpdateWebhook(t.Context(), o.account, plain, models.WebhookChange{Bin: &again})
	require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err), "no endpoint becomes a bin")

	t.Log("the address of a bin makes no bin: it is dialled, and resolves nowhere")
	stolen := o.register(t, h.BinURL())
	o.post(t, 1, stolen)
	o.sender(t, func(s *SenderOptions) { s.Retries = Retries{} })
	o.await(t, map[string]int{"dropped exhausted": 1})
	require.Empty(t, o.arrived(t, h))
}

func TestARequestBinForgetsAfterADay(t *testing.T) {
	t.Parallel()
	c := &clock{at: time.Now()}
	o := newOffice(t, c.now)
	h := o.bin(t, models.BinTaken)
	o.post(t, 1, h.ID)
	stop := o.sender(t)
	o.await(t, map[string]int{"delivered": 1})
	stop()
	require.Len(t, o.arrived(t, h), 1)
	c.add(models.BinAge + time.Minute)
	require.Empty(t, o.arrived(t, h))
	n, err := delivery.New(o.store.DB).ExpireBinRequests(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
}

// classOf is how an answer with a status is judged.
func classOf(status int) Class {
	c, _ := classifyStatus(status)
	return c
}
