//go:build unix

package pg

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// needNetwork skips a test that downloads unless it was asked for.
func needNetwork(t *testing.T) {
	t.Helper()
	if os.Getenv("ROLLCALL_TEST_FETCH") == "" {
		t.Skip("downloads about 60 MB: set ROLLCALL_TEST_FETCH=1 to run it")
	}
}

// programs puts only these programs of the machine, and links of our own, on PATH.
func programs(t *testing.T, own map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range own {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o600))
		require.NoError(t, os.Chmod(file, 0o755))
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
}

// missing hides a program of the machine.
const missing = "exit 127"

// hidePackageLists makes apt look for its lists in an empty directory unless told otherwise on its command line.
func hidePackageLists(t *testing.T) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "apt.conf")
	require.NoError(t, os.WriteFile(config, []byte(`Dir::State::lists "`+t.TempDir()+`/";`), 0o600))
	t.Setenv("APT_CONFIG", config)
}

func TestFetchedServerRuns(t *testing.T) {
	needNetwork(t)
	for _, c := range []struct {
		name string
		hide map[string]string
		way  string
	}{
		{
			name: "Debian's packages with every library, as on a machine that has none and no package lists",
			hide: map[string]string{"dpkg-query": "exit 0", "npm": missing},
			way:  "debian",
		},
		{
			name: "the npm bundle where there is no apt",
			hide: map[string]string{"apt-get": missing, "apt-cache": missing},
			way:  "npm-" + bundleVersion,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			programs(t, c.hide)
			hidePackageLists(t)
			o := Options{Dir: dataDir(t), CacheDir: dataDir(t), SearchPath: []string{}}
			srv, err := Start(t.Context(), o)
			require.NoError(t, err)
			require.DirExists(t, filepath.Join(o.CacheDir, c.way))
			note(t, srv.URL())
			require.Equal(t, "2", ask(t, srv.URL(),
				`SELECT count(*)::text FROM pg_available_extensions WHERE name IN ('pg_trgm', 'btree_gin')`))
			require.NoError(t, srv.Stop())

			programs(t, map[string]string{"apt-get": missing, "apt-cache": missing, "npm": missing})
			srv, err = Start(t.Context(), o)
			require.NoError(t, err, "the second start finds the cache and downloads nothing")
			noted(t, srv.URL())
			require.NoError(t, srv.Stop())
		})
	}
}

func TestFetchedOnceByTwoAtATime(t *testing.T) {
	needNetwork(t)
	cache := dataDir(t)
	acct, err := accountFor("")
	require.NoError(t, err)
	var wg sync.WaitGroup
	got := make([]binaries, 2)
	errs := make([]error, 2)
	for i := range got {
		wg.Go(func() {
			got[i], errs[i] = fetch(t.Context(), Options{CacheDir: cache}, acct, 0, true)
		})
	}
	wg.Wait()
	require.Equal(t, []error{nil, nil}, errs)
	require.Equal(t, got[0], got[1])
}

func TestStartWithoutAnyPostgreSQLNamesTheWays(t *testing.T) {
	programs(t, map[string]string{"apt-get": missing, "apt-cache": missing, "npm": missing})
	_, err := Start(t.Context(), Options{Dir: dataDir(t), CacheDir: dataDir(t), SearchPath: []string{}})
	require.ErrorIs(t, err, ErrNoBinaries)
	for _, way := range []string{"install postgresql", "ROLLCALL_PG_BIN", "ROLLCALL_DATABASE_URL"} {
		require.ErrorContains(t, err, way)
	}
}

func TestStartRefusesADirectoryWithoutPrograms(t *testing.T) {
	t.Parallel()
	_, err := Start(t.Context(), Options{Dir: dataDir(t), BinDir: t.TempDir()})
	require.ErrorContains(t, err, "ROLLCALL_PG_BIN")
}

func TestBundleWithAnotherDigestIsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(dataDir(t), "bundle.tgz")
	require.NoError(t, os.WriteFile(file, []byte("something else"), 0o600))
	require.ErrorContains(t, checkDigest(file, bundles["linux/amd64"].sha256), "digest")
}
