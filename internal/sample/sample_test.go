package sample_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/sample"
)

var update = flag.Bool("update", false, "write docs/samples.md anew")

func TestTheDocumentIsRendered(t *testing.T) {
	t.Parallel()
	const file = "../../docs/samples.md"
	text, err := sample.Document()
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, text, string(have), "go test ./internal/sample -update")
}
