package main

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
	"rollcall/internal/testdb"
)

func TestTheBenchOfPhotographsStoresAndSendsThem(t *testing.T) {
	t.Parallel()
	app := &service.App{
		Config: service.Config{DataDir: t.TempDir(), DatabaseURL: testdb.New(t).URL, SecretKey: strings.Repeat("k", 40), BaseURL: "http://records.example/v1"},
		Stdout: io.Discard, Stderr: t.Output(), Log: slog.New(slog.DiscardHandler),
	}
	f, err := (&benchPhotographsCmd{Small: 12, Large: 2, Requests: 15}).measure(t.Context(), app)
	require.NoError(t, err)
	require.Len(t, f.Stored, 2)
	require.Equal(t, []int{12, 2}, []int{f.Stored[0].Photographs, f.Stored[1].Photographs})
	require.Len(t, f.Sent, 4)
	for i, size := range []string{"large", "small", "large", "small"} {
		sent := f.Sent[i]
		require.Equal(t, size, string(sent.Size))
		require.Equal(t, 15, sent.Requests)
		require.Less(t, sent.KB, f.Stored[i/2].KB, "no picture is larger than what the jail shows")
		require.LessOrEqual(t, sent.P50, sent.P99)
	}
	require.Less(t, f.Sent[1].KB, f.Sent[0].KB)
}
