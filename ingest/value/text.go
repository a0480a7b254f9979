package value

import (
	"html"
	"regexp"
	"strings"
)

// Pick returns the n-th part, counted from 1, or from the end by a negative n; "" where there is none.
func Pick(parts []string, n int) string {
	if n < 0 {
		n += len(parts) + 1
	}
	if n < 1 || n > len(parts) {
		return ""
	}
	return parts[n-1]
}

// Keep drops every character that want refuses.
func Keep(s string, want func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if want(r) {
			return r
		}
		return -1
	}, s)
}

// Squeeze turns every run of blanks into one blank and drops blanks at the ends. A no-break space is a blank: pages of
// jails pad with it.
func Squeeze(s string) string {
	// Most texts are clean already; they are returned without a copy.
	clean := true
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || c < ' ' || c == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ') {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\u00a0", " ")), " ")
}

var tag = regexp.MustCompile(`<[^>]*>`)

// StripTags removes HTML tags and resolves entities.
func StripTags(s string) string { return Squeeze(html.UnescapeString(tag.ReplaceAllString(s, " "))) }

var bracketed = regexp.MustCompile(`\([^()]*\)|\[[^\[\]]*\]`)

// Unbracket removes what stands in round or square brackets.
func Unbracket(s string) string { return Squeeze(bracketed.ReplaceAllString(s, " ")) }
