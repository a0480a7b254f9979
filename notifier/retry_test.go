package notifier

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/models"
)

// outcome is an attempt that ended at end.
func outcome(end time.Time, class Class) Attempt {
	return Attempt{At: end.Add(-time.Second), Latency: time.Second, Class: class}
}

// begun is the progress of a new delivery, due at once, as its row is written.
func begun(now time.Time) Progress { return Progress{State: models.DeliveryPending, Next: now} }

// due reports whether the next attempt may be made, as the statement that takes deliveries asks.
func due(p Progress, now time.Time) bool { return !p.Final() && !now.Before(p.Next) }

// dropped is a delivery that was cancelled after that many failures.
func dropped(failures int) Progress {
	return Progress{State: models.DeliveryDropped, Failures: failures, Reason: models.DropCancelled}
}

// TestLifecycle is the table of SPEC.md, "Webhook delivery lifecycle", line by line.
func TestLifecycle(t *testing.T) {
	t.Parallel()
	retries, end := StandardRetries(), moment
	failedTimes := func(n int) Progress {
		p := begun(moment)
		for range n {
			p = retries.After(p, outcome(end, ClassTimeout), 0)
		}
		return p
	}
	for name, c := range map[string]struct {
		before Progress
		class  Class
		jitter float64
		want   Progress
	}{
		"pending, answered 2xx: delivered":                 {begun(moment), ClassDelivered, 0, Progress{State: models.DeliveryDelivered}},
		"pending, timeout: failed, again after 30 s":       {begun(moment), ClassTimeout, 0, Progress{models.DeliveryFailed, 1, end.Add(30 * time.Second), ""}},
		"pending, non-2xx: failed, up to 10 % later":       {begun(moment), ClassStatus, 1, Progress{models.DeliveryFailed, 1, end.Add(33 * time.Second), ""}},
		"pending, redirected: failed":                      {begun(moment), ClassRedirect, 0.5, Progress{models.DeliveryFailed, 1, end.Add(31500 * time.Millisecond), ""}},
		"retry 1 fails: failed, again after 5 min":         {failedTimes(1), ClassStatus, 0, Progress{models.DeliveryFailed, 2, end.Add(5 * time.Minute), ""}},
		"retry 2 fails: failed, again after 30 min":        {failedTimes(2), ClassTLS, 0, Progress{models.DeliveryFailed, 3, end.Add(30 * time.Minute), ""}},
		"retry 2 fails: failed, up to 33 min":              {failedTimes(2), ClassTLS, 1, Progress{models.DeliveryFailed, 3, end.Add(33 * time.Minute), ""}},
		"retry 3 fails: dropped":                           {failedTimes(3), ClassName, 0, Progress{models.DeliveryDropped, 4, time.Time{}, models.DropExhausted}},
		"retry 1 succeeds: delivered":                      {failedTimes(1), ClassDelivered, 0, Progress{State: models.DeliveryDelivered, Failures: 1}},
		"retry 3 succeeds: delivered":                      {failedTimes(3), ClassDelivered, 0, Progress{State: models.DeliveryDelivered, Failures: 3}},
		"cancelled, then the one on the wire lands":        {dropped(0), ClassDelivered, 0, Progress{State: models.DeliveryDropped, Reason: models.DropCancelled}},
		"cancelled, then the one on the wire fails":        {dropped(1), ClassTimeout, 0, Progress{State: models.DeliveryDropped, Failures: 1, Reason: models.DropCancelled}},
		"a jitter outside its bounds is taken into bounds": {begun(moment), ClassStatus, 7, Progress{models.DeliveryFailed, 1, end.Add(33 * time.Second), ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, retries.After(c.before, outcome(end, c.class), c.jitter))
		})
	}
}

// TestRetriesAsAWorkerMeetsThem runs a delivery on an injected clock through any sequence of answers, crashes in mid-attempt
// and late workers, and holds it against what SPEC.md promises.
func TestRetriesAsAWorkerMeetsThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		retries, now := StandardRetries(), moment
		stored := begun(now) // what the row holds; a crash loses everything else
		var ends []time.Time // of recorded failures
		recorded, crashes := 0, 0
		for !stored.Final() {
			if late := stored.Next.Sub(now); late > 0 {
				require.False(t, due(stored, now), "not before its time")
				require.False(t, due(stored, stored.Next.Add(-time.Nanosecond)), "not a nanosecond before")
				now = stored.Next
			}
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "worker is late by")))
			require.True(t, due(stored, now))
			if n := len(ends); n > 0 {
				delay := StandardRetries()[n-1]
				require.False(t, now.Before(ends[n-1].Add(delay)), "never early")
				require.False(t, stored.Next.After(ends[n-1].Add(delay+delay/10)), "at most a tenth late")
			}
			started := now
			now = now.Add(time.Duration(rapid.Int64Range(1, int64(AttemptTimeout)).Draw(t, "attempt takes")))
			if crashes < 20 && rapid.Bool().Draw(t, "crash in mid-attempt") {
				crashes++
				continue // nothing was recorded
			}
			class := rapid.SampledFrom([]Class{ClassDelivered, ClassStatus, ClassStatus, ClassTimeout, ClassTimeout, ClassTLS, ClassProtocol}).Draw(t, "answer")
			a := Attempt{At: started, Latency: now.Sub(started), Class: class}
			stored = retries.After(stored, a, rapid.Float64Range(0, 1).Draw(t, "jitter"))
			if recorded++; !a.Delivered() {
				ends = append(ends, a.End())
			}
			require.Equal(t, len(ends), stored.Failures, "only recorded failures count, whatever crashed")
		}
		require.LessOrEqual(t, recorded, 4)
		require.True(t, stored.Next.IsZero())
		if stored.State == models.DeliveryDropped {
			require.Equal(t, models.DropExhausted, stored.Reason)
			require.Len(t, ends, 4, "dropped after the third retry, not before")
		} else {
			require.Equal(t, models.DeliveryDelivered, stored.State)
			require.Empty(t, stored.Reason)
		}
	})
}

func TestHealth(t *testing.T) {
	t.Parallel()
	failure := func(at time.Time, status int) Attempt { return Attempt{At: at, Status: status, Class: ClassStatus} }
	exhausted := Progress{State: models.DeliveryDropped, Failures: 4, Reason: models.DropExhausted}
	day := 24 * time.Hour

	h, why := Health{}.After(failure(moment, 410), Progress{State: models.DeliveryFailed, Failures: 1})
	require.Empty(t, why, "one 410 disables nothing")
	require.Equal(t, moment, *h.FailingSince)
	_, why = h.After(failure(moment.Add(time.Hour), 410), exhausted)
	require.Equal(t, DisabledGone, why, "410 has run its course")
	_, why = h.After(failure(moment.Add(time.Hour), 500), exhausted)
	require.Empty(t, why, "a delivery dropped for another reason")
	_, why = h.After(failure(moment.Add(time.Hour), 410), Progress{State: models.DeliveryDropped, Reason: models.DropCancelled})
	require.Empty(t, why, "a delivery that was cancelled")

	h, why = h.After(failure(moment.Add(5*day-time.Second), 500), Progress{State: models.DeliveryFailed})
	require.Empty(t, why)
	require.Equal(t, moment, *h.FailingSince, "the first failure counts")
	_, why = h.After(failure(moment.Add(5*day), 500), Progress{State: models.DeliveryFailed})
	require.Equal(t, DisabledFailing, why)
	h, why = h.After(Attempt{At: moment.Add(5 * day), Class: ClassDelivered}, Progress{State: models.DeliveryDelivered})
	require.Empty(t, why)
	require.Nil(t, h.FailingSince, "one success begins anew")

	bounced := Progress{State: models.DeliveryDropped, Failures: 1, Reason: models.DropBounced}
	for i, after := range []time.Duration{0, time.Second, 2 * time.Second, day - time.Second} {
		h, why = h.After(Attempt{At: moment.Add(after), Status: 550, Class: ClassBounce}, bounced)
		require.Empty(t, why, "a bad hour of a mail server ends nothing")
		require.Equal(t, i+1, h.Bounces)
	}
	_, why = h.After(Attempt{At: moment.Add(day), Status: 550, Class: ClassBounce}, bounced)
	require.Equal(t, DisabledBounced, why)
	_, why = Health{FailingSince: new(moment), Bounces: 1}.After(Attempt{At: moment.Add(day), Status: 550, Class: ClassBounce}, bounced)
	require.Empty(t, why, "twice in a day")
}
