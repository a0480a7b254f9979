package models

import (
	"strings"
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
