package watchlist

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheDocumentHasEveryTitle(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/importing.md")
	require.NoError(t, err)
	for _, column := range columns {
		row := ""
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "| `"+column+"`") || strings.HasPrefix(line, "| `age`") && column == ageOn {
				row = line
			}
		}
		require.NotEmpty(t, row, column)
		for _, title := range exports[column] {
			require.Contains(t, row, "`"+title+"`", column)
		}
	}
}
