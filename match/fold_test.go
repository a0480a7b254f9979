package match_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"rollcall/match"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"case is folded":                            {"Smith", "smith"},
		"the comma is a blank":                      {"SMITH, JOHN ALLEN", "smith john allen"},
		"a folded name is left alone":               {"smith john", "smith john"},
		"blanks are squeezed and trimmed":           {"  Smith \t  John ", "smith john"},
		"accents are dropped":                       {"MUÑOZ-PEÑA, José", "munoz pena jose"},
		"decomposed accents are dropped":            {"Mun\u0303oz", "munoz"},
		"an apostrophe joins":                       {"O'Brien", "obrien"},
		"a curly apostrophe joins":                  {"D’Angelo", "dangelo"},
		"a backtick joins":                          {"O`Neal", "oneal"},
		"an acute accent as apostrophe joins":       {"O´Neal", "oneal"},
		"a modifier apostrophe joins":               {"Kaʼimi ʻOlu", "kaimi olu"},
		"percent and underscore mean nothing":       {"%_", ""},
		"symbols separate":                          {"a+b_c%d", "a b c d"},
		"NUL is a blank":                            {"a\x00b", "a b"},
		"invalid UTF-8 is a blank":                  {"a\xffb", "a b"},
		"the replacement character is a blank":      {"PE\uFFFDA", "pe a"},
		"digits stay":                               {"Smith 3rd", "smith 3rd"},
		"full-width letters are folded":             {"ＳＭＩＴＨ", "smith"},
		"ligatures are taken apart":                 {"ﬁnn", "finn"},
		"letters that do not decompose are plain":   {"ŁUKASZ Ørsted, Þóra", "lukasz orsted thora"},
		"sharp s is folded":                         {"Strauß", "strauss"},
		"an emoji is nothing":                       {"😀", ""},
		"a soft hyphen is nothing":                  {"Sm\u00adith", "smith"},
		"a trailing comma leaves nothing behind it": {"Smith,", "smith"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, match.Fold(c.in))
			require.Equal(t, c.want, match.SearchKey(c.in))
		})
	}
}

func TestFoldingIsAFixedPointOfEveryLetter(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune) {
		if unicode.IsLetter(r) {
			folded := match.Fold(string(r))
			require.Equal(t, folded, match.Fold(folded), "%U", r)
		}
	}
	require.Equal(t, match.Fold("ᎡᏬᏯ"), match.Fold("ꭱꮼꮿ"), "letter case says nothing")
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"", "SMITH, JOHN", "Ñ%_\x00", "\xff\xfe", "O’Brien", "İi̇ẞ", "´`ʼ", "ŉ ﬃ ½", "ͅΑ", "ᎡᏬᏯ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := match.Fold(s)
		require.True(t, utf8.ValidString(got))
		require.Equal(t, got, match.Fold(got), "folding is a fixed point")
		require.Equal(t, strings.Join(strings.Fields(got), " "), got, "blanks are single")
		for _, r := range got {
			require.True(t, r == ' ' || unicode.IsLetter(r) || unicode.IsNumber(r), "%q", r)
		}
	})
}

func BenchmarkFold(b *testing.B) {
	for range b.N {
		match.Fold("SMITH-JONES, JOHN ALLEN JR")
	}
}
