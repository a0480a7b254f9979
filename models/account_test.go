package models_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestTheReasonOfASuspensionIsALineOfCharacters(t *testing.T) {
	t.Parallel()
	a := &models.Account{}
	require.NoError(t, a.Suspend(strings.Repeat("é", 200), time.Now()))
	require.NoError(t, a.Suspend(" unpaid\x1b[31m\nbill\u202e ", time.Now()))
	require.Equal(t, "unpaid[31m bill", *a.SuspendedReason)
	for _, bad := range []string{"", " \t", "\x1b", strings.Repeat("é", 201)} {
		require.ErrorContains(t, a.Suspend(bad, time.Now()), "1 to 200 characters", "%q", bad)
	}
}
