package ingest

import (
	"regexp"
	"strings"
)

// credentials are the shapes in which somebody may have written a credential into a document, although these come from the
// environment (docs/sources-rules.md).
var credentials = []*regexp.Regexp{
	regexp.MustCompile(`://[^/\s:@]+:[^/\s@{]+@`),
	regexp.MustCompile(`(?i)[?&](sig|signature|api[_-]?key|access[_-]?token|auth|password)=[^&\s'"{]{4,}`),
	regexp.MustCompile(`(?i)(^|[\s{,'"])(authorization|x-api-key|api[_-]?key|password|passwd|client[_-]?secret|secret)['"]?\s*:\s*['"]?[^\s'"{}\[\]#]{4,}`),
}

// Credentials returns the lines of a document, counted from 1, that seem to hold a credential. They are shown to nobody.
func Credentials(text string) (lines []int) {
	for i, line := range strings.Split(text, "\n") {
		for _, shape := range credentials {
			if shape.MatchString(line) {
				lines = append(lines, i+1)
				break
			}
		}
	}
	return lines
}
