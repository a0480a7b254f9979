package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/graph/transport"
	"rollcall/internal/testdb"
	"rollcall/models"
)

// views is a state of the records that a test sets.
type views struct{ at models.View }

func (v *views) View() (models.View, bool) { return v.at, true }

// TestOnlyAnswersThatDependOnRecordsAloneAreGivenAgain changes a name behind the back of rollcall, which
// an answer that is made anew shows.
func TestOnlyAnswersThatDependOnRecordsAloneAreGivenAgain(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, query string
		again       bool
	}{
		{"a list", `{ roster { records { name } } }`, true},
		{"a list behind fragments", `{ ...q } fragment q on Query { roster { ... { records { name } } } }`, true},
		{"linked records", `{ corrections { records { countyRecords { record { name } } } } roster { records { name } } }`, true},
		{"a source, which ages", `{ roster { records { name source { lagSeconds } } } }`, false},
		{"when it was last seen", `{ roster { records { name lastSeen } } }`, false},
		{"the caller's own usage", `{ usage { remaining } roster { records { name } } }`, false},
		{"the lateness of a schedule", `{ roster { records { name } } courts { records { scheduleLate } } }`, false},
		{"freshness in a fragment", `{ roster { ...f records { name } } } fragment f on RosterPage { freshness { stale } }`, false},
		{"another name and a type's name", `{ __typename again: roster { records { __typename n: name } } }`, true},
		{"sources", `{ sources { state } roster { records { name } } }`, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			now := &views{}
			b := setup(t, func(o *transport.Options) { o.Keep, o.Views = 1<<20, now }, testdb.Booking{ID: "fulton-2026-000001", Name: "Quentin Abernethy"})
			ask := func() string {
				a := b.post(t, c.query, nil)
				require.Empty(t, a.Errors)
				return a.body
			}
			require.Contains(t, ask(), "Abernethy")
			_, err := b.db.Pool.Exec(t.Context(), `update bookings set name = 'Quentin Abernathy'`)
			require.NoError(t, err)
			require.Equal(t, c.again, strings.Contains(ask(), "Abernethy"))
			now.at.Roster++
			require.Contains(t, ask(), "Abernathy")
		})
	}
}
