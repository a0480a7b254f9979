package evaluate

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
)

func TestTheMemoryOfFewWatchersIsNotPrinted(t *testing.T) {
	t.Parallel()
	for watchers, says := range map[int]string{
		0:      "watchers 0, index built in 0.00 s (0.00 processor seconds)\n",
		9_999:  "watchers 9999, index built in 0.00 s (0.00 processor seconds)\n",
		10_000: "watchers 10000, index built in 0.00 s (0.00 processor seconds), memory 5.0 MiB, 500 MiB per million watchers\n",
	} {
		var out bytes.Buffer
		new(standingResult).report(&service.App{Stderr: &out}, watchers, spent{}, 5<<20, spent{})
		require.Equal(t, says+"bookings 0, hits 0, candidates scored 0.0 a booking\n", out.String())
	}
}
