package main

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

func TestLinksByCommand(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	pool, err := pgxpool.New(t.Context(), x.URL)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	(&testdb.DB{URL: x.URL, Pool: pool}).Add(t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "Quentin Abernethy", DOB: "1980-03-04"},
		testdb.Offender{GdcID: "G1", Name: "ABERNETHY, QUENTIN ELIAS", DOB: "1980-03-04"})

	require.Contains(t, x.OK("link", "explain", "fulton-2026-000001", "G1"), "waits for the next link run")
	require.Contains(t, x.OK("link", "run"), "looked at 1 booking and 1 corrections record: links made 1, changed 0, removed 0")
	said := x.OK("link", "explain", "fulton-2026-000001", "G1")
	require.Contains(t, said, "booking  fulton-2026-000001  Quentin Abernethy  born 1980-03-04")
	require.Contains(t, said, "this pair alone: high, probability ")
	require.Contains(t, said, "The booking is linked to this record (high, matched).")

	require.Equal(t, map[string]any{"roster_id": "fulton-2026-000001", "gdc_id": "G1", "verdict": "dismissed"}, x.Fields("link", "dismiss", "fulton-2026-000001", "G1", "--json"))
	require.InDelta(t, 0, x.Fields("link", "run", "--full", "--json")["made"], 0)
	e := x.Fields("link", "explain", "fulton-2026-000001", "G1", "--json")
	require.Nil(t, e["linked"])
	require.Equal(t, "dismissed", e["verdict"])

	require.Equal(t, "fulton-2026-000001 and G1: confirmed\n", x.OK("link", "confirm", "fulton-2026-000001", "G1"))
	require.Equal(t, "operator", x.Fields("link", "explain", "fulton-2026-000001", "G1", "--json")["origin"])

	code, _ := x.Run("link", "confirm", "fulton-2026-000001", "G404")
	require.Equal(t, 1, code)
	require.Contains(t, x.Stderr, "there is no corrections record G404")
}
