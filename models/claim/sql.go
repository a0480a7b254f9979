package claim

import (
	"embed"
	"fmt"
	"strings"

	"rollcall/models"
)

//go:embed sql/*.sql
var files embed.FS

// statements are the named statements of a family: its tables stand for {claims}, {records} and {key}.
type statements map[string]string

// tables are where a family's records are.
type tables struct{ claims, records, key, id string }

// tablesOf are the tables of the families: claims, records, and the columns of a record's key and public id.
var tablesOf = map[models.Family]tables{
	models.Roster:      {"roster_claims", "bookings", "rid", "id"},
	models.Courts:      {"court_claims", "court_cases", "id", "id"},
	models.Corrections: {"corrections_claims", "corrections_records", "cid", "gdc_id"},
}

// sqlOf are the statements of the families. The files are part of the program, so a mistake in them is one of ours.
var sqlOf = func() map[models.Family]statements {
	all := map[models.Family]statements{}
	for family := range tablesOf {
		s, err := readStatements(family)
		if err != nil {
			panic(err)
		}
		all[family] = s
	}
	return all
}()

// readStatements reads the files of statements. A statement begins with a line "-- name: x"; comments that
// follow say why.
func readStatements(family models.Family) (statements, error) {
	entries, err := files.ReadDir("sql")
	if err != nil {
		return nil, fmt.Errorf("read statements: %w", err)
	}
	t := tablesOf[family]
	named := strings.NewReplacer("{claims}", t.claims, "{records}", t.records, "{key}", t.key, "{id}", t.id)
	out := statements{}
	for _, e := range entries {
		text, err := files.ReadFile("sql/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("read statements: %w", err)
		}
		for i, part := range strings.Split(string(text), "-- name: ") {
			if i == 0 { // what stands before the first
				continue
			}
			name, body, _ := strings.Cut(part, "\n")
			name = strings.TrimSpace(name)
			if _, twice := out[name]; twice || name == "" {
				return nil, fmt.Errorf("statement %q of %s: its name is taken or empty", name, e.Name())
			}
			out[name] = named.Replace(strings.TrimSpace(body))
		}
	}
	return out, nil
}

// get is the statement of a name.
func (s statements) get(name string) string {
	text, ok := s[name]
	if !ok {
		panic("package claim has no statement " + name)
	}
	return text
}
