package main

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/bench/pipeline"
	"rollcall/internal/service"
	"rollcall/internal/testdb"
)

func TestTheBenchOfLinksLinksThoseWhoAreInBothFiles(t *testing.T) {
	t.Parallel()
	app := &service.App{
		Config: service.Config{DataDir: t.TempDir(), DatabaseURL: testdb.New(t).URL, SecretKey: strings.Repeat("k", 40)},
		Stdout: io.Discard, Stderr: t.Output(), Log: slog.New(slog.DiscardHandler),
	}
	const bookings = 2_000
	var figures []pipeline.LinkFigure
	require.NoError(t, withPipeline(t.Context(), app, bookings, func(b *pipeline.Bench) (err error) {
		figures, err = b.Links(t.Context())
		return err
	}))
	require.Len(t, figures, 3)
	all, roster, again := figures[0], figures[1], figures[2]
	require.Equal(t, bookings, all.Bookings)
	require.Equal(t, bookings/2, all.Records)
	require.GreaterOrEqual(t, all.Made, bookings/4, "half of the records have a booking, with the same name and birth date")
	require.Positive(t, roster.Made)
	require.GreaterOrEqual(t, again.Bookings, bookings)
	require.Zero(t, again.Made, "nothing came since")
}
