package plural_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/plural"
)

func TestOneThingHasNoS(t *testing.T) {
	t.Parallel()
	require.Equal(t, "0 rows", plural.Of(0, "row"))
	require.Equal(t, "1 row", plural.Of(1, "row"))
	require.Equal(t, "2 rows", plural.Of(2, "row"))
	require.Equal(t, "1 delivery", plural.Of(1, "delivery", "deliveries"))
	require.Equal(t, "5 deliveries", plural.Of(5, "delivery", "deliveries"))
	require.Equal(t, "goes", plural.Word(1, "goes", "go"))
}

func TestALengthOfTimeIsInWords(t *testing.T) {
	t.Parallel()
	for d, says := range map[time.Duration]string{
		0: "0 seconds", 50 * time.Second: "50 seconds", 6*time.Minute + 8*time.Second: "6 minutes", 90 * time.Minute: "1 hour 30 minutes",
		24 * time.Hour: "1 day", 51*time.Hour + 20*time.Minute: "2 days 3 hours",
	} {
		require.Equal(t, says, plural.Span(d))
	}
}
