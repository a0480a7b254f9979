package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
)

func TestANameToWatchHoldsMoreThanInitialsAndSuffixes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"Tess Marlowe": true, "Li": true, "Li, O": true, "J. Marlowe": true, "Marlowe Jr": true, "Dr. Marlowe": true, "李": true, "Ő Kovács": true,
		"J": false, "J.": false, "J K": false, "J/K": false, "J\u200bR": false, "Jr": false, "JR.": false, "Sr III": false, "2nd": false, "Mr": false, "Dr. J": false, "aka": false, "": false, "12 34": false, "\u200b\u200b": false, "É.": false,
	} {
		require.Equal(t, want, match.Watchable(name), name)
	}
}

func TestSlashesAndZeroWidthSpacesPartWordsEverywhere(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Tess/Marlowe", "Tess\u200bMarlowe", "MARLOWE,\u200bTESS", "MARLOWE/TESS", "Tess \u200b/ Marlowe"} {
		require.ElementsMatch(t, []string{"marlowe", "tess"}, match.Words(name), name)
		require.True(t, match.Holds(match.SearchKey("MARLOWE, TESS ANN"), match.Words(name)), name)
		a, b := match.Parse(name), match.Parse("MARLOWE, TESS")
		require.Greater(t, match.Compare(&a, &b).Probability, 0.9, name)
	}
	for _, name := range []string{"Mar\u200dlowe", "Mar\u00adlowe", "Mar\u2060lowe", "\ufeffMarlowe"} {
		require.Equal(t, "marlowe", match.Fold(name), "what stands within a word is dropped")
	}
}
