// Package fact writes the facts of records for people: what pages call a fact, and how they show its value. Its input are names
// and texts as GraphQL writes them, such as those of a record's history and of the difference that a held snapshot would make.
// It knows no record, no caller and no HTML: templates escape what it returns.
package fact

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/web/page"
)

// names are what pages call facts, by their names in GraphQL. Facts that are missing here
// keep those names.
var names = map[string]string{
	"name": "Name", "defendant": "Defendant", "dob": "Birth date", "birthYear": "Year of birth",
	"bookingDate": "Booked", "releaseDate": "Released", "releaseInferred": "Release inferred",
	"charges": "Charges", "bondAmount": "Bond", "offense": "Offense", "filedDate": "Filed", "filedDateInferred": "Filing date inferred",
	"bailAmount": "Bail", "status": "Status", "judge": "Judge",
	"hearingLink": "Virtual hearing", "hearings": "Hearing",
	"dispositions": "Disposition", "category": "Category", "categories": "Categories", "institution": "Institution",
	"sentence": "Sentence", "releaseDateProjected": "Release is a projection", "paroleEndDate": "Parole ends",
}

// Name returns what pages call a fact.
func Name(field string) string {
	if name, ok := names[field]; ok {
		return name
	}
	return field
}

// kinds are how the text of a fact is read, by its name in GraphQL. A fact that is not here
// is shown as it is.
var kinds = map[string]func(text string) string{
	"dob": moments, "filedDate": moments, "paroleEndDate": moments, "bookingDate": moments, "releaseDate": moments, "hearings": moments,
	"releaseInferred": yesOrNo, "filedDateInferred": yesOrNo, "releaseDateProjected": yesOrNo, "bondAmount": amount, "bailAmount": amount, "status": Word[string], "category": Word[string],
	"charges": listOf(asText), "categories": listOf(Word[string]), "dispositions": listOf(disposition.String), "chargeDetails": listOf(chargeDetail.String),
}

// Value returns a fact, in the writing of GraphQL, as people read it.
func Value(field string, text *string) string {
	switch {
	case text == nil && (field == "bondAmount" || field == "bailAmount"):
		return "none set"
	case text == nil:
		return "nothing"
	}
	if write, ok := kinds[field]; ok {
		return write(*text)
	}
	return *text
}

// moments writes an instant, or a calendar day where a family knows no more.
func moments(text string) string {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return page.When(at)
	}
	if day, err := models.ParseDate(text); err == nil {
		return Day(day)
	}
	return text
}

// Day writes a calendar day.
func Day(d models.Date) string { return d.In(time.UTC).Format("Jan 2, 2006") }

// Born says what is known of a birth: the date, or the year alone.
func Born(dob *models.Date, year *int) string {
	switch {
	case dob != nil:
		return "born " + Day(*dob)
	case year != nil:
		return "born " + strconv.Itoa(*year)
	}
	return "birth date not stated"
}

// yesOrNo writes a truth value in words.
func yesOrNo(text string) string {
	switch text {
	case "true":
		return "yes"
	case "false":
		return "no"
	}
	return text
}

// amount writes an amount of dollars, such as 6600.00.
func amount(text string) string {
	if cents, err := models.ParseCents(text); err == nil {
		return cents.String()
	}
	return text
}

// asText leaves words of people as they are: "true" may be an institution's name.
func asText(text string) string { return text }

// listOf returns a function that writes a JSON list in one line. Text that is no list is shown
// as it is.
func listOf[T any](item func(T) string) func(string) string {
	return func(text string) string {
		var items []T
		if json.Unmarshal([]byte(text), &items) != nil {
			return text
		}
		if len(items) == 0 {
			return "none"
		}
		out := make([]string, len(items))
		for i := range items {
			out[i] = item(items[i])
		}
		return strings.Join(out, "; ")
	}
}

// disposition is a disposition as a version row of a case stores it.
type disposition struct{ Outcome, Sentence, Date string }

// String returns the outcome, the sentence and the day, as far as they are known.
func (d disposition) String() string { return commas(d.Outcome, d.Sentence, moments(d.Date)) }

// chargeDetail is a charge as a version row of a booking stores it.
type chargeDetail struct{ Description, Statute, Severity, BondAmount, BondText, Disposition string }

// String returns what is known of the charge, its words first.
func (c chargeDetail) String() string {
	if c.BondAmount != "" {
		c.BondAmount = "bond " + amount(c.BondAmount)
	}
	return commas(c.Description, c.Statute, c.Severity, c.BondAmount, c.BondText, c.Disposition)
}

// commas joins what is not empty.
func commas(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// Word returns an enumeration's word in small letters.
func Word[T ~string](w T) string {
	return strings.ReplaceAll(strings.ToLower(string(w)), "_", " ")
}
