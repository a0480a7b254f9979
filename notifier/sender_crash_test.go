package notifier

import (
	"context"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestWhatADeadProcessHeldIsSentByAnotherAndCostsNoAttempt(t *testing.T) {
	t.Parallel()
	c := &clock{at: moment}
	o := newOffice(t, c.now)
	in, handler := o.inbox(200)
	e := o.serve(t, false, handler)
	o.post(t, 20, o.register(t, e.URL))
	claims, _, err := o.store.ClaimDeliveries(t.Context(), models.ClaimQuery{By: "dead", Lease: lease, Most: 20, Each: 20})
	require.NoError(t, err)
	require.Len(t, claims, 20)
	c.add(lease - time.Microsecond)
	o.nobodyMayTake(t, "the lease holds")
	c.add(time.Microsecond)
	o.sender(t)
	o.await(t, map[string]int{"delivered": 20})
	_, requests := in.counts()
	require.Equal(t, 20, requests)
	var attempts int
	require.NoError(t, o.db.Pool.QueryRow(t.Context(), `select sum(attempts) from deliveries where failures = 0`).Scan(&attempts))
	require.Equal(t, 20, attempts)
}

func TestAStoppingProcessFinishesWhatIsOnTheWireAndFreesTheRest(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	_, handler := o.inbox(200)
	arrived, answer := make(chan struct{}, 100), make(chan struct{})
	e := o.serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-answer
		handler(w, r)
	})
	o.post(t, 30, o.register(t, e.URL))
	stop := o.sender(t, func(s *SenderOptions) { s.Lanes = LaneOptions{Endpoint: 2, Floor: 2, Waiting: 100} })
	<-arrived
	<-arrived
	stopped := make(chan struct{})
	go func() { defer close(stopped); stop() }()
	require.Eventually(t, func() bool { // the others are free at once, not when a lease ends
		var held int
		err := o.db.Pool.QueryRow(t.Context(), `select count(*) from deliveries where leased_until > now()`).Scan(&held)
		return err == nil && held == 2
	}, time.Minute, 5*time.Millisecond)
	close(answer)
	<-stopped
	require.Equal(t, map[string]int{"delivered": 2, "pending": 28}, o.standing(t))
	o.sender(t)
	o.await(t, map[string]int{"delivered": 30})
}

// quickly is for tests in which a busy machine may make an attempt fail.
func quickly(o *SenderOptions) { o.Retries = Retries{time.Second, time.Second, time.Second} }

// The database loses all connections again and again while deliveries go out: none is lost, each has one id, and what was
// sent is recorded once the database is back.
func TestNothingIsLostWhileTheDatabaseComesAndGoes(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	in, handler := o.inbox(200)
	e := o.serve(t, false, handler)
	webhook := o.register(t, e.URL)
	o.sender(t, quickly)
	o.sender(t, quickly)
	for range 10 {
		o.post(t, 60, webhook)
		_, err := o.db.Pool.Exec(t.Context(), `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'rollcall'`)
		require.NoError(t, err)
	}
	o.await(t, map[string]int{"delivered": 600})
	ids, requests := in.counts()
	require.Equal(t, 600, ids)
	t.Logf("%d requests for 600 deliveries", requests)
}

// oneOnTheWire posts 30 deliveries to an endpoint that has one lane, and returns when the first has arrived there. It is
// answered, with 200, when the test closes answer.
func oneOnTheWire(t *testing.T, o *office) (in *inbox, answer chan struct{}) {
	t.Helper()
	in, handler := o.inbox(200)
	arrived, answer := make(chan struct{}, 100), make(chan struct{})
	e := o.serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-answer
		handler(w, r)
	})
	o.post(t, 30, o.register(t, e.URL))
	o.sender(t, func(s *SenderOptions) { s.Lanes = LaneOptions{Endpoint: 1, Floor: 1, Waiting: 100} })
	<-arrived
	return in, answer
}

func TestADeletedWatcherStopsWhatWaitsItsTurn(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	in, answer := oneOnTheWire(t, o)
	require.NoError(t, o.store.DeleteWatcher(t.Context(), o.account, o.watcher))
	close(answer)
	require.Eventually(t, func() bool {
		var attempts int
		err := o.db.Pool.QueryRow(t.Context(), `select count(*) from attempts`).Scan(&attempts)
		return err == nil && attempts == 1
	}, time.Minute, 5*time.Millisecond)
	require.Equal(t, map[string]int{"dropped cancelled": 30}, o.standing(t))
	_, requests := in.counts()
	require.Equal(t, 1, requests, "only the one on the wire landed")
}

func TestAPausedWebhookGetsNothingButTests(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	in, handler := o.inbox(200)
	e := o.serve(t, false, handler)
	webhook := o.register(t, e.URL)
	o.post(t, 3, webhook)
	_, err := o.store.UpdateWebhook(t.Context(), o.account, webhook, models.WebhookChange{Paused: new(true)})
	require.NoError(t, err)
	body, err := TestEvent("test_1", o.now()).Body(PayloadV1)
	require.NoError(t, err)
	_, err = o.db.Pool.Exec(t.Context(), `insert into deliveries (id, account_id, webhook_id, message_id, kind, body, state, next_attempt, created_at, updated_at)
 values ('dlv_test', $1, $2, 'test_1', 'booking', $3, 'pending', now(), now(), now())`, o.account, webhook, body)
	require.NoError(t, err)
	o.sender(t)
	o.await(t, map[string]int{"dropped paused": 3, "delivered": 1})
	require.Len(t, in.heads, 1)
	require.Equal(t, "1", in.heads[0].Get(HeaderTest))
	require.Empty(t, in.heads[0].Get(HeaderProbability))
}

func TestBothSecretsSignWhileOneReplacesTheOther(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	var mu sync.Mutex
	verified := map[string]bool{}
	next := NewSecret()
	e := o.serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		for name, s := range map[string]Secret{"old": o.keys.Current, "new": next} {
			verified[name] = VerifyService(r.Header, body, s) == nil && VerifyStandard(r.Header, body, s, time.Now()) == nil
		}
		verified["two"] = r.Header.Get(HeaderSignatureNext) != ""
	})
	webhook := o.register(t, e.URL)
	o.sender(t)
	for i, phase := range []struct {
		begin func(context.Context) error
		want  map[string]bool
	}{
		{func(context.Context) error { return nil }, map[string]bool{"old": true, "new": false, "two": false}},
		{func(ctx context.Context) error {
			_, err := o.store.BeginRotation(ctx, o.account, o.seal.Seal(next, o.account))
			return err
		}, map[string]bool{"old": true, "new": true, "two": true}},
		{func(ctx context.Context) error { _, err := o.store.FinishRotation(ctx, o.account); return err }, map[string]bool{"old": false, "new": true, "two": false}},
	} {
		require.NoError(t, phase.begin(t.Context()))
		o.post(t, 1, webhook)
		o.await(t, map[string]int{"delivered": i + 1})
		mu.Lock()
		require.Equal(t, phase.want, verified)
		mu.Unlock()
	}
}

func TestARecordThatIsSealedStopsWhatWaitsItsTurn(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	in, answer := oneOnTheWire(t, o)
	// Whichever way it is sealed: the sender looks at the record, not at who sealed it.
	_, err := o.db.Pool.Exec(t.Context(), `update bookings set withheld = 'restricted'`)
	require.NoError(t, err)
	close(answer)
	o.await(t, map[string]int{"delivered": 1, "dropped sealed": 29})
	_, requests := in.counts()
	require.Equal(t, 1, requests, "only the one on the wire landed")
}
