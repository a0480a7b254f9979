package rest

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rollcall/models"
)

// maxParameter bounds a parameter's value in bytes; no name, number or date that we keep is longer.
const maxParameter = 300

// params reads the query parameters of one request, strictly: a typo must never read as "not in
// custody". Each method gives nil, or the default, for a parameter that is absent or empty. The
// first mistake is kept in err; parameters that nobody asks for are never looked at.
type params struct {
	given map[string][]string // by name: the values as they came, escaped
	// The first mistake, in the order in which a handler asks.
	err error
}

// newParams splits a query by names. url.ParseQuery would leave out what is not escaped well, so that a mistake in a
// parameter would read as its absence.
func newParams(query string) *params {
	p := &params{given: map[string][]string{}}
	for pair := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(key); err == nil {
			p.given[name] = append(p.given[name], value)
		}
	}
	return p
}

// fail keeps the first mistake.
func (p *params) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// text gives the value of a parameter as it was sent, decoded once.
func (p *params) text(name string) *string {
	values := p.given[name]
	switch {
	case len(values) == 0:
		return nil
	case len(values) > 1:
		p.fail(models.Invalid(name, name+" is given more than once"))
		return nil
	}
	value, err := unescape(name, values[0])
	if err != nil {
		p.fail(err)
		return nil
	}
	if value == "" {
		return nil
	}
	return &value
}

// unescape returns a parameter's value, or why it cannot be one. PostgreSQL holds no NUL and no invalid UTF-8.
func unescape(name, escaped string) (string, error) {
	v, err := url.QueryUnescape(escaped)
	switch {
	case err != nil:
		return "", models.Invalid(name, name+" is not escaped as a URL demands: write % as %25")
	case len(v) > maxParameter:
		return "", models.Invalid(name, fmt.Sprintf("%s is longer than %d bytes", name, maxParameter))
	case !utf8.ValidString(v) || strings.ContainsRune(v, 0):
		return "", models.Invalid(name, name+" must be valid UTF-8 without NUL bytes")
	}
	return v, nil
}

// integer gives an integer of any size that the machine holds; the caller clamps.
func (p *params) integer(name string, otherwise int) int {
	s := p.text(name)
	if s == nil {
		return otherwise
	}
	n, err := strconv.Atoi(*s)
	if err != nil {
		message := name + " must be an integer"
		if errors.Is(err, strconv.ErrRange) {
			message = name + " is too large a number"
		}
		p.fail(models.Invalid(name, message))
		return otherwise
	}
	return n
}

// page gives limit and offset, clamped into their bounds: the answer says what was applied.
func (p *params) page(defaultLimit int) (limit, offset int) {
	limit = min(max(p.integer("limit", defaultLimit), 1), models.MaxLimit)
	return limit, max(p.integer("offset", 0), 0)
}

// enum gives one of the allowed values, which are lower case; any letter case is taken.
func enum[T ~string](p *params, name string, allowed ...T) *T {
	s := p.text(name)
	if s == nil {
		return nil
	}
	words := make([]string, 0, len(allowed))
	for _, a := range allowed {
		if strings.EqualFold(*s, string(a)) {
			return &a
		}
		words = append(words, string(a))
	}
	p.fail(models.Invalid(name, name+" must be one of "+strings.Join(words, ", ")))
	return nil
}

// date gives a strict YYYY-MM-DD of an existing day.
func (p *params) date(name string) *models.Date {
	s := p.text(name)
	if s == nil {
		return nil
	}
	d, err := models.ParseDate(*s)
	if err != nil {
		p.fail(models.Invalid(name, name+" must be an existing day like 2026-03-08"))
		return nil
	}
	return &d
}

// updatedSince gives the parameter updated_since.
func (p *params) updatedSince() *time.Time {
	return p.instant("updated_since")
}

// instant gives an RFC 3339 time.
func (p *params) instant(name string) *time.Time {
	s := p.text(name)
	if s == nil {
		return nil
	}
	t, err := time.Parse(time.RFC3339, *s)
	if err != nil {
		p.fail(models.Invalid(name, name+" must be a time like 2026-03-08T14:30:00Z or 2026-03-08T14:30:00-05:00 (write + as %2B)"))
		return nil
	}
	return &t
}
