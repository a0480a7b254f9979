package models

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsTypedKeepsWhatCanBeSeen(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Evil Name", Visible("\u202eEvil Name\u200b"))
	require.Equal(t, `Smith Jones "x"`, Visible("Smith\nJones\t\"x\"\x07"))
	require.Equal(t, "one\ntwo", visibleLines("one\n\u202etwo\x1b\n"))
}

func TestAnAddressThatLooksLikeAnotherIsNone(t *testing.T) {
	t.Parallel()
	require.NoError(t, EmailAddress("desk@example.org"))
	for name, email := range map[string]string{
		"turned round":              "\u202egro.live@example.org",
		"a blank of no width":       "a\u200bo@example.org",
		"longer than servers take":  strings.Repeat("a", 250) + "@example.org",
		"with the name of somebody": "Desk <desk@example.org>",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, CodeInvalidParameter, CodeOf(EmailAddress(email)))
		})
	}
}
