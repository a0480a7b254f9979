package docs_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// widest is how many characters a line of SQL may have.
const widest = 120

// SQL is read more often than it is written: each named statement says in a comment what it returns or changes, and no line
// of statements or migrations needs scrolling.
func TestEveryStatementIsExplained(t *testing.T) {
	t.Parallel()
	files, statements := 0, 0
	var found []string
	for _, path := range tracked(t) {
		if !strings.HasSuffix(path, ".sql") || !strings.HasPrefix(path, "models/") {
			continue
		}
		files++
		lines := strings.Split(read(t, path), "\n")
		for i, line := range lines {
			place := fmt.Sprintf("%s:%d: ", path, i+1)
			if n := utf8.RuneCountInString(line); n > widest {
				found = append(found, fmt.Sprintf("%sa line of %d characters", place, n))
			}
			if name, ok := strings.CutPrefix(line, "-- name: "); ok {
				statements++
				if i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "-- ") {
					found = append(found, place+name+" has no comment")
				}
			}
		}
	}
	require.Greater(t, files, 20)
	require.Greater(t, statements, 200)
	require.Empty(t, strings.Join(found, "\n"))
}
