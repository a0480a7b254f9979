// Package sqlfile reads files of named SQL statements, which packages embed beside the Go code that
// runs them:
//
//	-- name: due_deliveries
//	-- Oldest first, so that a busy endpoint does not starve (DECISIONS, "Deliveries").
//	select id from deliveries where due_at <= @now order by due_at limit @n
//
// A statement takes @named arguments (pgx.NamedArgs). Lines that hold only a comment stay in the
// file: they are not sent. The package is for text only; it runs nothing. Package internal/sqltest
// checks the statements of a package on a database.
package sqlfile

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// marker begins a statement; its name is the rest of the line.
const marker = "-- name:"

// Set holds the statements of one package by name. It does not change once loaded and is safe for
// concurrent use.
type Set struct {
	texts map[string]string
}

// Load reads every .sql file of the folder sql in files, as `//go:embed sql/*.sql` holds them. The
// files are part of the program, so Load panics when one cannot be read as statements. A package
// keeps the Set in a package variable.
func Load(files fs.FS) Set {
	s, err := Read(files)
	if err != nil {
		panic("sqlfile: " + err.Error())
	}
	return s
}

// Read is Load for callers that want the error. It names the file and the line or statement at
// fault.
func Read(files fs.FS) (Set, error) {
	names, err := fs.Glob(files, "sql/*.sql")
	if err != nil {
		return Set{}, fmt.Errorf("list statements: %w", err)
	}
	s := Set{texts: map[string]string{}}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return Set{}, fmt.Errorf("read statements: %w", err)
		}
		if err := s.add(string(text)); err != nil {
			return Set{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	return s, nil
}

// add reads the statements of one file. A statement ends where the next one begins; a semicolon at
// its end is dropped.
func (s Set) add(text string) error {
	var (
		name string
		body strings.Builder
	)
	end := func() error {
		if name == "" {
			return nil
		}
		sql := strings.TrimSuffix(strings.TrimSpace(body.String()), ";")
		body.Reset()
		if sql == "" {
			return fmt.Errorf("statement %q is empty", name)
		}
		s.texts[name] = sql
		return nil
	}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		line := strings.TrimRight(lines.Text(), " \t\r")
		if rest, ok := strings.CutPrefix(line, marker); ok {
			if err := end(); err != nil {
				return err
			}
			name = strings.TrimSpace(rest)
			if err := s.free(name); err != nil {
				return err
			}
			continue
		}
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "--") {
			continue
		}
		if name == "" {
			return fmt.Errorf("line %q stands before the first %q", trimmed, marker)
		}
		body.WriteString(line + "\n")
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read statements: %w", err)
	}
	return end()
}

// free returns an error unless a statement may have that name.
func (s Set) free(name string) error {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return fmt.Errorf("%q is not a name of lower-case letters, digits and underscores", name)
	}
	if _, taken := s.texts[name]; taken {
		return fmt.Errorf("there are two statements %q", name)
	}
	return nil
}

// Get returns the text of a statement. It panics when there is none: keep what it returns in a package variable, so that a
// wrong name ends the program as it starts, or let sqltest.Check see every name.
func (s Set) Get(name string) string {
	text, ok := s.texts[name]
	if !ok {
		panic("sqlfile: no statement is named " + name)
	}
	return text
}

// Bind returns a statement with its named arguments as $1, $2, ... and their values. GORM takes both (Raw); its own names
// know neither casts nor lists. It panics when args are not exactly those of the statement.
func (s Set) Bind(ctx context.Context, name string, args pgx.StrictNamedArgs) (text string, values []any) {
	text, values, err := args.RewriteQuery(ctx, nil, s.Get(name), nil)
	if err != nil {
		panic("sqlfile: bind " + name + ": " + err.Error())
	}
	return text, values
}

// Names returns the names of all statements in alphabetical order.
func (s Set) Names() []string { return slices.Sorted(maps.Keys(s.texts)) }

// With returns the statements with words replaced, given as pairs old, new: for statements that are alike for several
// tables, which write {records} where the name of a table belongs. The words come from code, never from a request.
func (s Set) With(oldnew ...string) Set {
	r := strings.NewReplacer(oldnew...)
	out := Set{texts: make(map[string]string, len(s.texts))}
	for name, text := range s.texts {
		out.texts[name] = r.Replace(text)
	}
	return out
}

// Join returns a set with the statements of both. It panics where both have a statement of one name.
func (s Set) Join(other Set) Set {
	out := Set{texts: maps.Clone(s.texts)}
	if out.texts == nil {
		out.texts = map[string]string{}
	}
	for name, text := range other.texts {
		if err := out.free(name); err != nil {
			panic("sqlfile: " + err.Error())
		}
		out.texts[name] = text
	}
	return out
}
