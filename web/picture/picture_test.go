package picture

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models/photograph"
)

func TestAPhotographIsMadeSmallerAndNeverLarger(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 8, 6, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ width, height, side, wide, high int }{
		"large":          {300, 400, 48, 36, 48},
		"wide":           {400, 100, 64, 64, 16},
		"already small":  {30, 40, 48, 30, 40},
		"without a size": {0, 0, 48, 0, 0},
	} {
		p, err := of("hall-2026-000001", &photograph.Shown{SmallWidth: c.width, SmallHeight: c.height, TakenAt: at}, "https://records.example.org/photographs/a%2Fb", c.side)
		require.NoError(t, err, name)
		require.Equal(t, [2]int{c.wide, c.high}, [2]int{p.Width, p.Height}, name)
		require.Equal(t, "/photographs/a%2Fb", p.Path, name)
		require.Equal(t, "booking photograph of the jail, Mar 8, 2026", p.Alt().String(), name)
	}
	_, err := of("hall-2026-000001", &photograph.Shown{}, "%zz", 48)
	require.Error(t, err)
}
