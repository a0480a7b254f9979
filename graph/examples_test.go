package graph_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryExampleOfThePlaygroundIsAnswered(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	script, err := os.ReadFile("playground/files/examples.js")
	require.NoError(t, err)
	examples := regexp.MustCompile("(?s)`(.*?)`").FindAllStringSubmatch(string(script), -1)
	require.Greater(t, len(examples), 5)
	for _, e := range examples {
		a := b.post(t, e[1], nil)
		if strings.Contains(e[1], "\nsubscription ") {
			require.Equal(t, "NOT_ACCEPTABLE", a.code(t), "it is valid; the page asks for a stream")
			continue
		}
		require.Empty(t, a.Errors, "%s\n%s", e[1], a.body)
	}
}
