// Package fact writes the facts of records for people: what pages call a fact, and how they show its value. Its input are names
// and texts as GraphQL writes them, such as those of a record's history and of the difference that a held snapshot would make.
// It knows no record, no caller and no HTML: templates escape what it returns.
package fact

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/web/words"
)

// names are what pages call facts, by their names in GraphQL. Facts that are missing here
// keep those names.
var names = map[string]words.Text{
	"name": words.T("Name"), "defendant": words.T("Defendant"), "dob": words.T("Birth date"), "birthYear": words.T("Year of birth"),
	"bookingDate": words.T("Booked"), "releaseDate": words.T("Released"), "releaseInferred": words.T("Release inferred"),
	"charges": words.T("Charges"), "bondAmount": words.T("Bond"), "agency": words.T("Agency"), "offense": words.T("Offense"), "filedDate": words.T("Filed"), "filedDateInferred": words.T("Filing date inferred"),
	"bailAmount": words.T("Bail"), "status": words.T("Status"), "judge": words.T("Judge"),
	"hearingLink": words.T("Virtual hearing"), "hearings": words.T("Hearing"),
	"dispositions": words.T("Disposition"), "category": words.T("Category"), "categories": words.T("Categories"), "institution": words.T("Institution"),
	"sentence": words.T("Sentence"), "releaseDateProjected": words.T("Release is a projection"), "paroleEndDate": words.T("Parole ends"),
}

// Name returns what pages call a fact.
func Name(field string) words.Text {
	if name, ok := names[field]; ok {
		return name
	}
	return words.Plain(field)
}

// kinds are how the text of a fact is read, by its name in GraphQL. A fact that is not here
// is shown as it is.
var kinds = map[string]func(text string) words.Text{
	"dob": moments, "filedDate": moments, "paroleEndDate": moments, "bookingDate": moments, "releaseDate": moments, "hearings": moments,
	"releaseInferred": yesOrNo, "filedDateInferred": yesOrNo, "releaseDateProjected": yesOrNo, "bondAmount": amount, "bailAmount": amount, "status": Word[string], "category": Word[string],
	"charges": listOf(asText), "categories": listOf(Word[string]), "dispositions": listOf(disposition.words), "chargeDetails": listOf(chargeDetail.words),
}

// Value returns a fact, in the writing of GraphQL, as people read it.
func Value(field string, text *string) words.Text {
	switch {
	case text == nil && (field == "bondAmount" || field == "bailAmount"):
		return words.T("none set")
	case text == nil:
		return words.T("nothing")
	}
	if write, ok := kinds[field]; ok {
		return write(*text)
	}
	return words.Plain(*text)
}

// moments writes an instant, or a calendar day where a family knows no more.
func moments(text string) words.Text {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return words.When(at)
	}
	if day, err := models.ParseDate(text); err == nil {
		return words.Day(day)
	}
	return words.Plain(text)
}

// Born says what is known of a birth: the date, or the year alone.
func Born(dob *models.Date, year *int) words.Text {
	switch {
	case dob != nil:
		return words.T("born {1}", words.Day(*dob))
	case year != nil:
		return words.T("born {1}", strconv.Itoa(*year))
	}
	return words.T("birth date not stated")
}

// yesOrNo writes a truth value in words.
func yesOrNo(text string) words.Text {
	switch text {
	case "true":
		return words.T("yes")
	case "false":
		return words.T("no")
	}
	return words.Plain(text)
}

// amount writes an amount of dollars, such as 6600.00.
func amount(text string) words.Text {
	if cents, err := models.ParseCents(text); err == nil {
		return words.Plain(cents.String())
	}
	return words.Plain(text)
}

// asText leaves words of people as they are: "true" may be an institution's name.
func asText(text string) words.Text { return words.Plain(text) }

// listOf returns a function that writes a JSON list in one line. Text that is no list is shown
// as it is.
func listOf[T any](item func(T) words.Text) func(string) words.Text {
	return func(text string) words.Text {
		var items []T
		if json.Unmarshal([]byte(text), &items) != nil {
			return words.Plain(text)
		}
		if len(items) == 0 {
			return words.T("none")
		}
		out := make([]words.Text, len(items))
		for i := range items {
			out[i] = item(items[i])
		}
		return words.Join("; ", out...)
	}
}

// disposition is a disposition as a version row of a case stores it.
type disposition struct{ Outcome, Sentence, Date string }

// words returns the outcome, the sentence and the day, as far as they are known.
func (d disposition) words() words.Text {
	return words.Join(", ", words.Plain(d.Outcome), words.Plain(d.Sentence), moments(d.Date))
}

// chargeDetail is a charge as a version row of a booking stores it.
type chargeDetail struct{ Description, Statute, Severity, BondAmount, BondText, Disposition string }

// words returns what is known of the charge, its own words first.
func (c chargeDetail) words() words.Text {
	var bond words.Text
	if c.BondAmount != "" {
		bond = words.T("bond {1}", amount(c.BondAmount))
	}
	return words.Join(", ", words.Plain(c.Description), words.Plain(c.Statute), words.Plain(c.Severity), bond, words.Plain(c.BondText), words.Plain(c.Disposition))
}

// Word returns an enumeration's word in small letters.
func Word[T ~string](w T) words.Text {
	return words.Word(strings.ReplaceAll(strings.ToLower(string(w)), "_", " "))
}
