package mapping

import (
	"strconv"
	"strings"
)

// Money reads an amount in dollars as cents; ok is false where the text names none: a bond type
// alone, "NO BOND" (which is never 0), "$0.00" (none set), "$" alone, a note. The first amount after
// a dollar sign counts, without a dollar sign the text must be a plain number. Half an amount is none,
// nor is one with a slip of the keys in it: "$5OO.00" is not five dollars, nor "$1.500" one and a half; nor is one of
// several ("$1500 - $2500"), a multiple ("2 @ $500") or the whole of a share ("10% OF $5000"). Fees beside it are no bond.
func Money(text string) (cents int64, ok bool) {
	if saysNoBond(text) || several(text) {
		return 0, false
	}
	rest, marked := text, false
	if _, after, found := strings.Cut(text, "$"); found {
		rest, marked = after, true
	}
	rest = strings.TrimSpace(rest)
	end := 0
	for end < len(rest) && (digit(rest[end]) || rest[end] == ',' || rest[end] == '.') {
		end++
	}
	if end == 0 || !marked && end != len(rest) {
		return 0, false
	}
	whole, fraction, _ := strings.Cut(strings.TrimRight(rest[:end], ".,"), ".")
	if !grouped(whole) || !hundredths(fraction) || len(fraction) != 2 && goesOn(rest[end:]) {
		return 0, false
	}
	whole = strings.ReplaceAll(whole, ",", "")
	dollars, err := strconv.ParseInt(whole, 10, 64)
	if whole != "" && err != nil || dollars > 10_000_000_000 {
		return 0, false
	}
	cents = dollars * 100
	if fraction != "" {
		f, err := strconv.ParseInt((fraction + "0")[:2], 10, 64)
		if err != nil {
			return 0, false
		}
		cents += f
	}
	return cents, cents > 0
}

// grouped tells whether a number has no commas, or one before each three of its digits.
func grouped(whole string) bool {
	first, rest, commas := strings.Cut(whole, ",")
	if commas && (len(first) < 1 || len(first) > 3) {
		return false
	}
	for commas {
		var group string
		if group, rest, commas = strings.Cut(rest, ","); len(group) != 3 {
			return false
		}
	}
	return true
}

// hundredths tells whether what stands behind the point are cents: one digit or two, or the four and more
// that databases write ("1500.0000"). Three are the thousands of who took the point for a comma.
func hundredths(fraction string) bool {
	switch {
	case strings.ContainsAny(fraction, ".,") || len(fraction) == 3:
		return false
	case len(fraction) > 3:
		return strings.Trim(fraction[2:], "0") == ""
	default:
		return true
	}
}

// goesOn tells whether a number that shows no cents is only a part of what somebody meant to type: "5OO", "1 500.00",
// "1 ,500", "1'500", "10%".
func goesOn(rest string) bool {
	if rest == "" {
		return false
	}
	if letter(rest[0]) || rest[0] == '%' {
		return true
	}
	next := strings.TrimLeft(rest, " \t\u00a0'`;:_")
	if len(next) == len(rest) || next == "" {
		return false
	}
	return digit(next[0]) || len(next) > 1 && (next[0] == ',' || next[0] == '.') && digit(next[1])
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
