package notifier

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// outcome is an attempt that ended at end.
func outcome(end time.Time, class Class) Attempt {
	return Attempt{At: end.Add(-time.Second), Latency: time.Second, Class: class}
}

// TestLifecycle is the table of SPEC.md, "Webhook delivery lifecycle", line by line.
func TestLifecycle(t *testing.T) {
	t.Parallel()
	retries, end := StandardRetries(), moment
	failedTimes := func(n int) Progress {
		p := Begin(moment)
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
		"pending, answered 2xx: delivered":                 {Begin(moment), ClassDelivered, 0, Progress{State: Delivered}},
		"pending, timeout: failed, again after 30 s":       {Begin(moment), ClassTimeout, 0, Progress{Failed, 1, end.Add(30 * time.Second), ""}},
		"pending, non-2xx: failed, up to 10 % later":       {Begin(moment), ClassStatus, 1, Progress{Failed, 1, end.Add(33 * time.Second), ""}},
		"pending, redirected: failed":                      {Begin(moment), ClassRedirect, 0.5, Progress{Failed, 1, end.Add(31500 * time.Millisecond), ""}},
		"retry 1 fails: failed, again after 5 min":         {failedTimes(1), ClassStatus, 0, Progress{Failed, 2, end.Add(5 * time.Minute), ""}},
		"retry 2 fails: failed, again after 30 min":        {failedTimes(2), ClassTLS, 0, Progress{Failed, 3, end.Add(30 * time.Minute), ""}},
		"retry 2 fails: failed, up to 33 min":              {failedTimes(2), ClassTLS, 1, Progress{Failed, 3, end.Add(33 * time.Minute), ""}},
		"retry 3 fails: dropped":                           {failedTimes(3), ClassName, 0, Progress{Dropped, 4, time.Time{}, Exhausted}},
		"retry 1 succeeds: delivered":                      {failedTimes(1), ClassDelivered, 0, Progress{State: Delivered, Failures: 1}},
		"retry 3 succeeds: delivered":                      {failedTimes(3), ClassDelivered, 0, Progress{State: Delivered, Failures: 3}},
		"cancelled, then the one on the wire lands":        {Begin(moment).Drop(Cancelled), ClassDelivered, 0, Progress{State: Dropped, Reason: Cancelled}},
		"cancelled, then the one on the wire fails":        {failedTimes(1).Drop(Cancelled), ClassTimeout, 0, Progress{State: Dropped, Failures: 1, Reason: Cancelled}},
		"a jitter outside its bounds is taken into bounds": {Begin(moment), ClassStatus, 7, Progress{Failed, 1, end.Add(33 * time.Second), ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, retries.After(c.before, outcome(end, c.class), c.jitter))
		})
	}
}

func TestDropAndRedeliver(t *testing.T) {
	t.Parallel()
	p := Begin(moment)
	_, err := p.Redeliver(moment)
	require.ErrorIs(t, err, ErrUnderWay)
	require.Equal(t, Progress{State: Dropped, Reason: Disabled}, p.Drop(Disabled))
	require.Equal(t, Progress{State: Dropped, Reason: Disabled}, p.Drop(Disabled).Drop(Cancelled), "the first reason stays")
	delivered := Progress{State: Delivered}
	require.Equal(t, delivered, delivered.Drop(Cancelled))
	for _, final := range []Progress{p.Drop(Cancelled), delivered} {
		again, err := final.Redeliver(moment.Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, Begin(moment.Add(time.Hour)), again)
	}
}

// TestRetriesAsAWorkerMeetsThem runs a delivery on an injected clock through any sequence of answers, crashes in mid-attempt
// and late workers, and holds it against what SPEC.md promises.
func TestRetriesAsAWorkerMeetsThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		retries, now := StandardRetries(), moment
		stored := Begin(now) // what the row holds; a crash loses everything else
		var ends []time.Time // of recorded failures
		recorded, crashes := 0, 0
		for !stored.Final() {
			if late := stored.Next.Sub(now); late > 0 {
				require.False(t, stored.Due(now), "not before its time")
				require.False(t, stored.Due(stored.Next.Add(-time.Nanosecond)), "not a nanosecond before")
				now = stored.Next
			}
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "worker is late by")))
			require.True(t, stored.Due(now))
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
		if stored.State == Dropped {
			require.Equal(t, Exhausted, stored.Reason)
			require.Len(t, ends, 4, "dropped after the third retry, not before")
		} else {
			require.Equal(t, Delivered, stored.State)
			require.Empty(t, stored.Reason)
		}
	})
}

func TestHealth(t *testing.T) {
	t.Parallel()
	failure := func(at time.Time, status int) Attempt { return Attempt{At: at, Status: status, Class: ClassStatus} }
	exhausted := Progress{State: Dropped, Failures: 4, Reason: Exhausted}
	day := 24 * time.Hour

	h, why := Health{}.After(failure(moment, 410), Progress{State: Failed, Failures: 1})
	require.Empty(t, why, "one 410 disables nothing")
	require.Equal(t, moment, *h.FailingSince)
	_, why = h.After(failure(moment.Add(time.Hour), 410), exhausted)
	require.Equal(t, DisabledGone, why, "410 has run its course")
	_, why = h.After(failure(moment.Add(time.Hour), 500), exhausted)
	require.Empty(t, why, "a delivery dropped for another reason")
	_, why = h.After(failure(moment.Add(time.Hour), 410), Progress{State: Dropped, Reason: Cancelled})
	require.Empty(t, why, "a delivery that was cancelled")

	h, why = h.After(failure(moment.Add(5*day-time.Second), 500), Progress{State: Failed})
	require.Empty(t, why)
	require.Equal(t, moment, *h.FailingSince, "the first failure counts")
	_, why = h.After(failure(moment.Add(5*day), 500), Progress{State: Failed})
	require.Equal(t, DisabledFailing, why)
	h, why = h.After(Attempt{At: moment.Add(5 * day), Class: ClassDelivered}, Progress{State: Delivered})
	require.Empty(t, why)
	require.Nil(t, h.FailingSince, "one success begins anew")
}
