package cell_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/cell"
)

func TestWhatThereIsNotIsADash(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 8, 9, 0, 59, 0, time.FixedZone("EST", -5*3600))
	require.Equal(t, "2026-03-08 14:00 UTC", cell.Time(&at))
	require.Equal(t, "-", cell.Time(nil))
	require.Equal(t, "MOONSAIL", cell.Text(new("MOONSAIL")))
	require.Equal(t, "-", cell.Text(nil))
}
