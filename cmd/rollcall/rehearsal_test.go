package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/snapshot"
)

func TestARehearsalNamesTheCommandForRenumberedKeysAndCountsWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	require.Equal(t, `The held snapshot of run 2 would: new 0  changed 0  closed 3  reopened 0  missing 0  (of 12 rows)
  12 people are gone from known keys and in it under new ones, with the same name and time of booking; if the jail renumbered its bookings: rollcall sources release ID --renumbered
  gone: fulton-2026-000001 QUILLFEATHER, WREN
  and 2 more
`, rehearsal(&ingest.Rehearsed{Run: 2, Complete: true, Rows: 12, Again: 12, Closed: 3, Gone: []snapshot.Gone{{ID: "fulton-2026-000001", Name: "QUILLFEATHER, WREN"}}}))
}
