package value

import (
	"regexp"
	"strings"
)

// BlotSSN replaces the digits of everything that has the shape of a social security number by stars: three, two and
// four digits with dashes, or nine digits, however separated, beside a word that says what they are. Nine digits alone
// may be a booking's number and stay. BlotSSN of its own result changes nothing.
func BlotSSN(s string) string {
	if fewDigits(s, 9) {
		return s // most texts, and much sooner known than by the expressions
	}
	if strings.Count(s, "-") >= 2 {
		s = blotDashed(s)
	}
	if !ssnWord.MatchString(s) {
		return s
	}
	for { // what stood behind a number may be one, too
		blotted := ssnSaid.ReplaceAllStringFunc(s, func(said string) string { return nineDigits.ReplaceAllStringFunc(said, blotDigits) })
		if blotted == s {
			return s
		}
		s = blotted
	}
}

// blotDigits replaces the digits and keeps the signs between them, so that a reader still sees that a number stood
// there.
func blotDigits(number string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return '*'
		}
		return r
	}, number)
}

const (
	ssnWords  = `(?:\bSS ?[N#]|\bS\.S\.(?:N\.?)?|SSN\b|\bSOC(?:IAL|\.)?[ .]*SEC(?:URITY|\.)?)`
	ssnDigits = `\d(?:[ ./_-]{0,3}\d){8}`
)

var (
	ssnWord    = regexp.MustCompile(`(?i)` + ssnWords)
	ssnSaid    = regexp.MustCompile(`(?i)` + ssnWords + `[^\d]{0,16}` + ssnDigits + `|\b` + ssnDigits + `[^\d\pL]{0,4}` + ssnWords)
	nineDigits = regexp.MustCompile(ssnDigits)
)

// fewDigits reports whether a text has fewer than n digits.
func fewDigits(s string, n int) bool {
	for i := range len(s) {
		if digit(s[i]) {
			if n--; n == 0 {
				return false
			}
		}
	}
	return true
}

// blotDashed blots 000-00-0000 without a regular expression: it runs over every text of every row.
func blotDashed(s string) string {
	b := []byte(s)
	for i := 0; i+11 <= len(b); i++ {
		if digits(b[i:i+3]) && b[i+3] == '-' && digits(b[i+4:i+6]) && b[i+6] == '-' && digits(b[i+7:i+11]) &&
			(i == 0 || !digit(b[i-1])) && (i+11 == len(b) || !digit(b[i+11])) {
			copy(b[i:], "***-**-****")
		}
	}
	return string(b)
}

// digit reports whether a byte is a decimal digit of ASCII.
func digit(c byte) bool { return '0' <= c && c <= '9' }

// digits reports whether all bytes are digits.
func digits(b []byte) bool {
	for _, c := range b {
		if !digit(c) {
			return false
		}
	}
	return true
}
