// Package surrogate finds half characters in JSON. An escape such as \ud83d without a second half names no
// character, and encoding/json reads it silently as U+FFFD. A watcher with such a name would never match. The
// package is for the borders that read JSON; it parses nothing else.
package surrogate

// Lone reports whether a JSON text, which must be valid JSON, has half a surrogate pair.
func Lone(text []byte) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		i++ // what is escaped, so that the second of two backslashes begins nothing
		switch unit, ok := escape(text, i); {
		case !ok:
		case isLow(unit):
			return true
		case isHigh(unit):
			second, ok := escape(text, i+6)
			if !ok || !isLow(second) || text[i+5] != '\\' {
				return true
			}
			// Both escapes are read: five characters of the first after its backslash, six of the second.
			i += 10
		default:
			i += 4
		}
	}
	return false
}

// escape returns the unit of an escape whose letter u is text[at]. ok is false if there is no such escape.
func escape(text []byte, at int) (unit uint16, ok bool) {
	if at+5 > len(text) || text[at] != 'u' {
		return 0, false
	}
	for _, c := range text[at+1 : at+5] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		// Setting the bit makes the letter lower case: both letter cases are allowed.
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | uint16(c)
	}
	return unit, true
}

// isHigh reports whether a unit is the first half of a pair; isLow, the second.
func isHigh(unit uint16) bool { return unit >= 0xd800 && unit < 0xdc00 }
func isLow(unit uint16) bool  { return unit >= 0xdc00 && unit < 0xe000 }
