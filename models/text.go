package models

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds an identifier that a caller sends; nothing that we keep is longer.
const maxText = 300

// plainText refuses what PostgreSQL cannot hold as text, before it is asked: a NUL byte, broken
// UTF-8, or an identifier longer than any.
func plainText(field, s string) error {
	switch {
	case strings.ContainsRune(s, 0) || !utf8.ValidString(s):
		return Invalid(field, field+" must be valid UTF-8 without NUL bytes")
	case len(s) > maxText:
		return Invalid(field, field+" is longer than any on record")
	}
	return nil
}

// nameText is what somebody calls a thing of theirs, of at most that many characters: without what cannot be seen and what
// turns the text around it, such as the marks of U+202E.
func nameText(field, s string, most int) (string, error) {
	if strings.ContainsRune(s, 0) || !utf8.ValidString(s) {
		return "", Invalid(field, field+" must be valid UTF-8 without NUL bytes")
	}
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) {
			return -1
		}
		return r
	}, s))
	if name == "" && s != "" {
		return "", Invalid(field, field+" needs a character that can be seen")
	}
	if utf8.RuneCountInString(name) > most {
		return "", Invalid(field, fmt.Sprintf("%s must have at most %d characters", field, most))
	}
	return name, nil
}
