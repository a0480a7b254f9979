package web

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
)

// asked is what the address of the search asks of bookings. search.js and filters.js write and read the same address.
type asked struct {
	// filter narrows bookings; its name is what was typed, without a year of birth.
	filter models.RosterFilter
	// text is what was typed.
	text string
}

// birthYear is a year beside a name, which is that of the birth.
var birthYear = regexp.MustCompile(`^(19|20)\d\d$`)

// askedOf reads an address. now is the day by which an age is two years of birth. What is no value of a filter is a
// models.Error.
func askedOf(q url.Values, now time.Time) (asked, error) {
	a := asked{text: strings.TrimSpace(q.Get("q"))}
	f := &a.filter
	f.County, f.Charge, f.Agency = nonEmpty(q, "county"), nonEmpty(q, "charge"), nonEmpty(q, "agency")
	if s := q.Get("status"); s != "" {
		f.Status = new(models.RosterStatus(strings.ToLower(s)))
	}
	if s := q.Get("severity"); s != "" {
		f.Severity = new(models.Severity(strings.ToLower(s)))
	}
	var older, younger *int
	for name, to := range map[string]**int{"bond_from": &f.BondFrom, "bond_to": &f.BondTo, "age_from": &younger, "age_to": &older} {
		if text := nonEmpty(q, name); text != nil {
			n, err := strconv.Atoi(*text)
			if err != nil {
				return a, models.Invalid(name, name+" must be a whole number")
			}
			*to = &n
		}
	}
	for name, to := range map[string]**models.Date{
		"booked_from": &f.FromDate, "booked_to": &f.ToDate, "released_from": &f.ReleasedFrom, "released_to": &f.ReleasedTo,
	} {
		if text := nonEmpty(q, name); text != nil {
			d, err := models.ParseDate(*text)
			if err != nil {
				return a, models.Invalid(name, name+" must be a day such as 2026-03-08")
			}
			*to = &d
		}
	}
	year := now.In(models.Georgia).Year()
	if older != nil {
		f.BirthYearFrom = new(year - *older - 1)
	}
	if younger != nil {
		f.BirthYearTo = new(year - *younger)
	}
	a.name()
	return a, nil
}

// name takes the name out of what was typed, and one year beside it as that of the birth.
func (a *asked) name() {
	words, born := []string{}, []string{}
	for word := range strings.FieldsSeq(a.text) {
		if birthYear.MatchString(word) {
			born = append(born, word)
		} else {
			words = append(words, word)
		}
	}
	name := a.text
	if len(born) == 1 && len(words) > 0 && !strings.ContainsAny(strings.Join(words, ""), "0123456789") {
		year, _ := strconv.Atoi(born[0]) // four digits
		a.filter.BirthYearFrom, a.filter.BirthYearTo, name = &year, &year, strings.Join(words, " ")
	}
	if name != "" {
		a.filter.Name = &name
	}
}

// narrowed reports whether bookings alone are searched, as no other record states what narrows them.
func (a *asked) narrowed() bool {
	return a.filter.Detailed() || a.filter.FromDate != nil || a.filter.ToDate != nil
}

// numbered reports whether what was typed may be the number of a record.
func (a *asked) numbered() bool {
	return a.filter.Name != nil && strings.ContainsAny(*a.filter.Name, "0123456789")
}

// nonEmpty returns a parameter; nil when it is empty.
func nonEmpty(q url.Values, name string) *string {
	return models.NilIfEmpty(strings.TrimSpace(q.Get(name)))
}
