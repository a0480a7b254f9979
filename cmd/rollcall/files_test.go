package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
)

// Making a database takes long, and an operator who mistyped a path would find it half installed.
func TestAFileOfTheSettingsIsReadBeforeADatabaseIsMade(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"serve", "work"} {
		dir := filepath.Join(t.TempDir(), "data")
		x := cmdtest.NewOutput()
		env := cmdtest.Variables{"ROLLCALL_DATA_DIR": dir, "ROLLCALL_ADDR": "127.0.0.1:0", "ROLLCALL_WEBHOOK_CA_FILE": filepath.Join(t.TempDir(), "none.pem")}
		require.Equal(t, 1, run(t.Context(), []string{command}, x, x, env.Get))
		require.Contains(t, x.String(), "ROLLCALL_WEBHOOK_CA_FILE")
		_, err := os.Stat(dir)
		require.ErrorIs(t, err, os.ErrNotExist, command)
	}
}
