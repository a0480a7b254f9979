package match

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Under one key a name that was completed, shortened or misspelt is the same person's.
func TestAlikeTakesCorrectionsAndNoOtherPerson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"SMITH, J", "SMITH, JOHN", true},
		{"EMBERLYN, T", "EMBERLYN, TOMAS", true},
		{"MILLER, J R", "MILLER, JAMES R", true},
		{"WILLIAMS, BILL", "WILLIAMS, WILLIAM", true},
		{"JONES, ROBERT", "JONES, ROBERTT", true},
		{"SMITH, JOHN", "SMITH, JOHNATHAN", true},
		{"FARNABYX, MARIA", "FARNABYX, MARIAA", true},
		{"VANTONGEREN, ZELDA", "VANTONGEREN, ZELDAA", true},
		{"SMITH, JOHN", "SMITH, JAMES", false},
		{"SMITH, JOHN", "JONES, JOHN", false},
		{"MILLER, DANIEL", "MILLER, DANIELA", false},
		{"MOONSAIL, WREN", "QUILLFEATHER, ORLA", false},
	} {
		a, b := Parse(c.a), Parse(c.b)
		require.Equal(t, c.want, Alike(&a, &b), "%s and %s: %v", c.a, c.b, Compare(&a, &b).Probability)
	}
}
