package models

import (
	"fmt"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds an identifier that a caller sends; nothing that we keep is longer.
const maxText = 300

// PlainText refuses what PostgreSQL cannot hold as text, before it is asked: a NUL byte, broken
// UTF-8, or an identifier longer than any.
func PlainText(field, s string) error {
	switch {
	case strings.ContainsRune(s, 0) || !utf8.ValidString(s):
		return Invalid(field, "%s must be valid UTF-8 without NUL bytes", field)
	case len(s) > maxText:
		return Invalid(field, "%s is longer than any on record", field)
	}
	return nil
}

// Visible is a text on one line, without what cannot be seen and what turns the text around it, such as the marks of U+202E.
func Visible(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return visibleRune(r)
	}, s))
}

// visibleLines is visible for a text of several lines.
func visibleLines(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return visibleRune(r)
	}, s))
}

// visibleRune is a character, or nothing when it cannot be seen.
func visibleRune(r rune) rune {
	if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) {
		return -1
	}
	return r
}

// maxEmail is the longest address that a mail server takes, in bytes (RFC 5321, with its brackets left out).
const maxEmail = 254

// EmailAddress refuses what is no bare address, or one that looks like another.
func EmailAddress(email string) error {
	if p, err := mail.ParseAddress(email); err != nil || p.Address != email || len(email) > maxEmail || Visible(email) != email {
		return Invalid("email", "%s is not an address like desk@example.org", "email")
	}
	return nil
}

// NameText is what somebody calls a thing of theirs, of at most that many characters: what is visible of it.
func NameText(field, s string, most int) (string, error) {
	if strings.ContainsRune(s, 0) || !utf8.ValidString(s) {
		return "", Invalid(field, "%s must be valid UTF-8 without NUL bytes", field)
	}
	name := Visible(s)
	if name == "" && s != "" {
		return "", Invalid(field, "%s must have a visible character", field)
	}
	if utf8.RuneCountInString(name) > most {
		return "", Invalid(field, fmt.Sprintf("%%s must have at most %d characters", most), field)
	}
	return name, nil
}

// Grounds is why somebody decided, in at most that many characters; a decision without any is refused, whoever asks for it.
func Grounds(field, s string, most int) (string, error) {
	grounds, err := NameText(field, s, most)
	if err == nil && grounds == "" {
		err = Invalid(field, "write a reason: later readers rely on it")
	}
	return grounds, err
}

// NilIfEmpty returns NULL for an empty text.
func NilIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// EmptyIfNil is the way back: the text, "" for none.
func EmptyIfNil(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
