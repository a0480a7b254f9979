package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A preview says which watcher of the account asks for the same: who is watched twice is reported twice.
func TestAPreviewNamesTheWatcherThatAsksForTheSame(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	b.data(t, `mutation { createAlert(input: {name: "Wren O’Moonsail", county: "hall", dob: "1990-02-28"}) { id } }`, nil)
	b.data(t, `mutation { createAlert(input: {name: "Ida Stormcrow", age: 34, ageOn: "2026-01-02"}) { id } }`, nil)
	for asked, want := range map[string]string{
		`name: "OMOONSAIL, Wrén", county: "hall", dob: "1990-02-28"`:              `{"name": "Wren O’Moonsail"}`,
		`name: "Wren O'Moonsail", county: "hall", dob: "1990-02-28", level: WIDE`: `null`,
		`name: "Wren O'Moonsail", dob: "1990-02-28"`:                              `null`,
		`name: "Wren O'Moonsail", county: "hall", birthYear: 1990`:                `null`,
		`name: "Wren Ida O'Moonsail", county: "hall", dob: "1990-02-28"`:          `null`,
		`name: "Stormcrow, Ida", age: 34, ageOn: "2026-01-03"`:                    `{"name": "Ida Stormcrow"}`,
		`name: "Ida Stormcrow", age: 33, ageOn: "2026-01-03"`:                     `null`,
		`name: "Ida Stormcrow"`: `null`,
	} {
		require.JSONEq(t, `{"previewAlert": {"copyOf": `+want+`}}`, b.data(t, `{ previewAlert(`+asked+`) { copyOf { name } } }`, nil), asked)
	}
}
