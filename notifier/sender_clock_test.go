package notifier

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// only gives the one delivery there is and its attempts.
func (o *office) only(t *testing.T) (*models.Delivery, []*models.Attempt) {
	t.Helper()
	page, err := o.store.Deliveries(t.Context(), o.account, models.DeliveryFilter{}, models.Page{Limit: 2})
	require.NoError(t, err)
	require.Len(t, page.Deliveries, 1)
	d := page.Deliveries[0]
	attempts, err := o.store.AttemptsOf(t.Context(), []string{d.ID})
	require.NoError(t, err)
	return d, attempts[d.ID]
}

// nobodyMayTake proves that no process would attempt a delivery at this moment.
func (o *office) nobodyMayTake(t *testing.T, why string) {
	t.Helper()
	claims, _, err := o.store.ClaimDeliveries(t.Context(), models.ClaimQuery{By: "another", Lease: time.Second, Most: 10, Each: 10})
	require.NoError(t, err)
	require.Empty(t, claims, why)
}

func TestAFailingDeliveryIsTriedFourTimesOnTheClockAndDropped(t *testing.T) {
	t.Parallel()
	c := &clock{at: moment}
	o := newOffice(t, c.now)
	in, handler := o.inbox(503)
	e := o.serve(t, false, handler)
	o.post(t, 1, o.register(t, e.URL))
	o.sender(t)
	for i, delay := range []time.Duration{30 * time.Second, 5 * time.Minute, 30 * time.Minute} {
		o.awaitAttempts(t, i+1)
		d, attempts := o.only(t)
		require.Equal(t, []any{models.DeliveryFailed, i + 1, i + 1}, []any{d.State, d.Failures, d.Attempts})
		require.Equal(t, "answered 503 Service Unavailable", *attempts[i].Error)
		failed := attempts[i].At.Add(time.Duration(attempts[i].LatencyMS) * time.Millisecond)
		require.False(t, d.NextAttempt.Before(failed.Add(delay)), "never early")
		require.False(t, d.NextAttempt.After(failed.Add(delay+delay/10+time.Millisecond)), "at most a tenth late")
		c.set(d.NextAttempt.Add(-time.Microsecond))
		o.nobodyMayTake(t, "not a moment before it is due")
		c.set(*d.NextAttempt)
	}
	o.await(t, map[string]int{"dropped exhausted": 1})
	d, attempts := o.only(t)
	require.Equal(t, []any{4, 4, (*time.Time)(nil), models.DropExhausted}, []any{len(attempts), d.Failures, d.NextAttempt, *d.Reason})
	require.Len(t, in.bodies, 1)
	for _, bodies := range in.bodies {
		require.Len(t, bodies, 1, "each attempt sent the same bytes")
	}
	c.add(48 * time.Hour)
	o.nobodyMayTake(t, "a dropped delivery rests")

	t.Log("a redelivery by hand begins anew, with the same id")
	in.answer(200)
	_, err := o.store.Redeliver(t.Context(), o.account, d.ID)
	require.NoError(t, err)
	o.await(t, map[string]int{"delivered": 1})
	ids, requests := in.counts()
	require.Equal(t, []int{1, 5}, []int{ids, requests})
}

// awaitAttempts waits until the one delivery has had n attempts and nobody holds it.
func (o *office) awaitAttempts(t *testing.T, n int) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		var attempts int
		var free bool
		require.NoError(t, o.db.Pool.QueryRow(t.Context(), `select attempts, leased_until is null from deliveries`).Scan(&attempts, &free))
		if attempts == n && free {
			return
		}
		require.True(t, time.Now().Before(deadline), "%d attempts were made, not %d", attempts, n)
		pause(5 * time.Millisecond)
	}
}

func TestRetriesOfAShortenedScheduleComeInTimeOnARealClock(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	var at []time.Time
	_, handler := o.inbox(200)
	e := o.serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		at = append(at, time.Now())
		if len(at) < 4 {
			http.Error(w, "not yet", http.StatusInternalServerError)
			return
		}
		handler(w, r)
	})
	o.post(t, 1, o.register(t, e.URL))
	delays := Retries{100 * time.Millisecond, 300 * time.Millisecond, 900 * time.Millisecond}
	o.sender(t, func(s *SenderOptions) { s.Retries = delays })
	o.await(t, map[string]int{"delivered": 1})
	require.Len(t, at, 4)
	for i, delay := range delays {
		require.GreaterOrEqual(t, at[i+1].Sub(at[i]), delay, "never early")
	}
	d, attempts := o.only(t)
	require.Equal(t, []any{4, 3}, []any{len(attempts), d.Failures}, "delivered at the last of four attempts")
	require.Equal(t, "not yet\n", *attempts[0].Answer)
}

func TestAnEndpointThatIsGoneIsDisabledWithTheReason(t *testing.T) {
	t.Parallel()
	c := &clock{at: moment}
	o := newOffice(t, c.now)
	_, handler := o.inbox(410)
	e := o.serve(t, false, handler)
	webhook := o.register(t, e.URL)
	o.post(t, 1, webhook)
	o.sender(t)
	for i := range 3 {
		o.awaitAttempts(t, i+1)
		h, err := o.store.Webhook(t.Context(), o.account, webhook)
		require.NoError(t, err)
		require.Equal(t, models.WebhookActive, h.Status, "one 410 disables nothing")
		d, _ := o.only(t)
		c.set(*d.NextAttempt)
	}
	o.await(t, map[string]int{"dropped exhausted": 1})
	h, err := o.store.Webhook(t.Context(), o.account, webhook)
	require.NoError(t, err)
	require.Equal(t, []any{models.WebhookDisabled, DisabledGone}, []any{h.Status, *h.DisabledReason})
}

func TestFiveDaysOfNothingButFailuresDisable(t *testing.T) {
	t.Parallel()
	c := &clock{at: moment}
	o := newOffice(t, c.now)
	in, handler := o.inbox(500)
	e := o.serve(t, false, handler)
	ill, well := o.register(t, e.URL+"/ill"), o.register(t, e.URL+"/well")
	stop := o.sender(t)
	o.post(t, 1, ill)
	o.await(t, map[string]int{"failed": 1})
	in.answer(200)
	o.post(t, 1, well)
	o.await(t, map[string]int{"failed": 1, "delivered": 1})
	in.answer(500)
	o.post(t, 1, well)
	o.await(t, map[string]int{"failed": 2, "delivered": 1})
	stop()

	c.set(moment.Add(models.WebhookPatience))
	stop = o.sender(t)
	o.post(t, 1, ill, well) // each endpoint has one waiting and gets one more
	o.await(t, map[string]int{"delivered": 1, "dropped disabled": 4})
	for _, id := range []string{ill, well} {
		h, err := o.store.Webhook(t.Context(), o.account, id)
		require.NoError(t, err)
		require.Equal(t, DisabledFailing, *h.DisabledReason)
	}
	stop() // with what was on the wire recorded
	h, err := o.store.EnableWebhook(t.Context(), o.account, ill)
	require.NoError(t, err)
	require.Nil(t, h.FailingSince)
	in.answer(200)
	c.add(time.Second)
	o.sender(t)
	n, err := o.store.Replay(t.Context(), o.account, models.Replay{WebhookID: ill})
	require.NoError(t, err)
	require.Equal(t, 2, n)
	o.await(t, map[string]int{"delivered": 3, "dropped disabled": 2})
}
