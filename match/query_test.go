package match_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/match"
)

func TestMatches(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		query string
		want  []string
		not   []string
	}{
		"a surname finds both forms":             {"smith", []string{"SMITH, JOHN ALLEN", "John Allen Smith"}, []string{"SMYTH, JOHN"}},
		"last comma first finds both forms":      {"smith, john", []string{"SMITH, JOHN ALLEN", "John Allen Smith"}, []string{"SMITH, JAMES"}},
		"first last finds both forms":            {"john smith", []string{"SMITH, JOHN ALLEN", "John Allen Smith"}, nil},
		"parts of words are enough":              {"mit joh", []string{"SMITH, JOHN"}, []string{"SMITH, JAMES"}},
		"two words need two words of the name":   {"john john", []string{"JOHN, JOHN"}, []string{"SMITH, JOHN", "JOHNSON, JAMES"}},
		"the greedy choice is taken back":        {"jo john", []string{"JOHNSON, JOE", "JOE JOHNSON"}, []string{"JOHN, SAM"}},
		"three words share three":                {"a an ann", []string{"ANN HAN MAY", "MAY, ANN HAN"}, []string{"ANN HAN"}},
		"accents and apostrophes do not matter":  {"o'nunez", []string{"O’NÚÑEZ, ANA"}, nil},
		"percent and underscore match nothing":   {"%_", nil, []string{"SMITH, JOHN", "%_"}},
		"an empty query matches nothing":         {"", nil, []string{"SMITH, JOHN", ""}},
		"more words than the name has":           {strings.Repeat("a ", 5000), nil, []string{"AARON AARONSON"}},
		"a word never spans two words of a name": {"thjo", nil, []string{"SMITH, JOHN"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, n := range c.want {
				require.True(t, answers(n, c.query), n)
			}
			for _, n := range c.not {
				require.False(t, answers(n, c.query), n)
			}
		})
	}
}

// The second half of the rule in DECISIONS "Names" follows from the first: what is contained in either form of a name
// is found by words alone.
func TestWholeQueryInEitherFormIsFoundByWords(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-c]{1,4}`)
	rapid.Check(t, func(t *rapid.T) {
		given := rapid.SliceOfN(word, 1, 3).Draw(t, "given")
		last := rapid.SliceOfN(word, 1, 2).Draw(t, "last")
		first := strings.Join(slices.Concat(given, last), " ")
		form := rapid.SampledFrom([]string{first, strings.Join(slices.Concat(last, given), " ")}).Draw(t, "form")
		from := rapid.IntRange(0, len(form)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(form)).Draw(t, "to")
		if strings.TrimSpace(form[from:to]) == "" {
			t.Skip("a blank is no query")
		}
		require.True(t, answers(first, form[from:to]))
	})
}

// Holds agrees with trying every order of the name's words.
func TestHoldsIsTheRuleByBruteForce(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[ab]{1,3}`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SliceOfN(word, 1, 4).Draw(t, "name")
		query := rapid.SliceOfN(word, 1, 4).Draw(t, "query")
		require.Equal(t, someOrderHolds(name, query), match.Holds(strings.Join(name, " "), query))
	})
}

func someOrderHolds(name, query []string) bool {
	if len(query) == 0 {
		return true
	}
	for i, n := range name {
		if strings.Contains(n, query[0]) && someOrderHolds(slices.Delete(slices.Clone(name), i, i+1), query[1:]) {
			return true
		}
	}
	return false
}

func FuzzMatches(f *testing.F) {
	f.Add("SMITH, JOHN", "john smith")
	f.Add("\xff", "%")
	f.Fuzz(func(t *testing.T, name, query string) {
		if match.Fold(query) != "" && match.Fold(name) == match.Fold(query) {
			require.True(t, answers(name, query), "a name finds itself")
		}
		answers(name, query)
	})
}

// answers reports whether the name as reported answers the query as typed.
func answers(name, query string) bool { return match.Holds(match.SearchKey(name), match.Words(query)) }
