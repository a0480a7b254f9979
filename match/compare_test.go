package match_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/match"
)

func score(a, b string) float64 {
	x, y := match.Parse(a), match.Parse(b)
	return match.Compare(&x, &y).Probability
}

// Found by FuzzCompare: a letter that a scanner takes for another, and a pet form as long as the name.
func TestTheOrderOfTwoNamesSaysNothing(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"MITHJ0HN", "101r"}, {"ROBBIE THORNBURY", "THORNBURY, ROBERT"}, {"BOYD THORNBURY", "THORNBURY, ROYD"}} {
		require.Equal(t, score(c[0], c[1]), score(c[1], c[0]), "%s | %s", c[0], c[1]) //nolint:testifylint // the same sum
	}
}

func TestOnePersonWrittenTwoWays(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"John Smith", "SMITH, JOHN"},
		{"John Allen Smith", "SMITH, JOHN A"},
		{"John Smith", "SMITH, JOHN ALLEN JR"},
		{"John Smith Jr.", "SMITH JR, JOHN"},
		{"John Smith II", "SMITH, JOHN JR"},
		{"Robert Kowalczyk", "KOWALCZYK, BOB"},
		{"Peggy Thornbury", "THORNBURY, MARGARET ANN"},
		{"Maria de la Cruz", "DELACRUZ, MARIA"},
		{"Maria De La Cruz", "CRUZ, MARIA"},
		{"Sean O'Brien", "OBRIEN, SHAWN"},
		{"Sean O’Brien", "O BRIEN, SEAN"},
		{"Patrick McDonald", "MC DONALD, PATRICK"},
		{"Jean St. Clair", "SAINT CLAIR, JEAN"},
		{"José Muñoz", "MUNOZ, JOSE"},
		{"José Muñoz", "MU\uFFFDOZ, JOS\uFFFD"},
		{"José Muñoz", "MUÃ±OZ, JOSE"},
		{"José Muñoz", "MU?OZ, JOSE"},
		{"Juan Garcia Lopez", "GARCIA LOPEZ, JUAN"},
		{"Juan Garcia Lopez", "GARCIA, JUAN"},
		{"Juan Garcia-Lopez", "GARCIALOPEZ, JUAN"},
		{"Mary Ann Whitlock", "WHITLOCK, MARYANN"},
		{"Mary Smith-Jones", "JONES, MARY SMITH"},
		{"Latasha Kennebrew", "KENNEBREW-HOLLIS, LATASHA"},
		{"Christopher Vandenberg", "VAN DEN BERG, CHRISTOPHER"},
		{"Alexander Montgomery", "MONTGOMERY, ALEXANDE"},
		{"William Thornbury", "THORNBURY, WILLIAM AKA BILLY THORNBURY"},
		{"Billy Thornbury", "THORNBURY, JAMES (AKA BILLY)"},
		{"Tyrone Jackson", "JACKSON, TYRONE \"TY\""},
		{"Kathryn Reid", "REED, CATHERINE"},
		{"Stephen Philips", "PHILLIPS, STEVEN"},
		{"Michael Johnson", "J0HNS0N, MICHAEL"},
		{"Michael Johnson", "JOHNSON, MICHEAL"},
		{"Michael Johnson", "JOHSNON, MICHAEL"},
		{"Mohammed Al-Hassan", "ALHASSAN, MUHAMMAD"},
		{"DeShawn Whitaker", "WHITTAKER, DASHAWN"},
		{"Mr. John Q. Public", "PUBLIC, JOHN Q"},
		{"John Kowalczyk", "JOHN, KOWALCZYK"},
		{"Kowalczyk John", "JOHN KOWALCZYK"},
		{"Moonsail Orla", "MOONSAIL, ORLA"},
		{"Orla Moonsail", "MOONSAIL, ORLA"},
		{"Stormcrow Ida", "STORMCROW, IDA"},
		{"Quillfeather Marlowe", "QUILLFEATHER, MARLOWE"},
		{"Moonsail Kelly", "MOONSAIL, KELLY"},
		{"Smith Orla", "SMITH, ORLA"},
		{"Guillermo Zaragoza", "ZARAGOZA, MEMO"},
		{"Elizabeth Farnsworth", "FARNSWORTH, BETSY"},
		{"Allen Kowalczyk", "KOWALCZYK, JOHN ALLEN"},
		{"J. Kowalczyk", "KOWALCZYK, JOHN"},
		{"AJ Kowalczyk", "KOWALCZYK, A J"},
		{"D'Angelo Barksdale", "BARKSDALE, DANGELO"},
		{"John Smith", "Smith,John"},
		{"John Smith", "smith john allen 12345"},
	} {
		p := score(c[0], c[1])
		require.GreaterOrEqual(t, p, match.DefaultThreshold, "%s | %s", c[0], c[1])
	}
}

func TestTwoPeopleWithNearNames(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"John Smith Jr", "SMITH, JOHN SR"},
		{"John Smith II", "SMITH, JOHN III"},
		{"John Allen Smith", "SMITH, JOHN WAYNE"},
		{"John A Smith", "SMITH, JOHN B"},
		{"Maria Kowalczyk", "KOWALCZYK, MARIO"},
		{"Daniel Kowalczyk", "KOWALCZYK, DANIELLE"},
		{"Eric Kowalczyk", "KOWALCZYK, ERICA"},
		{"James Thomas", "THOMAS JAMES"},
		{"James Thomas", "JAMES, THOMAS"},
		{"Michael Kowalczyk", "KOWALCZYK, JAMES"},
		{"Michael Smith", "SMITH, MITCHELL"},
		{"Bill Kowalczyk", "KOWALCZYK, BOB"},
		{"Juan Garcia Lopez", "GARCIA MARTINEZ, JUAN"},
		{"John Harris", "HARRISON, JOHN"},
		{"John Williams", "WILLIAMSON, JOHN"},
		{"John Martin", "MARTINEZ, JOHN"},
		{"Christian Smith", "SMITH, CHRISTINA"},
		{"Christopher Smith", "SMITH, CHRISTINE"},
		{"Joan Smith", "SMITH, JOHN"},
		{"Jean Smith", "SMITH, DEAN"},
		{"Darren Smith", "SMITH, WARREN"},
		{"Brandon Smith", "SMITH, BRENDA"},
		{"Tina Jones", "JONES, TIA"},
		{"Marcus Jones", "JONES, MARCIA"},
		{"Smith", "SMITH, JOHN"},
		{"John", "SMITH, JOHN"},
		{"", "SMITH, JOHN"},
		{"%", "_"},
		{"J Smith", "SMITH, ROBERT"},
		{"Michael Lee", "LEE, MICHELLE"},
		{"John Allen", "ALLEN, MARK WAYNE JOHN"},
		{"Robert Moore", "MOORE, ROBERTA"},
		{"Moonsail Orla", "ORLAND, MOONSAIL"},
		{"Moonsail Orla", "MOONSAIL, WREN"},
	} {
		p := score(c[0], c[1])
		require.Less(t, p, match.DefaultThreshold, "%s | %s", c[0], c[1])
	}
}

func TestReasonsAreInPlainEnglish(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want string }{
		{"Bill Kowalczyk", "KOWALCZYK, WILLIAM", "nickname Bill=William"},
		{"John Kowalczyk", "KOWALCZK, JOHN", "one letter differs in surname"},
		{"John Allen Kowalczyk", "KOWALCZYK, JOHN A", "middle initial agrees"},
		{"John Smith Jr", "SMITH, JOHN SR", "suffix conflicts JR/SR"},
		{"Allen Kowalczyk", "KOWALCZYK, JOHN ALLEN", "goes by the middle name"},
		{"John Allen Whitlock", "WHITLOCK, JOHNALLEN", "first and middle name written together"},
		{"Mary Whitlock", "WHITLOCK-JONES, MARY", "one of two surnames agrees, the other is absent"},
		{"John Allen Smith", "SMITH, JOHN WAYNE", "middle name differs: ALLEN and WAYNE"},
		{"Kathryn Reid", "REID, CATHERINE", "spellings of one name Kathryn=Catherine"},
		{"Zola Reid", "WINTERBOURNE, EZRA", "no part of the surnames agrees"},
		{"John Kowalczyk", "JOHN, KOWALCZYK", "first and last name swapped"},
		{"Zola Reid", "ABERNETHY, EZRA AKA REID, ZOLA", "alias"},
	} {
		x, y := match.Parse(c.a), match.Parse(c.b)
		require.Contains(t, match.Explain(&x, &y), c.want, "%s | %s", c.a, c.b)
	}
}

func TestRarerAgreementSaysMore(t *testing.T) {
	t.Parallel()
	require.Greater(t, score("J Kowalczyk", "KOWALCZYK, JOHN"), score("J Smith", "SMITH, JOHN"))
	require.Greater(t, score("John Kowalczyk", "KOWALCZYK, JOHN"), score("John Smith", "SMITH, JOHN"))
}

func TestCompareIsSymmetric(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"\uFFFDx Mary Ann John", "\uFFFDx Mary Ann A"},   // an initial of a middle name that agrees already
		{"John , A Garcia-Lopez", "A Garcia-Lopez SMITH"}, // three surnames on both sides
	} {
		require.InDelta(t, score(c[0], c[1]), score(c[1], c[0]), 1e-4, "%q %q", c[0], c[1])
	}
	part := rapid.SampledFrom([]string{"John", "SMITH", "Mary Ann", "de la", "Cruz", "Jr", "O'Brien", "A", "Garcia-Lopez", "aka Bill", ",", "Jöhn", "Kowalczyk", "St", "(Betty)", "\uFFFDx"})
	rapid.Check(t, func(t *rapid.T) {
		a := strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "a"), " ")
		b := strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "b"), " ")
		require.InDelta(t, score(a, b), score(b, a), 1e-4, "%q %q", a, b)
	})
}

func TestCompareAllocatesNothing(t *testing.T) { //nolint:paralleltest // counts allocations
	a, b := match.Parse("Juan Carlos Garcia Lopez"), match.Parse("GARCIA-LOPES, J CARLOS")
	require.Zero(t, testing.AllocsPerRun(100, func() { match.Compare(&a, &b) }))
}
