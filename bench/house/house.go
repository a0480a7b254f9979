package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Limits that the figures count against.
const (
	// longFunction is in lines, from the keyword func to the closing brace.
	longFunction = 60
	// longFile and hugeFile are in lines too: above the first a file is worth a look, above the second it is
	// two subjects.
	longFile = 250
	hugeFile = 400
	// hugePackage is in lines without generated code and tests.
	hugePackage = 3500
	// longLine is in characters.
	longLine = 160
)

// house is what was measured of one tree. Generated files and tests count only where the name says so.
type house struct {
	// Source and Files are the files that people wrote, without tests.
	Source int `json:"source_lines"`
	Files  int `json:"source_files"`
	// Tests counts lines of files that end in _test.go.
	Tests     int `json:"test_lines"`
	TestFiles int `json:"test_files"`
	Generated int `json:"generated_lines"`
	// Comments counts lines that hold only a comment. Code counts all others that are not blank.
	Comments int `json:"comment_lines"`
	Code     int `json:"code_lines"`
	// Functions counts declared functions and methods. Long are those over longFunction.
	Functions int `json:"functions"`
	Long      int `json:"functions_over_60"`
	Files250  int `json:"files_over_250"`
	Files400  int `json:"files_over_400"`
	// SQLInGo counts bytes of strings that are SQL (sql.go). SQLBytes counts the bytes of .sql files beside
	// code.
	SQLInGo  int `json:"sql_bytes_in_go"`
	SQLFiles int `json:"sql_files"`
	SQLBytes int `json:"sql_file_bytes"`
	// Migrations counts the .sql files in directories of that name, and Migrated their bytes.
	Migrations int `json:"migrations"`
	Migrated   int `json:"migration_bytes"`
	Structs    int `json:"structs"`
	Interfaces int `json:"interfaces"`
	// Fields counts exported fields of exported structs. Bare are those with no comment above or behind them.
	Fields int `json:"exported_fields"`
	Bare   int `json:"exported_fields_without_comment"`
	// Wide counts lines over longLine, and Huge packages over hugePackage.
	Wide int `json:"lines_over_160"`
	Huge int `json:"packages_over_3500"`

	// Packages are sorted by lines, the biggest first.
	Packages []*room `json:"packages"`
	// Places are the functions over 60 lines and the files over 400, to be found.
	Places []string `json:"places"`
}

// room is one package, without its generated files and its tests.
type room struct {
	// Path is the directory below the module's root.
	Path     string `json:"path"`
	Lines    int    `json:"lines"`
	Files    int    `json:"files"`
	Comments int    `json:"comment_lines"`
	Code     int    `json:"code_lines"`
	SQL      int    `json:"sql_bytes_in_go"`

	// parsed are the files, kept until the SQL of the whole package is counted.
	parsed []*file
}

// share returns the comments in percent of the lines that are not blank.
func share(comments, code int) float64 {
	if comments+code == 0 {
		return 0
	}
	return 100 * float64(comments) / float64(comments+code)
}

// measure reads the tree below dir.
func measure(dir string) (*house, error) {
	h := &house{}
	rooms := map[string]*room{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != dir && leftOut(name, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		// Paths are written with slashes on every system, so that tables compare.
		within, err := filepath.Rel(dir, name)
		if err != nil {
			return fmt.Errorf("place %s: %w", name, err)
		}
		return h.read(rooms, name, filepath.ToSlash(within))
	})
	if err != nil {
		return nil, fmt.Errorf("measure %s: %w", dir, err)
	}
	for _, r := range rooms {
		h.addRoom(r)
	}
	// Equal sizes are sorted by path, so that the same tree always prints the same page.
	slices.SortFunc(h.Packages, func(a, b *room) int { return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Path, b.Path)) })
	slices.Sort(h.Places)
	return h, nil
}

// leftOut reports whether a directory is no part of the module's source: test data, hidden directories, and
// modules within the module.
func leftOut(dir, name string) bool {
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	// A directory with a go.mod of its own is another module.
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// read adds one file to the house or to its package. Files that are neither Go nor SQL are ignored.
func (h *house) read(rooms map[string]*room, name, within string) error {
	ext := path.Ext(within)
	if ext != ".go" && ext != ".sql" {
		return nil
	}
	text, err := os.ReadFile(name) //nolint:gosec // a file of the tree that is measured
	if err != nil {
		return fmt.Errorf("read %s: %w", within, err)
	}
	dir := path.Dir(within)
	// Migrations are counted apart: they are the schema, and cannot be made smaller later.
	switch lines := bytes.Count(text, []byte("\n")); {
	case ext == ".sql" && path.Base(dir) == "migrations":
		h.Migrations, h.Migrated = h.Migrations+1, h.Migrated+len(text)
	case ext == ".sql":
		h.SQLFiles, h.SQLBytes = h.SQLFiles+1, h.SQLBytes+len(text)
	case strings.HasSuffix(within, "_test.go"):
		h.Tests, h.TestFiles = h.Tests+lines, h.TestFiles+1
	case generated(text):
		h.Generated += lines
	default:
		f, err := parse(within, text)
		if err != nil {
			return err
		}
		if rooms[dir] == nil {
			rooms[dir] = &room{Path: dir}
		}
		rooms[dir].parsed = append(rooms[dir].parsed, f)
	}
	return nil
}

// addRoom sums up a package whose files have all been read.
func (h *house) addRoom(r *room) {
	for _, f := range r.parsed {
		r.Lines, r.Files, r.Comments, r.Code = r.Lines+f.lines, r.Files+1, r.Comments+f.comments, r.Code+f.code
		h.Functions, h.Structs, h.Interfaces = h.Functions+f.functions, h.Structs+f.structs, h.Interfaces+f.interfaces
		h.Fields, h.Bare, h.Wide = h.Fields+f.fields, h.Bare+f.bare, h.Wide+f.wide
		h.Long += len(f.long)
		h.Places = append(h.Places, f.long...)
		if f.lines > longFile {
			h.Files250++
		}
		if f.lines > hugeFile {
			h.Files400++
			h.Places = append(h.Places, fmt.Sprintf("%s: a file of %d lines", f.name, f.lines))
		}
	}
	// Constants may be used in other files of the package, so its SQL is counted at once.
	r.SQL = sqlBytes(r.parsed)
	h.Source, h.Files, h.Comments, h.Code, h.SQLInGo = h.Source+r.Lines, h.Files+r.Files, h.Comments+r.Comments, h.Code+r.Code, h.SQLInGo+r.SQL
	if r.Lines > hugePackage {
		h.Huge++
	}
	h.Packages = append(h.Packages, r)
}
