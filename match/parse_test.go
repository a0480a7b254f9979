package match

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// spelled writes a reading as SURNAMES|GIVEN|SUFFIX.
func spelled(r *reading) string {
	var last, given []string
	for _, w := range r.surname[:r.surs] {
		last = append(last, w.Text)
	}
	for _, w := range r.given[:r.givs] {
		given = append(given, w.Text)
	}
	return strings.Join(last, " ") + "|" + strings.Join(given, " ") + "|" + r.suffix.String()
}

func TestParseFindsTheReading(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"the comma fixes the roles":              {"SMITH, JOHN ALLEN", "smith|john allen|"},
		"without a comma the last is the family": {"John Allen Smith", "smith|john allen|"},
		"frequencies find the family first":      {"SMITH JOHN ALLEN", "smith|john allen|"},
		"a final initial means family first":     {"SMITH JOHN A", "smith|john a|"},
		"a suffix at the end":                    {"John Smith Jr.", "smith|john|JR"},
		"a suffix after the surname":             {"SMITH III, JOHN", "smith|john|III"},
		"a suffix between commas":                {"SMITH, SR, JOHN", "smith|john|SR"},
		"a suffix in words":                      {"John Smith Junior", "smith|john|JR"},
		"a numbered suffix":                      {"John Smith 2nd", "smith|john|II"},
		"titles are dropped":                     {"Dr. John Smith", "smith|john|"},
		"particles are glued":                    {"Maria de la Cruz", "delacruz|maria|"},
		"Mc written apart":                       {"MC DONALD, PATRICK", "mcdonald|patrick|"},
		"Saint spelled out":                      {"Jean Saint Clair", "stclair|jean|"},
		"an O written apart":                     {"Sean O Brien", "obrien|sean|"},
		"an O that is an initial":                {"Sean O Zzyzx", "zzyzx|sean o|"},
		"a given name that is also a particle":   {"Van Johnson", "johnson|van|"},
		"a hyphen makes two surnames":            {"Mary Smith-Jones", "smith jones|mary|"},
		"two surnames without a comma":           {"Juan Garcia Lopez", "garcia lopez|juan|"},
		"an apostrophe joins":                    {"D’Angelo Barksdale", "barksdale|dangelo|"},
		"accents are folded":                     {"MUÑOZ, JOSÉ", "munoz|jose|"},
		"UTF-8 read as Latin-1 is repaired":      {"MUÃ±OZ, JOSÃ©", "munoz|jose|"},
		"a lost letter is a wildcard":            {"MU\uFFFDOZ, JOSE", "mu?oz|jose|"},
		"digits for letters":                     {"J0HN50N, MARK", "johnson|mark|"},
		"numbers are no names":                   {"SMITH, JOHN 12345", "smith|john|"},
		"an alias is a reading":                  {"SMITH, JOHN AKA JONES, BILL", "jones|bill|"},
		"a slashed alias is one too":             {"SMITH, JOHN A/K/A JONES, BILL", "jones|bill|"},
		"a nickname in brackets":                 {"SMITH, JOHN (BUBBA)", "smith|bubba|"},
		"a nickname in quotes":                   {"John \"Bubba\" Smith", "smith|bubba|"},
		"a maiden name":                          {"Mary Smith nee Kowalczyk", "kowalczyk|mary|"},
		"two names written together":             {"JOHNALLEN SMITH", "smith|john allen|"},
		"exchanged fields":                       {"JOHN, KOWALCZYK", "kowalczyk|john|"},
		"one word is a surname":                  {"Smith", "smith||"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := Parse(c.in)
			var got []string
			for i := range n.readings {
				got = append(got, spelled(&n.readings[i]))
			}
			require.Contains(t, got, c.want)
		})
	}
}

func TestParseIsBounded(t *testing.T) {
	t.Parallel()
	for _, in := range []string{strings.Repeat("Smith-Jones, aka (", 10_000), strings.Repeat("\xff", 5000), strings.Repeat("de la ", 1000), strings.Repeat("😀", 200)} {
		n := Parse(in)
		require.LessOrEqual(t, len(n.readings), maxReadings)
	}
	for _, in := range []string{"", " ", "12345", "??", "%", "()", ",;-", "😀"} {
		n := Parse(in)
		require.True(t, n.Empty(), "%q", in)
	}
}

func TestParseReadsSixteenNamesOfOneAtMost(t *testing.T) {
	t.Parallel()
	person := Parse("ABERNETHY, QUENTIN")
	for aliases, found := range map[int]bool{1: true, 30: false} {
		name := Parse(strings.Repeat("A;", aliases) + "ABERNETHY, QUENTIN")
		require.Equal(t, found, Compare(&person, &name).Probability >= DefaultThreshold, aliases)
	}
	ligatures := Parse(strings.Repeat("\ufdfa", 100)) // each decomposes to eighteen characters
	require.Less(t, Compare(&person, &ligatures).Probability, DefaultThreshold)
}
