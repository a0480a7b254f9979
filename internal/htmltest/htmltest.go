// Package htmltest helps tests read pages: templates are set in lines, which say nothing to a browser.
package htmltest

import (
	"regexp"
	"strings"
)

var (
	rawPart     = regexp.MustCompile(`(?s)<pre.*?</pre>|<textarea.*?</textarea>`)
	betweenTags = regexp.MustCompile(`>\s*\n\s*<`)
	brokenLine  = regexp.MustCompile(`\s*\n\s*`)
)

// Joined returns a page in HTML with its lines joined: between two tags by nothing, and else by a blank. In pre and textarea a line counts,
// so those are left as they are.
func Joined(page string) string {
	var out strings.Builder
	from := 0
	for _, raw := range rawPart.FindAllStringIndex(page, -1) {
		out.WriteString(joined(page[from:raw[0]]) + page[raw[0]:raw[1]])
		from = raw[1]
	}
	return out.String() + joined(page[from:])
}

func joined(part string) string {
	return brokenLine.ReplaceAllString(betweenTags.ReplaceAllString(part, "><"), " ")
}
