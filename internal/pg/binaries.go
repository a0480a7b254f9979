package pg

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// binaries are the programs postgres and initdb of one PostgreSQL.
type binaries struct {
	// dir is the real directory of the programs, without symbolic links.
	dir   string
	major int
	// libs are directories of shared libraries that the system lacks. They came with fetched programs.
	libs []string
}

// oldest is the first major version that has what the schema and the tests use.
const oldest = 15

// usualPlaces are where PostgreSQL is installed on Debian, on Red Hat, from source, and with Homebrew.
func usualPlaces() []string {
	return []string{
		"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/lib/postgresql*/bin", "/usr/libexec/postgresql*",
		"/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin",
	}
}

// findBinaries chooses the PostgreSQL to run: that of o.BinDir if it is set, else the newest installed one that
// fits the cluster, else a fetched one. major is the cluster's version, 0 if there is none. A cluster that no
// installed version fits is [ErrOtherVersion] with the version that is needed; nothing is downloaded then,
// since an upgrade is the operator's decision.
func findBinaries(ctx context.Context, o Options, acct account, major int) (binaries, error) {
	if o.BinDir != "" {
		b, err := inspect(ctx, o.BinDir, nil, acct)
		if err != nil {
			return b, fmt.Errorf("use the PostgreSQL of ROLLCALL_PG_BIN: %w", err)
		}
		return b, b.fits(major)
	}
	found := installed(ctx, o, acct)
	for _, b := range found {
		if b.fits(major) == nil {
			return b, nil
		}
	}
	fetched, err := fetch(ctx, o, acct, major, len(found) == 0)
	if err == nil {
		return fetched, fetched.fits(major)
	}
	if len(found) > 0 {
		return binaries{}, found[0].fits(major)
	}
	return binaries{}, err
}

// installed returns the PostgreSQL installations of the machine that acct can run, newest first. Those that do
// not run or are too old are left out.
func installed(ctx context.Context, o Options, acct account) []binaries {
	places := o.SearchPath
	if places == nil {
		places = usualPlaces()
		if program, err := exec.LookPath("postgres"); err == nil {
			places = append(places, filepath.Dir(program))
		}
	}
	var found []binaries
	for _, pattern := range places {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			continue // a directory name with odd characters
		}
		for _, dir := range dirs {
			b, err := inspect(ctx, dir, nil, acct)
			known := slices.ContainsFunc(found, func(f binaries) bool { return f.dir == b.dir })
			if err == nil && !known {
				found = append(found, b)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b binaries) int { return b.major - a.major })
	return found
}

// versionText finds the major version in the output of --version.
var versionText = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// inspect asks the programs in dir for their version. It runs them as the user who will run the server, so that
// missing permissions and libraries are found here and not at the start.
func inspect(ctx context.Context, dir string, libs []string, acct account) (binaries, error) {
	// PATH often has links to the real directory, and PostgreSQL finds its files relative to its program.
	program, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres"))
	if err != nil {
		return binaries{}, err
	}
	b := binaries{dir: filepath.Dir(program), libs: libs}
	if !acct.reaches(b.dir) {
		return b, fmt.Errorf("user %s, whom PostgreSQL runs as, cannot reach %s", acct.name, b.dir)
	}
	for _, name := range []string{"initdb", "postgres"} {
		cmd := exec.CommandContext(ctx, filepath.Join(b.dir, name), "--version") //nolint:gosec // the operator's binaries
		cmd.Dir = "/"
		cmd.Env = b.environment()
		detach(cmd, acct, 0)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return b, fmt.Errorf("run %s: %w: %s", cmd.Path, err, strings.TrimSpace(string(out)))
		}
		match := versionText.FindSubmatch(out)
		if match == nil {
			return b, fmt.Errorf("%s does not print its version: %s", cmd.Path, out)
		}
		if b.major, err = strconv.Atoi(string(match[1])); err != nil {
			return b, err
		}
	}
	if b.major < oldest {
		return b, fmt.Errorf("%s is PostgreSQL %d, and rollcall needs %d or newer", b.dir, b.major, oldest)
	}
	return b, nil
}

// fits returns [ErrOtherVersion] for a cluster of another major version. 0 stands for no cluster and fits every
// version.
func (b binaries) fits(major int) error {
	if major == 0 || major == b.major {
		return nil
	}
	return fmt.Errorf(
		"%w: it was made by PostgreSQL %d, and %s is PostgreSQL %d; set ROLLCALL_PG_BIN to the programs of version %d, or dump the data there and import it into another ROLLCALL_DATA_DIR",
		ErrOtherVersion, major, b.dir, b.major, major)
}

// environment is everything that PostgreSQL sees of this process's environment. Variables such as PGDATA or a
// foreign locale must not reach it.
func (b binaries) environment() []string {
	env := []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	if len(b.libs) > 0 {
		env = append(env, "LD_LIBRARY_PATH="+strings.Join(b.libs, ":"))
	}
	return env
}
