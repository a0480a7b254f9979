package value

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"rollcall/internal/ssn"
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

// Squeeze turns every run of blanks into one blank, drops blanks at the ends, and drops signs that nobody sees: control
// characters, which a terminal would obey, and marks that turn the direction of a text. A no-break space is a blank: pages
// of jails pad with it. A NUL byte stays, as a text with one is refused (Malformed).
//
// Between two digits a sign that nobody sees becomes a blank, since two numbers would become another, in which nobody would
// find a social security number any more. It only goes where that shows such a number.
func Squeeze(s string) string {
	// Most texts are clean already; they are returned without a copy.
	clean := true
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' || c == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ') {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	whole, parted := squeeze(s, false)
	if parted && !ssn.Holds(whole) {
		whole, _ = squeeze(s, true)
	}
	return whole
}

// squeeze does it, with or without a blank between digits that a hidden sign parts. It reports whether there are any.
func squeeze(s string, part bool) (squeezed string, parts bool) {
	var b strings.Builder
	b.Grow(len(s))
	var before rune               // the sign that was written last
	blank, parted := false, false // a blank and a sign that nobody sees stand behind it
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r), 0x1c <= r && r <= 0x1f: // the latter separate fields in old systems
			blank = b.Len() > 0
		case hidden(r):
			parted = true
		default:
			inside := parted && !blank && unicode.IsDigit(before) && unicode.IsDigit(r)
			if parts = parts || inside; blank || inside && part {
				b.WriteByte(' ')
			}
			b.WriteString(s[i : i+size])
			blank, parted, before = false, false, r
		}
		i += size
	}
	return b.String(), parts
}

// hidden reports whether a character shows nothing of its own: controls, formats such as marks of direction and blanks
// without width, and characters of private use.
func hidden(r rune) bool {
	return r != 0 && (unicode.Is(unicode.Cc, r) || r > unicode.MaxLatin1 && unicode.In(r, unicode.Cf, unicode.Co) || r == 0xad)
}

var tag = regexp.MustCompile(`<[^>]*>`)

// StripTags removes HTML tags and resolves entities.
func StripTags(s string) string { return Squeeze(html.UnescapeString(tag.ReplaceAllString(s, " "))) }

var bracketed = regexp.MustCompile(`\([^()]*\)|\[[^\[\]]*\]`)

// Unbracket removes what stands in round or square brackets.
func Unbracket(s string) string { return Squeeze(bracketed.ReplaceAllString(s, " ")) }
