package letter_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/match/internal/letter"
)

// allNear returns every word one slip away, by writing all of them down.
func allNear(text string) map[string]bool {
	all := map[string]bool{}
	for i := range len(text) + 1 {
		for c := byte('a'); c <= 'z'; c++ {
			all[text[:i]+string(c)+text[i:]] = true
			if i < len(text) {
				all[text[:i]+string(c)+text[i+1:]] = true
			}
		}
		if i < len(text) {
			all[text[:i]+text[i+1:]] = true
		}
		if i+1 < len(text) {
			all[text[:i]+text[i+1:i+2]+text[i:i+1]+text[i+2:]] = true
		}
	}
	delete(all, text)
	return all
}

func TestNearYieldsEveryWordOfTheSetThatIsOneSlipAway(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-c]{1,8}`).Draw(t, "text")
		set, want := letter.NewSet(), map[string]bool{}
		for word := range allNear(text) {
			if (letter.Hash(word)>>7)%3 == 0 {
				set.Add(word)
				want[word] = true
			}
		}
		for word := range letter.Near(text, set) {
			delete(want, string(word))
		}
		require.Empty(t, want, "not found around %s", text)
	})
}

func TestNearAsksTheSetBeforeItWritesAWord(t *testing.T) {
	t.Parallel()
	for word := range letter.Near("smith", letter.NewSet()) {
		require.Fail(t, "an empty set has no word", "%s", word)
	}
}

func TestMisreadFollowsItsTable(t *testing.T) {
	t.Parallel()
	for x := byte('a'); x <= 'z'; x++ {
		for y := byte('a'); y <= 'z'; y++ {
			for z := byte('a'); z <= 'z'; z++ {
				listed := false
				for _, m := range &letter.Misreadings {
					listed = listed || m[0] == string(x) && m[1] == string([]byte{y, z})
				}
				require.Equal(t, listed, letter.Misread(x, y, z), "%c for %c%c", x, y, z)
			}
		}
	}
}
