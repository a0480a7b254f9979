// Package sqltest checks the named statements of a package: that a migrated database understands each, and that the
// package uses each. It is for tests only.
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

// Check fails the test for each statement that PostgreSQL cannot prepare, and for each whose name no Go file of the
// package under test holds as a string. The statements of makes are run first, in their order, on the same connection:
// they make the temporary tables that others read.
func Check(t *testing.T, pool *pgxpool.Pool, set sqlfile.Set, makes ...string) {
	t.Helper()
	require.NotEmpty(t, set.Names(), "no statements were loaded")
	refused, err := Refused(t.Context(), pool, set, makes...)
	require.NoError(t, err)
	assert.Empty(t, refused, "statements that PostgreSQL cannot prepare")
	unused, err := Unused(".", set)
	require.NoError(t, err)
	assert.Empty(t, unused, "statements that no Go file of this package names")
}

// Refused returns PostgreSQL's error for each statement that it cannot prepare, by name. It leaves nothing in the database.
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
	out := map[string]string{}
	for _, name := range set.Names() {
		if err := parses(ctx, tx, set.Get(name)); err != nil {
			out[name] = err.Error()
		}
	}
	return out, nil
}

// parses prepares one statement in a savepoint, so that those after it are still tried.
func parses(ctx context.Context, tx pgx.Tx, sql string) error {
	sql, _, err := pgx.NamedArgs{}.RewriteQuery(ctx, tx.Conn(), sql, nil)
	if err != nil {
		return err
	}
	sub, err := tx.Begin(ctx)
	if err != nil {
		return err
	}
	_, err = sub.Prepare(ctx, "", sql)
	if undone := sub.Rollback(ctx); err == nil {
		err = undone
	}
	return err
}

// Unused returns the statements whose names no string in the Go files of dir holds, tests aside.
func Unused(dir string, set sqlfile.Set) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
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
