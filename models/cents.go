package models

import (
	"errors"
	"strconv"
	"strings"
)

// Cents is an amount of US money in cents. It never passes through a float before the wire.
type Cents int64

// errCents is what an amount has to be.
var errCents = errors.New("an amount is dollars with at most two decimals, such as 2500 or 2500.50")

// ParseCents reads dollars as Decimal writes them; one decimal or none is fine too.
func ParseCents(text string) (Cents, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, rest, hasRest := strings.Cut(digits, ".")
	if whole == "" || len(rest) > 2 || hasRest && rest == "" || strings.Trim(whole+rest, "0123456789") != "" {
		return 0, errCents
	}
	for len(rest) < 2 {
		rest += "0"
	}
	sign := ""
	if negative {
		sign = "-"
	}
	n, err := strconv.ParseInt(sign+whole+rest, 10, 64)
	if err != nil {
		return 0, errCents
	}
	return Cents(n), nil
}

// split returns the sign, the whole dollars, and the two digits of the cents beyond.
func (c Cents) split() (sign string, dollars int64, rest string) {
	dollars, beyond := int64(c)/100, int64(c)%100
	if c < 0 {
		sign, dollars, beyond = "-", -dollars, -beyond
	}
	return sign, dollars, strconv.FormatInt(100+beyond, 10)[1:]
}

// AppendTo appends the amount as a JSON number of dollars without zeros that say nothing: 500, 500.5, 1250.25.
func (c Cents) AppendTo(b []byte) []byte {
	sign, dollars, rest := c.split()
	b = strconv.AppendInt(append(b, sign...), dollars, 10)
	if rest = strings.TrimRight(rest, "0"); rest != "" {
		b = append(append(b, '.'), rest...)
	}
	return b
}

// MarshalJSON writes what AppendTo appends.
func (c Cents) MarshalJSON() ([]byte, error) { return c.AppendTo(nil), nil }

// Decimal returns the dollars with two decimals: 2500.50.
func (c Cents) Decimal() string {
	sign, dollars, rest := c.split()
	return sign + strconv.FormatInt(dollars, 10) + "." + rest
}

// String returns the amount as people write it: $6,600, $1,250.05, -$5.
func (c Cents) String() string {
	sign, dollars, rest := c.split()
	text := strconv.FormatInt(dollars, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	text = sign + "$" + text
	if rest != "00" {
		text += "." + rest
	}
	return text
}

// Dollars returns the amount as the number that GraphQL's Float takes.
func (c Cents) Dollars() float64 { return float64(c) / 100 }

// usd is an amount that may be unknown, in dollars.
func usd(cents *int64) *float64 {
	if cents == nil {
		return nil
	}
	return new(Cents(*cents).Dollars())
}
