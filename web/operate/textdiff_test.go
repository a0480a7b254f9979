package operate

import (
	"fmt"
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

	t.Log("as large as a document may be, of lines of which none or each has a twin")
	blank, numbered := strings.Repeat("\n", mostDocument/2), strings.Builder{}
	for i := range mostDocument / 10 {
		fmt.Fprintln(&numbered, i)
	}
	require.Equal(t, []string{"+a", " ", " ", " ", " …"}, shown(blank, "a\n"+blank))
	require.Len(t, shown(blank, numbered.String()), mostDocument/2+mostDocument/10)
}
