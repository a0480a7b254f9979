package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A release by key names nobody. A row of its file that names a person decides whose both are, and of which booking.
func TestARowBesideAReleaseByKeyDecidesWhoseBothAre(t *testing.T) {
	t.Parallel()
	const reused = orla + " 2 released 96 500; " + tolliver + " 230 "
	for name, c := range map[string]struct {
		released     int // the first stay, known before the file
		booked, out  int // of the person of the file, and what its release by key says
		want         string
		wantRejected int
	}{
		"another person under a number that is in use":   {0, 8, 9, orla + " 2 booked 500", 2},
		"a number used again, and the release of before": {96, 230, 96, reused + "booked 100", 1},
		"a number used again, booked and released":       {96, 230, 235, reused + "released 235 100", 0},
	} {
		for _, source := range []string{lists, changed} {
			t.Run(name+", "+source, func(t *testing.T) {
				t.Parallel()
				j := withJailFiles(t)
				j.reads(source, 3, j.row("K", orla, 2, 0, 500))
				if c.released > 0 {
					j.reads(source, 100, j.out("K", c.released))
				}
				applied := j.reads(source, 240, j.row("K", tolliver, c.booked, 0, 100), j.out("K", c.out))
				require.Equal(t, c.want, j.bookings())
				require.Len(t, applied.Rejected, c.wantRejected)
			})
		}
	}
}
