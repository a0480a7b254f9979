package record

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"gorm.io/gorm"

	"rollcall/match"
	"rollcall/models"
)

// details are what narrows bookings beyond what the list index knows: charges, agency, bond, birth and release. SQL answers
// then, and counts the matches.
type details struct {
	// Query of PostgreSQL for words of charges; empty: any charge.
	charge string
	// The query is the number of a statute.
	statute  bool
	severity *models.Severity
	// Query of PostgreSQL for words of the agency; empty: any agency, or none.
	agency string
	// Cents.
	bondFrom, bondTo *int64
	// Years.
	bornFrom, bornTo *int
	// The day of birth.
	born *models.Date
	// Inclusive and exclusive; zero is open.
	releasedFrom, releasedTo time.Time
}

// mostDetailWords bounds the words of a search among charges or agencies.
const mostDetailWords = 8

// detailsOf checks and converts what a filter says of details. What is out of range is a models.Error.
func detailsOf(f *models.RosterFilter) (d details, err error) {
	if f.Charge != nil && strings.TrimSpace(*f.Charge) != "" {
		if d.charge, d.statute, err = chargeQuery(*f.Charge); err != nil {
			return d, err
		}
	}
	if d.agency, err = agencyQuery(f.Agency); err != nil {
		return d, err
	}
	d.severity, d.born = f.Severity, f.Born
	if err := rising("bond", f.BondFrom, f.BondTo); err != nil {
		return d, err
	}
	if err := rising("birth_year", f.BirthYearFrom, f.BirthYearTo); err != nil {
		return d, err
	}
	d.bondFrom, d.bondTo, d.bornFrom, d.bornTo = cents(f.BondFrom), cents(f.BondTo), f.BirthYearFrom, f.BirthYearTo
	if f.ReleasedFrom != nil && f.ReleasedTo != nil && f.ReleasedFrom.After(*f.ReleasedTo) {
		return d, models.Invalid("released_from", "%s must not be after %s", "released_from", "released_to")
	}
	if f.ReleasedFrom != nil {
		d.releasedFrom = f.ReleasedFrom.In(models.Georgia)
	}
	if f.ReleasedTo != nil {
		d.releasedTo = f.ReleasedTo.Next().In(models.Georgia)
	}
	return d, nil
}

// chargeQuery returns the query of PostgreSQL for words of charges (beginnings). A text that begins with the numbers of a
// title and a section, such as 16-5-21, is a statute: its parts stand in this order.
func chargeQuery(text string) (query string, statute bool, err error) {
	words, err := detailWords("charge", text)
	if err != nil {
		return "", false, err
	}
	if len(words) > 1 && isNumber(words[0]) && isNumber(words[1]) {
		return strings.Join(words, " <-> ") + ":*", true, nil
	}
	return beginnings(words), false, nil
}

// agencyQuery returns the query of PostgreSQL for words of an agency (beginnings); empty: the text is blank.
func agencyQuery(text *string) (string, error) {
	if text == nil || strings.TrimSpace(*text) == "" {
		return "", nil
	}
	words, err := detailWords("agency", *text)
	return beginnings(words), err
}

// detailWords returns the words of a text that a filter searches for.
func detailWords(field, text string) ([]string, error) {
	if err := models.PlainText(field, text); err != nil {
		return nil, err
	}
	words := match.Words(text)
	if len(words) > mostDetailWords {
		return nil, models.Invalid(field, fmt.Sprintf("%s has more than %d words; leave some out", field, mostDetailWords))
	}
	return words, nil
}

// beginnings returns the query of PostgreSQL for words each of which begins a word, in any order. Without words, as of a text
// without letters and digits, it finds nothing.
func beginnings(words []string) string {
	if len(words) == 0 {
		return noWord
	}
	return strings.Join(words, ":* & ") + ":*"
}

// noWord is a query that nothing answers: words are letters and digits.
const noWord = "'-'"

// isNumber reports whether a folded word is digits alone.
func isNumber(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
}

// rising refuses bounds that are negative or in the wrong order.
func rising(name string, from, to *int) error {
	for _, bound := range []*int{from, to} {
		if bound != nil && *bound < 0 {
			return models.Invalid(name+"_from", name+" must not be negative")
		}
	}
	if from != nil && to != nil && *from > *to {
		return models.Invalid(name+"_from", "%s must not be more than %s", name+"_from", name+"_to")
	}
	return nil
}

// cents converts dollars.
func cents(dollars *int) *int64 {
	if dollars == nil {
		return nil
	}
	return new(int64(*dollars) * 100)
}

// where narrows bookings to those with the details. Of charges it asks which bookings have them, whoever may see those: the
// list is of published bookings alone.
func (d *details) where(on *gorm.DB) *gorm.DB {
	switch {
	case d.statute:
		on = on.Where("rid in (select rid from published_bookings where charge_words(charges) @@ to_tsquery('simple', ?)"+
			" union all select rid from charges_to_find"+
			" where statute is not null and charge_words(array[statute]) @@ to_tsquery('simple', ?))", d.charge, d.charge)
	case d.charge != "":
		on = on.Where("charge_words(charges) @@ to_tsquery('simple', ?)", d.charge)
	}
	if d.agency != "" {
		on = on.Where("agency is not null and charge_words(array[agency]) @@ to_tsquery('simple', ?)", d.agency)
	}
	if d.severity != nil {
		on = on.Where("rid in (select rid from charges_to_find where severity is not null and charge_severity(severity) = ?)", *d.severity)
	}
	if d.bondFrom != nil {
		on = on.Where("bond_cents >= ?", *d.bondFrom)
	}
	if d.bondTo != nil {
		on = on.Where("bond_cents <= ?", *d.bondTo)
	}
	if d.bornFrom != nil {
		on = on.Where("coalesce(birth_year, extract(year from dob)) >= ?", *d.bornFrom)
	}
	if d.bornTo != nil {
		on = on.Where("coalesce(birth_year, extract(year from dob)) <= ?", *d.bornTo)
	}
	if d.born != nil {
		on = on.Where("(dob = ?::date or dob is null and birth_year = ?)", d.born.String(), d.born.Year)
	}
	if !d.releasedFrom.IsZero() {
		on = on.Where("released_at >= ?", d.releasedFrom)
	}
	if !d.releasedTo.IsZero() {
		on = on.Where("released_at < ?", d.releasedTo)
	}
	return on
}
