package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
)

func TestASurnameAloneFitsWhoeverHasIt(t *testing.T) {
	t.Parallel()
	watched := match.ParseWatched("Smith", false) // narrowed by a birth, which is not part of the name
	for booked, same := range map[string]bool{"SMITH, JANE": true, "SMITH, JOHN ALLEN": true, "SMYTHE, JANE": false, "JONES, SMITH": false} {
		name := match.Parse(booked)
		require.Equal(t, same, match.FitOf(&watched, &name).Same, booked)
	}
}
