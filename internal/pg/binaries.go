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
	dir   string
	major int
	libs  []string // directories of shared libraries that the system lacks
}

// oldest is the first major version that has what the schema and the tests use.
const oldest = 15

// usualPlaces hold PostgreSQL on Debian, Red Hat, from source, and with Homebrew.
func usualPlaces() []string {
	return []string{
		"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/lib/postgresql*/bin", "/usr/libexec/postgresql*",
		"/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin",
	}
}

// findBinaries chooses the PostgreSQL to run: those of o.BinDir when given, else the newest installed one that fits the
// cluster (major 0: any), else a fetched one.
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

// installed lists the PostgreSQL installations of the machine that acct can run, newest first.
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

var versionText = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// inspect asks the programs in dir, as the user who will run them, for their version.
func inspect(ctx context.Context, dir string, libs []string, acct account) (binaries, error) {
	// PATH often holds links to the real place, and PostgreSQL finds its files relative to where its program lies.
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
			return b, fmt.Errorf("%s does not tell its version: %s", cmd.Path, out)
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

// fits refuses a cluster of another major version; major 0 stands for no cluster.
func (b binaries) fits(major int) error {
	if major == 0 || major == b.major {
		return nil
	}
	return fmt.Errorf(
		"%w: it was made by PostgreSQL %d, and %s is PostgreSQL %d; set ROLLCALL_PG_BIN to the programs of version %d, or dump the data there and import it into another ROLLCALL_DATA_DIR",
		ErrOtherVersion, major, b.dir, b.major, major)
}

// environment is all that PostgreSQL sees of this process's environment: none of its own variables may leak in.
func (b binaries) environment() []string {
	env := []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	if len(b.libs) > 0 {
		env = append(env, "LD_LIBRARY_PATH="+strings.Join(b.libs, ":"))
	}
	return env
}
