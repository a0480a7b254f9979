package web

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestADiffShowsWhatChangedAndWhatIsNearIt(t *testing.T) {
	t.Parallel()
	shown := func(before, after string) (out []string) {
		for _, l := range diffOf(before, after) {
			out = append(out, l.Mark+l.Text)
		}
		return out
	}
	require.Equal(t, []string{" a", "-b", "+c", " d"}, shown("a\nb\nd", "a\nc\nd"))
	require.Empty(t, shown("a\nb", "a\nb"))
	long := strings.Repeat("x\n", 9)
	require.Equal(t, []string{" x", " x", " x", "+new", " x", " x", " x", " …"}, shown(long+long, long+"new\n"+long))
	require.Equal(t, []string{"-a", "+b"}, shown("a", "b"))
}
