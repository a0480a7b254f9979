package resolve_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/resolve"
)

// Only a name that the matcher would deny is another person's, where key and birth say that it is the same.
func TestACorrectedNameIsTheSamePersonUnderOneKey(t *testing.T) {
	t.Parallel()
	type person = resolve.Person
	born := func(year, day int) func(*person) {
		return func(p *person) {
			p.DOB, p.Year = &models.Date{Year: year, Month: 5, Day: day}, int16(year)
		}
	}
	in := func(year int16) func(*person) { return func(p *person) { p.Year = year } }
	unknown := func(*person) {}
	for name, c := range map[string]struct {
		known, row  string
		birth, then func(*person)
		same        bool
	}{
		"a letter more, born the same day":             {"MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA", born(1980, 5), born(1980, 5), true},
		"a letter more, born in the same year":         {"MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA", in(1980), in(1980), true},
		"a letter more, the day is known since":        {"MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA", in(1980), born(1980, 5), true},
		"a letter more, of an unknown birth":           {"MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA", unknown, unknown, false},
		"a letter more, the row leaves the birth out":  {"MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA", born(1980, 5), unknown, false},
		"a letter more, born in another year":          {"MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA", in(1980), in(1981), false},
		"a letter more, and another day":               {"MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA", born(1980, 5), born(1980, 6), false},
		"another sex of a name, born the same day":     {"MOONSAIL, DANIEL", "MOONSAIL, DANIELA", born(1980, 5), born(1980, 5), true},
		"letters that changed places":                  {"MOONSAIL, ANTONOI", "MOONSAIL, ANTONIO", born(1980, 5), born(1980, 5), true},
		"a name that was cut off":                      {"MOONSAIL, CHRIS", "MOONSAIL, CHRISTABELLE", born(1980, 5), born(1980, 5), true},
		"a surname that was cut off":                   {"QUILLFE, WREN", "QUILLFEATHER, WREN", born(1980, 5), born(1980, 5), true},
		"a slip in both, born the same day":            {"MOONSIAL, SAMANTH", "MOONSAIL, SAMANTHA", born(1980, 5), born(1980, 5), true},
		"a slip in both, born in the same year":        {"MOONSXIL, DANIEL", "MOONSAIL, DANIELA", in(1980), in(1980), false},
		"another first name, born the same day":        {"MOONSAIL, JOHN", "MOONSAIL, JAMES", born(1980, 5), born(1980, 5), false},
		"another surname, born the same day":           {"MOONSAIL, WREN", "QUILLFEATHER, WREN", born(1980, 5), born(1980, 5), false},
		"father and son, of one day by a clerk's slip": {"MOONSAIL, WREN SR", "MOONSAIL, WREN JR", born(1980, 5), born(1980, 5), false},
		"births that conflict":                         {"MOONSAIL, WREN", "MOONSAIL, WREN", born(1980, 5), born(1981, 6), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known, row := person{Name: c.known}, person{Name: c.row}
			c.birth(&known)
			c.then(&row)
			require.Equal(t, c.same, resolve.Same(known, row))
			require.Equal(t, c.same, resolve.Same(row, known))
		})
	}
}
