package htmltest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLinesAreJoinedAsABrowserJoinsThem(t *testing.T) {
	t.Parallel()
	require.Equal(t, "<p>one two <b>three</b></p> <pre>\n a\n</pre><textarea>\nb\n</textarea> c",
		Joined("<p>one\n  two\n  <b>three</b>\n</p>\n<pre>\n a\n</pre><textarea>\nb\n</textarea>\n c"))
}
