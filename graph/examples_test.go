package graph_test

import (
	"os"
	"regexp"
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
		require.Empty(t, a.Errors, "%s\n%s", e[1], a.body)
	}
}
