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

// maxParameter bounds a parameter's value in bytes. No name, number or date that is stored is
// longer.
const maxParameter = 300

// params reads the query parameters of one request, strictly: a typo must never read as "not in
// custody". Each method returns nil, or the default, for a parameter that is absent or empty.
// Only the first mistake is stored, in err; handlers check it once, after the last parameter.
// Parameters that no handler asks for are never looked at, as the contract ignores unknown ones.
type params struct {
	// Values by name, escaped as they came.
	given map[string][]string
	// The first mistake, in the order in which a handler asks. It is CodeInvalidParameter.
	err error
}

// newParams splits a query by names. url.ParseQuery leaves out what is not escaped well, so a
// mistake in a parameter would read as its absence and an empty list as an answer.
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

// fail stores the first mistake.
func (p *params) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// text returns the value of a parameter, decoded once, without blanks around it. A parameter that is given
// twice is a mistake, since the two may differ.
func (p *params) text(name string) *string { return p.value(name, maxParameter) }

// value is text of a parameter that may have so many bytes.
func (p *params) value(name string, most int) *string {
	values := p.given[name]
	switch {
	case len(values) == 0:
		return nil
	case len(values) > 1:
		p.fail(models.Invalid(name, name+" is given more than once"))
		return nil
	}
	value, err := unescape(name, values[0], most)
	if err != nil {
		p.fail(err)
		return nil
	}
	if value == "" {
		return nil
	}
	if plain := strings.TrimSpace(value); plain != "" { // blanks alone are no absence: a name of them finds nobody
		value = plain
	}
	return &value
}

// unescape returns a parameter's value, or why it cannot be one. PostgreSQL stores neither NUL
// nor invalid UTF-8.
func unescape(name, escaped string, most int) (string, error) {
	v, err := url.QueryUnescape(escaped)
	switch {
	case err != nil:
		return "", models.Invalid(name, name+" is not escaped as a URL demands: write % as %25")
	case len(v) > most:
		return "", models.Invalid(name, fmt.Sprintf("%s is longer than %d bytes", name, most))
	case !utf8.ValidString(v) || strings.ContainsRune(v, 0):
		return "", models.Invalid(name, name+" must be valid UTF-8 without NUL bytes")
	}
	return v, nil
}

// integer returns an integer of any size that fits an int; callers clamp it. Text and overflow
// are mistakes.
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

// page returns limit and offset, clamped into their bounds. The response echoes what was applied
// (DECISIONS, "Lists and parameters"). GraphQL refuses values out of range instead.
func (p *params) page(defaultLimit int) (limit, offset int) {
	limit = min(max(p.integer("limit", defaultLimit), 1), models.MaxLimit)
	return limit, max(p.integer("offset", 0), 0)
}

// enum returns one of the allowed values, which are lower case. Any letter case is accepted. The
// message of a mistake lists the allowed ones.
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

// date returns a strict YYYY-MM-DD of a day that exists. from_date after to_date is refused by
// the models, for GraphQL too.
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

// updatedSince returns the parameter updated_since of the three lists.
func (p *params) updatedSince() *time.Time {
	return p.instant("updated_since")
}

// instant returns an RFC 3339 time. The message mentions %2B because a plain + in a query is a
// blank.
func (p *params) instant(name string) *time.Time {
	s := p.text(name)
	if s == nil {
		return nil
	}
	t, err := time.Parse(time.RFC3339, strings.ToUpper(*s)) // RFC 3339, 5.6: t and z may stand
	if err != nil {
		p.fail(models.Invalid(name, name+" must be a time like 2026-03-08T14:30:00Z or 2026-03-08T14:30:00-05:00 (write + as %2B)"))
		return nil
	}
	return &t
}
