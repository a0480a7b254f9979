package mapping

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestThePageNamesEveryFieldAndStep holds docs/sources.md to the closed lists of fields and steps.
func TestThePageNamesEveryFieldAndStep(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "sources.md"))
	require.NoError(t, err)
	var missing []string
	for kind, entities := range targets {
		row := regexp.MustCompile("(?m)^\\| `" + kind + "` \\|.*$").FindString(string(text))
		require.NotEmpty(t, row, kind)
		for entity, fields := range entities {
			if !strings.Contains(row, "`"+entity+"`:") {
				missing = append(missing, entity)
			}
			for field, what := range fields {
				if !strings.Contains(row, "`"+field+"`") {
					missing = append(missing, entity+"."+field)
				}
				if what.need && !strings.Contains(row, "**`"+field+"`**") {
					missing = append(missing, entity+"."+field+" in bold")
				}
				for _, value := range what.values {
					if !strings.Contains(row, "`"+value+"`") {
						missing = append(missing, entity+"."+field+": "+value)
					}
				}
			}
		}
	}
	for _, step := range stepNames() {
		if !regexp.MustCompile("`[^`]*\\b" + step + "\\b[^`]*`").Match(text) {
			missing = append(missing, step)
		}
	}
	require.Empty(t, missing)
}
