package main

import (
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
	"rollcall/internal/testdb"
)

func TestTheBenchOfDeliveriesMeasuresWhatItSays(t *testing.T) {
	t.Parallel()
	app := &service.App{
		Config: service.Config{DataDir: t.TempDir(), SecretKey: strings.Repeat("k", 40), WebhookAllow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}},
		Stdout: io.Discard, Stderr: t.Output(), Log: slog.New(slog.DiscardHandler),
	}
	c := benchDeliveriesCmd{Seconds: 1, Backlog: 32, Endpoints: 100}
	figures, err := c.measure(t.Context(), app, testdb.New(t).URL)
	require.NoError(t, err)
	require.Len(t, figures, 5)
	for i, wanted := range []int{32, 32, 100, 100, 80} {
		f := figures[i]
		require.Equal(t, wanted, f.Deliveries+f.Missing, f.What)
		require.Positive(t, f.Deliveries, f.What)
		if i < 2 {
			require.Positive(t, *f.PerSecond, f.What)
			continue
		}
		require.Greater(t, *f.P99, *f.Started, f.What)
		require.GreaterOrEqual(t, *f.Started, *f.Made, f.What)
	}
}
