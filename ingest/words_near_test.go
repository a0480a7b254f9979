package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWordsOutlastMovedKeysAbsencesAndLateFiles(t *testing.T) {
	t.Parallel()
	row := func(key, bond, charge string) string { return orla(key, "01:30", bond, charge) }
	t.Run("keys that move", func(t *testing.T) {
		t.Parallel()
		f := newFeeds(t)
		f.tell("a", row("M1", "500", "THEFT"))
		f.tell("a", row("M5", "500", "THEFT"))
		f.tell("b", row("X9", "800", "THEFT"))
		f.tell("c", row("Z9", "900", "THEFT"))
		f.events()
		f.tell("a", row("M5", "500", "DUI"))
		f.tell("a", row("M6", "500", "DUI"))
		f.tell("b", row("X8", "800", "DUI"))
		f.tell("a", row("M5", "500", "ARSON"))
		require.Equal(t, "MOONSAIL, ORLA 01:30 900 {ARSON} booked", f.merged())
		require.Empty(t, f.events())
	})
	t.Run("a feed that stops listing and comes back", func(t *testing.T) {
		t.Parallel()
		f := newFeeds(t)
		f.tell("a", row("M1", "500", "THEFT"))
		f.tell("b", row("X9", "800", "THEFT"))
		f.events()
		f.tell("a")
		f.tell("a", row("M1", "500", "THEFT"))
		f.tell("b")
		f.tell("a")
		require.Equal(t, "release 0", f.events())
		f.tell("a", row("M1", "500", "THEFT"))
		f.tell("b", row("X9", "800", "THEFT"))
		require.Equal(t, "MOONSAIL, ORLA 01:30 800 {THEFT} booked", f.merged())
		require.Equal(t, "retraction 0", f.events())
	})
	t.Run("late files", func(t *testing.T) {
		t.Parallel()
		f := newFeeds(t)
		f.tell("a", row("M1", "500", "THEFT"))
		f.tell("b", row("X9", "800", "THEFT"))
		f.tell("a", row("M1", "500", "DUI"))
		f.events()
		f.load(f.sources["a"], accused(row("M1", "300", "THEFT")), day.Add(90*time.Minute))
		f.tell("a", row("M1", "500", "ARSON"))
		f.load(f.sources["b"], accused(row("X9", "100", "THEFT")), day.Add(30*time.Minute))
		f.tell("b", row("X9", "800", "FRAUD"))
		require.Equal(t, "MOONSAIL, ORLA 01:30 800 {FRAUD} booked", f.merged())
		require.Empty(t, f.events())
	})
}
