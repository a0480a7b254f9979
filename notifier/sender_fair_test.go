package notifier

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The dead endpoint's deliveries were all due first, and there are more of them than a claim looks at.
func TestADeadEndpointWithThousandsDueDelaysNobody(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	in, handler := o.inbox(200)
	answer := make(chan struct{})
	dead := o.serve(t, false, func(http.ResponseWriter, *http.Request) { <-answer })
	t.Cleanup(func() { close(answer) })
	well := o.serve(t, false, handler)
	o.post(t, 3000, o.register(t, dead.URL))
	var healthy []string
	for i := range 20 {
		healthy = append(healthy, o.register(t, fmt.Sprintf("%s/%d", well.URL, i)))
	}
	o.post(t, 20, healthy...)
	o.sender(t, quickly)
	deadline := time.Now().Add(time.Minute)
	for o.standing(t)["delivered"] < 400 {
		require.True(t, time.Now().Before(deadline), "deliveries stand at %v", o.standing(t))
		pause(50 * time.Millisecond)
	}
	require.Greater(t, o.standing(t)["pending"], 2500, "the healthy were not done because the dead were")
	ids, _ := in.counts()
	require.Equal(t, 20, ids)
}
