package notifier

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func mapsEqual(a, b map[string]int) bool { return maps.Equal(a, b) }

// pause keeps a loop that looks at the database from looking all the time.
func pause(d time.Duration) {
	timer := time.NewTimer(d)
	<-timer.C
}

// newContext outlives the test's own context by the clean-up.
func newContext(tb testing.TB) (context.Context, context.CancelFunc) {
	tb.Helper()
	return context.WithCancel(context.WithoutCancel(tb.Context()))
}

func TestDeliveriesReachTheirEndpointOnceAndSigned(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	in, handler := o.inbox(200)
	e := o.serve(t, true, handler)
	webhook := o.register(t, e.URL)
	o.post(t, 300, webhook)
	o.sender(t)
	o.sender(t) // a second process
	o.await(t, map[string]int{"delivered": 300})
	ids, requests := in.counts()
	require.Equal(t, []int{300, 300}, []int{ids, requests}, "two senders share the work without sending twice")
	require.Equal(t, "0.97", in.heads[0].Get(HeaderProbability))
	require.Equal(t, `["surname agrees"]`, in.heads[0].Get(HeaderReasons))
	require.Empty(t, in.heads[0].Get(HeaderTest))
	require.LessOrEqual(t, e.connections.Load(), int64(2*64), "connections are used again")

	page, err := o.store.Deliveries(t.Context(), o.account, models.DeliveryFilter{}, models.Page{Limit: 1})
	require.NoError(t, err)
	d := page.Deliveries[0]
	require.Equal(t, []any{1, 0}, []any{d.Attempts, d.Failures})
	attempts, err := o.store.AttemptsOf(t.Context(), []string{d.ID})
	require.NoError(t, err)
	require.Len(t, attempts[d.ID], 1)
	require.Equal(t, []any{200, "delivered"}, []any{*attempts[d.ID][0].Status, attempts[d.ID][0].Class})
}
