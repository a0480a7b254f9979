package plural_test

import (
	"testing"

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
