package docs_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEachSecurityFindingHasItsTest looks up the tests that decision 22 names.
func TestEachSecurityFindingHasItsTest(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile("`(Test[A-Za-z0-9]+)`").FindAllStringSubmatch(read(t, "docs/decisions/0022-security-findings.md"), -1)
	require.NotEmpty(t, named)
	var tests strings.Builder
	for _, path := range tracked(t) {
		if strings.HasSuffix(path, "_test.go") {
			tests.WriteString(read(t, path))
		}
	}
	for _, m := range named {
		require.Contains(t, tests.String(), "func "+m[1]+"(", "decision 22 names a test that is gone")
	}
}
