package value

import (
	"strconv"
	"strings"
)

// Money reads an amount in dollars and returns it in cents. ok is false where the text states none: a bond type alone,
// "NO BOND" (which is never 0), "$0.00" (none set), "$" alone, a note. The first amount after a dollar sign counts;
// without a dollar sign the text must be a plain number. It refuses typing mistakes ("$5OO.00" is not five dollars,
// "$1.500" not one and a half), several amounts ("$1500 - $2500"), multiples ("2 @ $500") and shares ("10% OF $5000").
// Fees beside the amount are no bond.
func Money(text string) (cents int64, ok bool) {
	if saysNoBond(text) || SeveralAmounts(text) {
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
	// ten billion dollars: above any bond, and far below an overflow of the cents
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

// grouped reports whether a number has no commas, or one before each group of three digits.
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

// hundredths reports whether the digits after the point are cents: one or two of them, or the four and more that
// databases write ("1500.0000"). Three are thousands of a writer who took the point for a comma.
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

// goesOn reports whether a number without cents is only a part of what was meant: "5OO", "1 500.00", "1 ,500", "1'500",
// "10%".
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

// letter reports whether a byte is a letter of ASCII.
func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// digit reports whether a byte is a decimal digit of ASCII.
func digit(c byte) bool { return '0' <= c && c <= '9' }
