package noise_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match/internal/noise"
)

// What there are few ways of is likelier than what there are many ways of.
func TestLikelierSlips(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, likely, than string }{
		{"davis", "dvis", "dqavis"},        // left out, put in
		{"davis", "davvis", "davxis"},      // doubled, put in
		{"davis", "daivs", "daxis"},        // exchanged, another letter
		{"davis", "dacis", "dakis"},        // a key beside, another letter
		{"davis", "devis", "dkvis"},        // a vowel, a consonant
		{"davis", "dvis", "avis"},          // inside, at the first letter
		{"burns", "bums", "buons"},         // misread, another letter
		{"davis", "daviss", "daaviss"},     // one, two
		{"davis", "davis", "davi"},         // none, one
		{"nguyen", "nguy?n", "ngu?ena"},    // lost, lost and one more
		{"wright", "wrihgt", "wfrightttt"}, // a slip, and hardly any
	} {
		require.Greater(t, noise.Written(c.name, c.likely), noise.Written(c.name, c.than), "%s: %s, %s", c.name, c.likely, c.than)
	}
	require.Zero(t, noise.Written("davis", "davis"))
	require.Less(t, noise.Written("", "davis"), float32(-50))
}
