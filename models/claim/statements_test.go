package claim

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models/db/sqlfile"
)

// Every statement has a user in the package that it stands beside. What a package runs stands beside it or beside the engine,
// and no table of a family is written by name where its placeholder stands for it.
func TestStatementsAreThoseThatAreUsed(t *testing.T) {
	t.Parallel()
	call := regexp.MustCompile(`(?:\.(?:Do|Exec|One|Each|Query)\(ctx, |ReadClaims\[[\w.]+\]\(ctx, \w+, |statements\.Get\()"([a-z_]+)"`)
	const engine = "internal/engine"
	shared := sqlfile.Load(os.DirFS(engine)).Names()
	calls := 0
	for _, dir := range []string{".", engine, "internal/roster", "internal/court", "internal/offender"} {
		own := sqlfile.Load(os.DirFS(dir))
		unused, err := sqltest.Unused(dir, own)
		require.NoError(t, err)
		require.Empty(t, unused, "statements of %s without a user", dir)
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, c := range call.FindAllStringSubmatch(string(text), -1) {
				calls++
				require.Contains(t, slices.Concat(own.Names(), shared), c[1], file)
			}
		}
	}
	require.Greater(t, calls, 80)
	for _, of := range families {
		for _, name := range of.Statements().Names() {
			s := of.Statements().Get(name)
			require.False(t, slices.ContainsFunc([]string{"{claims}", "{records}", "{key}", "{id}"}, func(p string) bool { return strings.Contains(s, p) }), s)
		}
	}
}

// A statement that is alike for several families need not be one of each: some read columns that only one family has.
func TestPostgresUnderstandsEachStatementForAFamily(t *testing.T) {
	t.Parallel()
	pool := testdb.New(t).Pool
	refused, understood := map[string]string{}, map[string]bool{}
	for kind, of := range families {
		all := of.Statements()
		var makes []string
		for _, name := range all.Names() {
			if strings.HasPrefix(all.Get(name), "create temp table") {
				makes = append(makes, name)
			}
		}
		by, err := sqltest.Refused(t.Context(), pool, all, makes...)
		require.NoError(t, err, kind)
		maps.Copy(refused, by)
		for _, name := range all.Names() {
			if _, no := by[name]; !no {
				understood[name] = true
			}
		}
	}
	maps.DeleteFunc(refused, func(name, _ string) bool { return understood[name] })
	require.Empty(t, refused)
	require.Greater(t, len(understood), 100)
}
