package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLinksOfTheDocumentsLead looks up every relative link of the documents, and its heading where it names one.
func TestLinksOfTheDocumentsLead(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#:\s]*)(#[^)\s]+)?\)`)
	for _, path := range tracked(t) {
		if !strings.HasSuffix(path, ".md") || !strings.HasPrefix(path, "docs/") && strings.Contains(path, "/") {
			continue
		}
		text := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`").ReplaceAllString(read(t, path), "x")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target := path
			if m[1] != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(path), m[1]))
			}
			info, err := os.Stat(filepath.Join(root, filepath.FromSlash(target)))
			if !assertFile(t, path, m[0], err) || m[2] == "" || info.IsDir() {
				continue
			}
			require.Contains(t, headings(read(t, target)), m[2][1:], "%s: %s", path, m[0])
		}
	}
}

func assertFile(t *testing.T, path, link string, err error) bool {
	t.Helper()
	if err != nil {
		t.Errorf("%s: the link %s leads nowhere", path, link)
	}
	return err == nil
}

var spoken = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// headings are the anchors of a document, as GitHub and the pages make them.
func headings(text string) []string {
	var anchors []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		anchors = append(anchors, strings.ReplaceAll(strings.ToLower(spoken.ReplaceAllString(m[1], "")), " ", "-"))
	}
	return anchors
}
