package pg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// debianLayout returns the directories where Debian's packages put programs and libraries, below dir.
func debianLayout(dir string) (bin string, libs []string) {
	bins, err := filepath.Glob(filepath.Join(dir, "usr/lib/postgresql/*/bin"))
	if err != nil || len(bins) == 0 {
		return filepath.Join(dir, "usr/lib/postgresql"), nil
	}
	for _, pattern := range []string{"usr/lib/*-linux-*", "lib/*-linux-*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err == nil {
			libs = append(libs, found...)
		}
	}
	return bins[0], libs
}

// fetchDebian downloads the server's packages, and the libraries that the machine lacks, with apt-get. It
// unpacks them into dir with dpkg. If the machine's package lists are missing or too old, it reads lists of its
// own. apt verifies the signatures with the machine's keys.
func fetchDebian(ctx context.Context, dir string) error {
	apt := aptLists{work: filepath.Join(dir, "apt")}
	if err := apt.download(ctx); err != nil {
		if err := apt.update(ctx); err != nil {
			return err
		}
		if err := apt.download(ctx); err != nil {
			return err
		}
	}
	files, err := filepath.Glob(filepath.Join(apt.work, "debs", "*.deb"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if _, err := tool(ctx, dir, "dpkg", "-x", file, dir); err != nil {
			return err
		}
	}
	return os.RemoveAll(apt.work)
}

// aptLists is apt with the machine's sources and keys.
type aptLists struct {
	// work is the directory for everything that apt writes here.
	work string
	// own is set when the package lists of work are used instead of the machine's, which only root may update.
	own bool
}

// options are the arguments that every call of apt gets.
func (a aptLists) options() []string {
	options := []string{"-q", "-o", "APT::Sandbox::User=root"}
	if a.own {
		options = append(options, "-o", "Dir::State::lists="+filepath.Join(a.work, "lists"),
			"-o", "Dir::Cache="+filepath.Join(a.work, "cache"))
	}
	return options
}

// update reads package lists into the work directory, for which root is not needed.
func (a *aptLists) update(ctx context.Context) error {
	a.own = true
	for _, sub := range []string{"lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(a.work, sub), 0o700); err != nil {
			return fmt.Errorf("make room for package lists: %w", err)
		}
	}
	// Its exit code also counts hooks of the system's configuration that need root. Whether the lists are good
	// is shown by the download.
	_, err := tool(ctx, "/", "apt-get", append(a.options(), "update")...)
	if lists, globErr := filepath.Glob(filepath.Join(a.work, "lists", "*Packages*")); globErr == nil && len(lists) > 0 {
		return nil
	}
	return err
}

// download puts the packages of the newest PostgreSQL, and of the libraries that are not installed, into the
// folder debs of work.
func (a aptLists) download(ctx context.Context) error {
	debs := filepath.Join(a.work, "debs")
	if err := os.MkdirAll(debs, 0o755); err != nil { //nolint:gosec // apt's own user may write nowhere else
		return fmt.Errorf("make room for packages: %w", err)
	}
	graph, err := a.dependencies(ctx, "postgresql")
	if err != nil {
		return err
	}
	server := slices.IndexFunc(graph["postgresql"], serverPackage.MatchString)
	if server < 0 {
		return errors.New("the package lists know no postgresql")
	}
	name := graph["postgresql"][server]
	have, err := installedPackages(ctx)
	if err != nil {
		return err
	}
	client := strings.Replace(name, "postgresql-", "postgresql-client-", 1)
	want := []string{name, client}
	// want grows while it is read: libraries need further libraries.
	for i := 0; i < len(want); i++ {
		for _, dep := range graph[want[i]] {
			if isLibrary(dep) && !have[dep] && !slices.Contains(want, dep) {
				want = append(want, dep)
			}
		}
	}
	_, err = tool(ctx, debs, "apt-get", append(append(a.options(), "download"), want...)...)
	return err
}

// serverPackage matches the package that the package postgresql stands for, such as postgresql-17.
var serverPackage = regexp.MustCompile(`^postgresql-\d+$`)

// isLibrary reports whether the server's programs need a dependency to run. Those are the shared libraries,
// without the C library, which every system has. The compiler of the JIT is left out too, because the JIT is
// switched off.
func isLibrary(name string) bool {
	return strings.HasPrefix(name, "lib") && name != "libc6" && !strings.HasPrefix(name, "libllvm")
}

// dependencies returns all that a package depends on, directly and through others, as a map from each package
// to its direct dependencies.
func (a aptLists) dependencies(ctx context.Context, name string) (map[string][]string, error) {
	args := append(a.options(), "depends", "--recurse", "--no-recommends", "--no-suggests", "--no-conflicts",
		"--no-breaks", "--no-replaces", "--no-enhances", name)
	out, err := tool(ctx, "/", "apt-cache", args...)
	if err != nil {
		return nil, err
	}
	graph := map[string][]string{}
	of := ""
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\n")
		if line != "" && line[0] != ' ' {
			of = line
			continue
		}
		if _, dep, ok := strings.Cut(line, "Depends: "); ok {
			graph[of] = append(graph[of], dep)
		}
	}
	return graph, nil
}

// installedPackages returns the names of the packages that dpkg has installed.
func installedPackages(ctx context.Context) (map[string]bool, error) {
	out, err := tool(ctx, "/", "dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n")
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "installed "); ok {
			have[name] = true
		}
	}
	return have, nil
}
