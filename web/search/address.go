package search

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/words"
)

// filters are the parameters of an address that narrow bookings alone.
var filters = []string{
	"charge", "severity", "agency", "bond_from", "bond_to", "age_from", "age_to", "booked_from", "booked_to", "released_from", "released_to",
}

// parameters are all that an address may hold of a search.
var parameters = slices.Concat([]string{"q", "county", "status", "sort", "view"}, filters)

// spelled are parameters that mean the same in small and large letters, with how the form has them.
var spelled = map[string]func(string) string{
	"county": strings.ToLower, "status": strings.ToUpper, "severity": strings.ToUpper, "sort": strings.ToUpper, "view": strings.ToLower,
}

// asked is what the address of a search asks.
type asked struct {
	// Typed is what was typed.
	Typed string
	// Number is Typed where it may be the number of a record; else empty.
	Number string
	// Name is what of Typed may be a name.
	Name string
	// Born is a year beside a name, which is that of the birth; 0: there is none. Day is a whole date beside one; nil: there is none.
	Born int
	Day  *models.Date
	// County is a slug, and Status a status of any family; empty: they do not narrow.
	County, Status string
	// Set counts the filters that are set.
	Set int
	// View is how bookings are shown: "table", "person", or empty for a list.
	View string
	// Sort is the name of an order of bookings; empty: the closest name first.
	Sort string

	narrow  models.RosterFilter // what the filters and Born narrow bookings to
	values  url.Values          // the parameters that have a value
	more    string              // the family of which the next page is wanted; empty: the first page of all
	after   string              // the cursor of that page
	further bool                // for similar names
}

var digit = regexp.MustCompile(`\d`)

// shortNumber is up to how many characters a text with a digit is no number of a record.
const shortNumber = 2

// read reads an address. now is the day by which an age is two years of birth. What is no value of a filter is a models.Error.
func read(q url.Values, now time.Time) (*asked, error) {
	a := &asked{values: url.Values{}, more: last(q, "more"), after: last(q, "after"), further: q.Get("similar") != ""}
	for _, name := range parameters {
		if value := last(q, name); value != "" {
			a.values.Set(name, value)
		}
	}
	for name, as := range spelled {
		if a.values.Has(name) {
			a.values.Set(name, as(a.values.Get(name)))
		}
	}
	for _, name := range filters {
		if a.values.Has(name) {
			a.Set++
		}
	}
	a.County, a.Status = a.values.Get("county"), a.values.Get("status")
	a.see()
	a.split(a.values.Get("q"))
	err := a.narrows(now)
	if a.Born > 0 {
		a.narrow.BirthYearFrom, a.narrow.BirthYearTo = &a.Born, &a.Born
	}
	a.narrow.Born = a.Day
	return a, err
}

// last returns the last value of a parameter: a control of the results stands behind the one of the form that it overrides.
func last(q url.Values, name string) string {
	if all := q[name]; len(all) > 0 {
		return strings.TrimSpace(all[len(all)-1])
	}
	return ""
}

// see reads how bookings are shown. What is no view or order is left out.
func (a *asked) see() {
	if view := a.values.Get("view"); view == "table" || view == "person" {
		a.View = view
	} else {
		a.values.Del("view")
	}
	if _, known := orderOf(a.values.Get("sort")); known {
		a.Sort = a.values.Get("sort")
	} else {
		a.values.Del("sort")
	}
}

// split takes a number, a name and a birth out of what was typed. One year or one date beside a name is the birth. A longer text with a
// digit may be a number as a whole, and its words without one may be a name.
func (a *asked) split(text string) {
	a.Typed, a.Name = text, text
	var plain, numbers []string
	var births []birth
	for word := range strings.FieldsSeq(text) {
		b, born := birthOf(word)
		switch {
		case born:
			births = append(births, b)
		case digit.MatchString(word):
			numbers = append(numbers, word)
		default:
			plain = append(plain, word)
		}
	}
	switch name := strings.Join(plain, " "); {
	case len(births) == 1 && len(plain) > 0 && len(numbers) == 0:
		a.Born, a.Day, a.Name = births[0].year, births[0].day, name
	case len(births)+len(numbers) > 0 && len([]rune(text)) > shortNumber:
		a.Number, a.Name = text, name
	}
}

// narrows reads the filters. An age is one of two years of birth.
func (a *asked) narrows(now time.Time) error {
	f := &a.narrow
	f.Charge, f.Agency = a.given("charge"), a.given("agency")
	if s := a.given("severity"); s != nil {
		f.Severity = new(models.Severity(strings.ToLower(*s)))
	}
	var older, younger *int
	for name, to := range map[string]**int{"bond_from": &f.BondFrom, "bond_to": &f.BondTo, "age_from": &younger, "age_to": &older} {
		if text := a.given(name); text != nil {
			n, err := strconv.Atoi(*text)
			if err != nil {
				return models.Invalid(name, "%s must be a whole number", name)
			}
			*to = &n
		}
	}
	for name, to := range map[string]**models.Date{
		"booked_from": &f.FromDate, "booked_to": &f.ToDate, "released_from": &f.ReleasedFrom, "released_to": &f.ReleasedTo,
	} {
		if text := a.given(name); text != nil {
			d, err := models.ParseDate(*text)
			if err != nil {
				return models.Invalid(name, "%s must be a day such as 2026-03-08", name)
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
	return nil
}

// given returns a parameter; nil: it is not given.
func (a *asked) given(name string) *string { return models.NilIfEmpty(a.values.Get(name)) }

// Asks returns a parameter for its field in the form.
func (a *asked) Asks(name string) string { return a.values.Get(name) }

// Empty reports whether nothing is asked. How bookings would be shown asks nothing.
func (a *asked) Empty() bool { return a.Typed == "" && a.County == "" && a.Status == "" && a.Set == 0 }

// option is a status that a reader may choose.
type option struct {
	Value  string
	Word   words.Text
	Chosen bool
}

// Option returns a status as the form has it. That of releases finds bookings that a jail only stopped listing, too.
func (a *asked) Option(status string) option {
	word := fact.State(status).Word
	if status == "RELEASED" {
		word = words.T("released or no longer listed")
	}
	return option{status, word, a.Status == status}
}

// TablePath returns the address with bookings in a table, or in the list where they are in one.
func (a *asked) TablePath() string { return a.shown("table") }

// PersonPath returns the address with bookings by person, or in the list where they are so.
func (a *asked) PersonPath() string { return a.shown("person") }

func (a *asked) shown(view string) string {
	if view == a.View {
		view = ""
	}
	return a.with("view", view)
}

// Encode returns the parameters of the address.
func (a *asked) Encode() string { return a.values.Encode() }

// CSV returns the address of the bookings as a file.
func (a *asked) CSV() string { return "/search/bookings.csv?" + a.Encode() }

// Path returns the address of the search itself.
func (a *asked) Path() string { return a.with() }

// Unfiltered returns the address without filters.
func (a *asked) Unfiltered() string {
	changes := make([]string, 0, 2*len(filters)) //nolint:mnd // a name and no value
	for _, name := range filters {
		changes = append(changes, name, "")
	}
	return a.with(changes...)
}

// with returns the address with other values of parameters, which are pairs of a name and a value.
func (a *asked) with(changes ...string) string {
	q := url.Values{}
	maps.Copy(q, a.values)
	for pair := range slices.Chunk(changes, 2) {
		if q.Set(pair[0], pair[1]); pair[1] == "" {
			q.Del(pair[0])
		}
	}
	if len(q) == 0 {
		return "/search"
	}
	return "/search?" + q.Encode()
}
