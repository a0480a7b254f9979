package watch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/match/watch"
)

func TestWhatANameToWatchSays(t *testing.T) {
	t.Parallel()
	for kind, names := range map[watch.Kind][]string{
		watch.Full:        {"Tess Marlowe", "Li, O", "J. Marlowe", "Ő Kovács", "Keola Ka\u02bbiulani", "Ｊｏｈｎ Smith", "Maria de la Cruz", "Van Le", "Mac Van", "MARLOWE,TESS", "Lisa, F", "T James", "J Scott", "Ward F", "Ward Stephen F", "Moonsail O", "Nguyen T"},
		watch.OneWord:     {"Marlowe, FNU", "MARLOWE, UNKNOWN", "Li", "Marlowe Jr", "Dr. Marlowe", "Le", "Marlowe 12", "O'Brien", "Mc Donald", "Garcia-Lopez", "De la Cruz"},
		watch.Nobody:      {"Unknown Unknown", "FNU LNU", "Jose Lnu", "UNK", "NMN", "J", "J.", "J K", "J/K", "J\u200bR", "Jr", "JR.", "Sr III", "2nd", "Mr", "Dr. J", "aka", "", "12 34", "\u200b\u200b", "É.", "*", "% _"},
		watch.Particles:   {"de la", "DE LOS", "van der", "Van De Jr", "Mc", "St.", "bin", "de"},
		watch.Abbreviated: {"Lisa F", "F Lisa", "Lisa Marie F", "Zoë X", "Scott J", "LISA MARIE F."},
		watch.Foreign:     {"李 明", "李", "Иван Петров", "محمد علي", "김 민수", "Γιώργος", "J\u043ehn Smith", "Smith, Пётр"},
		watch.Unreadable:  {"Tess Marl\ufffdwe", "\ufffd\ufffd"},
	} {
		for _, name := range names {
			require.Equal(t, kind, watch.KindOf(name), name)
		}
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
