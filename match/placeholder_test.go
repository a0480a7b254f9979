package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
)

func TestWhatStandsForAnAbsentNameIsNone(t *testing.T) {
	t.Parallel()
	for _, booked := range []string{"SMITH, JOHN NMN", "SMITH, JOHN NMI", "JOHN NMN SMITH", "SMITH,JOHN (NMN)", "SMITH, JOHN UNKNOWN"} {
		require.Equal(t, "strict", levelOf("JOHN SMITH", booked, match.Birth{}, match.Birth{}), booked)
		require.Equal(t, "strict", levelOf("JOHN ALLEN SMITH", booked, match.Birth{}, match.Birth{}), booked)
		require.InDelta(t, score("JOHN ALLEN SMITH", "SMITH, JOHN"), score("JOHN ALLEN SMITH", booked), 0.01, booked)
	}
	for _, nobody := range []string{"UNKNOWN, UNKNOWN", "UNKNOWN, JOHN", "LNU, JOHN", "JOHN LNU", "FNU LNU", "FNU", "JOHN UNK", "NMN"} {
		n := match.Parse(nobody)
		require.True(t, n.Empty(), nobody)
		require.Equal(t, "none", levelOf("JOHN UNKNOWN", nobody, match.Birth{}, match.Birth{}), nobody)
	}
	for _, lone := range []string{"KOWALCZYK, FNU", "KOWALCZYK, UNKNOWN", "FNU KOWALCZYK", "UNKNOWN KOWALCZYK"} {
		n := match.Parse(lone)
		require.True(t, n.Lone(), lone)
		require.Less(t, score("JOHN KOWALCZYK", lone), match.DefaultThreshold, lone)
	}
	// Two whose first name is not known share none.
	require.Equal(t, "none", levelOf("FNU SMITH", "SMITH, FNU", match.Birth{}, match.Birth{}))
}
