package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/notifier"
)

func TestARehearsalNamesTheCommandForRenumberedKeysAndCountsWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	require.Equal(t, `The held snapshot of run 2 would: new 0  changed 0  closed 3  reopened 0  missing 0  (of 12 rows)
  12 people are gone from known keys and in it under new ones, with the same name and time of booking; if the jail renumbered its bookings: rollcall sources release ID --renumbered
  4 rows would be refused and go to quarantine
  alerts that would fire: at least 2 (booked 1, released 3)
  with --renumbered: 0
  gone: fulton-2026-000001 QUILLFEATHER, WREN
  and 2 more
`, rehearsal(&service.Rehearsed{
		Forecast:   notifier.Forecast{Alerts: 2, Events: map[models.EventKind]int{"released": 3, "booked": 1}, More: true},
		Renumbered: &notifier.Forecast{},
		Rehearsed:  &ingest.Rehearsed{Run: 2, Complete: true, Rows: 12, Again: 12, Closed: 3, Quarantined: 4, Gone: []snapshot.Gone{{ID: "fulton-2026-000001", Name: "QUILLFEATHER, WREN"}}},
	}))
}
