// Package jsontext appends JSON strings to a buffer, for packages that write JSON without reflection on hot
// paths. It knows no other JSON value: numbers, objects and lists belong to the package that writes them.
package jsontext

import "unicode/utf8"

// hex are the digits of an escape.
const hex = "0123456789abcdef"

// Append appends s as a JSON string (RFC 8259), in quotes, and returns the longer buffer. Bytes that are not
// UTF-8 become U+FFFD, as in encoding/json. Characters of HTML stay as they are: charges contain <, > and &,
// and no answer is put into a page.
func Append(b []byte, s string) []byte {
	b = append(b, '"')
	// Runs of plain characters are copied at once: s[start:i] is what was not copied yet.
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(b, s[start:i]...)
				b = append(b, "\ufffd"...)
				start = i + size
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		b = appendEscape(b, c)
		i++
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// appendEscape appends the escape of a quote, a backslash or a control character.
func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
