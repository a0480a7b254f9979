package race

import "testing"

// Skip skips a test where the race detector watches, if it has nothing to see: the test kills processes that are built without
// it, drives a browser, or lives through one long sequence of commands. A run without the detector has the test.
func Skip(tb testing.TB, why string) {
	tb.Helper()
	if On {
		tb.Skip("not under the race detector: " + why)
	}
}
