package service_test

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
)

func TestOthersMayPassThroughTheDataDirectoryAndListNothingOfIt(t *testing.T) {
	t.Parallel()
	app := &service.App{}
	app.DataDir = filepath.Join(t.TempDir(), "data")
	_, err := app.SecretKeys()
	require.NoError(t, err)
	for name, want := range map[string]os.FileMode{"": 0o711, "secret.key": 0o600} {
		info, err := os.Stat(filepath.Join(app.DataDir, name))
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&^want, name)
	}
}

func TestOlderSecretKeysFollowThePresentOne(t *testing.T) {
	t.Parallel()
	key := func(c string) string { return strings.Repeat(c, 40) }
	sums := func(texts ...string) (all [][]byte) {
		for _, text := range texts {
			sum := sha256.Sum256([]byte(text))
			all = append(all, sum[:])
		}
		return all
	}
	for name, c := range map[string]struct {
		set, old, file string
		want           [][]byte
	}{
		"a key alone":                        {set: key("a"), want: sums(key("a"))},
		"a key and older ones":               {set: key("a"), old: key("b") + ", " + key("c"), want: sums(key("a"), key("b"), key("c"))},
		"a file":                             {file: key("f") + "\n", want: sums(key("f"))},
		"a file with older keys below":       {file: key("f") + "\n\n" + key("g") + "\n", want: sums(key("f"), key("g"))},
		"a file and older keys beside it":    {file: key("f") + "\n", old: key("b"), want: sums(key("f"), key("b"))},
		"a key, which makes the file unread": {set: key("a"), file: key("f"), want: sums(key("a"))},
	} {
		dir := t.TempDir()
		if c.file != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.key"), []byte(c.file), 0o600))
		}
		set := map[string]string{"ROLLCALL_SECRET_KEY": c.set, "ROLLCALL_SECRET_KEYS_OLD": c.old, "ROLLCALL_DATA_DIR": dir}
		config, err := service.ReadConfig(func(name string) string { return set[name] })
		require.NoError(t, err, name)
		got, err := (&service.App{Config: config}).SecretKeys()
		require.NoError(t, err, name)
		require.Equal(t, c.want, got, name)
	}

	t.Log("a key that is cut off is no key")
	_, err := service.ReadConfig(func(name string) string {
		return map[string]string{"ROLLCALL_SECRET_KEYS_OLD": key("a") + ",short"}[name]
	})
	require.ErrorContains(t, err, "ROLLCALL_SECRET_KEYS_OLD")
	require.NotContains(t, err.Error(), "short,")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.key"), []byte(key("f")+"\nshort\n"), 0o600))
	_, err = (&service.App{Config: service.Config{DataDir: dir}}).SecretKeys()
	require.ErrorContains(t, err, "damaged")
}
