// Package sqltest checks the named statements of a package: that a migrated database understands each of them,
// and that the package uses each of them. A statement with a wrong column or a name that nobody calls is found
// without running the code around it. It is for tests only.
package sqltest

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rollcall/models/db/sqlfile"
)

// Check fails the test for each statement that PostgreSQL cannot prepare, and for each whose name is in no
// string of the Go files of the package under test. The statements of makes are run first, in their order, on
// the same connection: they make the temporary tables that others read.
func Check(t *testing.T, pool *pgxpool.Pool, set sqlfile.Set, makes ...string) {
	t.Helper()
	// A set without statements would pass every check.
	require.NotEmpty(t, set.Names(), "no statements were loaded")
	refused, err := Refused(t.Context(), pool, set, makes...)
	require.NoError(t, err)
	assert.Empty(t, refused, "statements that PostgreSQL cannot prepare")
	unused, err := Unused(".", set)
	require.NoError(t, err)
	assert.Empty(t, unused, "statements that no Go file of this package names")
}

// Refused returns PostgreSQL's error for each statement that it cannot prepare, by name. An error of a
// statement of makes is returned as err. Everything is rolled back.
func Refused(ctx context.Context, pool *pgxpool.Pool, set sqlfile.Set, makes ...string) (map[string]string, error) {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	for _, name := range makes {
		if _, err := tx.Exec(ctx, set.Get(name)); err != nil {
			return nil, fmt.Errorf("statement %s: %w", name, err)
		}
	}
	// One message for each statement, so that a change of the schema shows all that it breaks.
	out := map[string]string{}
	for _, name := range set.Names() {
		if err := parses(ctx, tx, set.Get(name)); err != nil {
			out[name] = err.Error()
		}
	}
	return out, nil
}

// parses prepares one statement in a savepoint, so that those after it are still tried. Named arguments are
// replaced by placeholders first; their values do not matter to PostgreSQL here.
func parses(ctx context.Context, tx pgx.Tx, sql string) error {
	sql, _, err := pgx.NamedArgs{}.RewriteQuery(ctx, tx.Conn(), sql, nil)
	if err != nil {
		return err
	}
	// An error would end the whole transaction otherwise.
	sub, err := tx.Begin(ctx)
	if err != nil {
		return err
	}
	_, err = sub.Prepare(ctx, "", sql)
	// The statement was only prepared, so nothing has to be undone but the savepoint.
	if undone := sub.Rollback(ctx); err == nil {
		err = undone
	}
	return err
}

// Unused returns the statements whose names are in no string of the Go files of dir, tests aside.
func Unused(dir string, set sqlfile.Set) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	// A name in a comment is no use of a statement, so strings are read from the syntax tree.
	held := map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					held[s] = true
				}
			}
			return true
		})
	}
	return slices.DeleteFunc(set.Names(), func(name string) bool { return held[name] }), nil
}
