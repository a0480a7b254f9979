package surrogate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/surrogate"
)

func TestHalfACharacterIsFound(t *testing.T) {
	t.Parallel()
	for text, lone := range map[string]bool{
		`{"name":"John"}`:        false,
		`"\ud83d\ude00"`:         false,
		`"\uD83D\uDE00x"`:        false,
		`"\ud83d"`:               true,
		`"\ude00"`:               true,
		`"\ud83dA"`:              true,
		`"\ud83d\n"`:             true,
		`"\ud83d\ud83d\ude00"`:   true,
		`"\ud83d\ude00\ude00"`:   true,
		`"\ud83d\u0041"`:         true,
		`"\\ud83d"`:              false,
		`"\\\ud83d"`:             true,
		`"\u00e9\ud83d\ude00é😀"`: false,
		`{"\udc00":1}`:           true,
		`""`:                     false,
	} {
		require.Equal(t, lone, surrogate.Lone([]byte(text)), text)
	}
}

// encoding/json puts U+FFFD in the place of each half: the two must agree about valid texts without U+FFFD.
func FuzzLone(f *testing.F) {
	for _, s := range []string{`"\ud83d"`, `"\ud83d\ude00"`, `"\\ud83d"`, `{"a":["\udc00"]}`, `"\u"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lone := surrogate.Lone([]byte(text)) // never panics
		var s string
		if json.Unmarshal([]byte(text), &s) != nil || strings.ContainsRune(text, '\ufffd') || strings.Contains(strings.ToLower(text), `\ufffd`) || strings.ToValidUTF8(text, "") != text {
			return
		}
		require.Equal(t, strings.ContainsRune(s, '\ufffd'), lone, text)
	})
}
