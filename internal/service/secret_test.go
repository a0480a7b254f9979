package service_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
)

func TestOthersMayPassThroughTheDataDirectoryAndListNothingOfIt(t *testing.T) {
	t.Parallel()
	app := &service.App{}
	app.DataDir = filepath.Join(t.TempDir(), "data")
	_, err := app.Secret()
	require.NoError(t, err)
	for name, want := range map[string]os.FileMode{"": 0o711, "secret.key": 0o600} {
		info, err := os.Stat(filepath.Join(app.DataDir, name))
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&^want, name)
	}
}
