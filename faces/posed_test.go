package faces

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// face returns the landmarks that posed looks at: eyes a number of pixels apart, turned by an angle, and the nose
// a share of that distance from the middle.
func facing(eyes, angle, nose float64) (marks [landmarks]point) {
	sin, cos := math.Sincos(angle)
	at := func(along, down float64) point {
		return point{200 + eyes*(along*cos-down*sin), 200 + eyes*(along*sin+down*cos)}
	}
	marks[36], marks[39] = at(-0.6, 0), at(-0.4, 0)
	marks[42], marks[45] = at(0.4, 0), at(0.6, 0)
	marks[30] = at(nose, 0.6)
	return marks
}

func TestAFaceIsComparedAsItIsHeldOrNot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		eyes, angle, nose float64
		want              string
	}{
		{20, 0, 0, ""},
		{19.9, 0, 0, "shows a face of 20 pixels between the eyes, and 20 are needed"},
		{60, 0.5, 0, ""},
		{60, -0.5, 0.19, ""},
		{60, 0.6, 0, "shows a face that is tilted too far"},
		{60, math.Pi, 0, "shows a face that is tilted too far"},
		{60, 0.3, 0.21, "shows a face that looks aside"},
		{60, 0.3, -0.21, "shows a face that looks aside"},
	} {
		require.Equal(t, c.want, posed(facing(c.eyes, c.angle, c.nose)), "%+v", c)
	}
}

func TestADistanceIsJudgedByItsBand(t *testing.T) {
	t.Parallel()
	for d, want := range map[float64]State{0: Match, 0.4499: Match, 0.45: Inconclusive, 0.6499: Inconclusive, 0.65: Different, 1.2: Different} {
		got := judged(d)
		require.Equal(t, want, got.State, "%v", d)
		require.InDelta(t, d, got.Distance, 0)
	}
}
