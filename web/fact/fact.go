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
	"bookingDate": words.T("Booked"), "releaseDate": words.T("Released"), "releaseInferred": words.T("Release"),
	"charges": words.T("Charges"), "chargeDetails": words.T("Charge details"), "bondAmount": words.T("Bond"), "agency": words.T("Agency"),
	"offense": words.T("Offense"), "filedDate": words.T("Filed"), "filedDateInferred": words.T("Filing date"),
	"bailAmount": words.T("Bail"), "status": words.T("Status"), "judge": words.T("Judge"),
	"hearingLink": words.T("Virtual hearing"), "hearings": words.T("Hearing"),
	"dispositions": words.T("Disposition"), "category": words.T("Category"), "categories": words.T("Categories"), "institution": words.T("Institution"),
	"sentence": words.T("Sentence"), "releaseDateProjected": words.T("Release projected"), "paroleEndDate": words.T("Parole ends"),
}

// Name returns what pages call a fact.
func Name(field string) words.Text {
	if name, ok := names[field]; ok {
		return name
	}
	return words.Plain(field)
}

// Casing is how texts of sources are written: the zero value leaves them as they are.
type Casing struct {
	// Words writes charges, offenses and outcomes, Name names of people and places, and Term the length of a sentence.
	Words, Name, Term func(text string) words.Text
}

// of writes a text of a source; "" is no text.
func of(say func(string) words.Text, text string) words.Text {
	if say == nil || text == "" {
		return words.Plain(text)
	}
	return say(text)
}

// kinds are how the text of a fact is read, by its name in GraphQL. A fact that is not here
// is shown as it is.
var kinds = map[string]func(c Casing, text string) words.Text{
	"dob": anyCase(moments), "filedDate": anyCase(moments), "paroleEndDate": anyCase(moments), "bookingDate": anyCase(moments),
	"releaseDate": anyCase(moments), "hearings": anyCase(moments), "releaseInferred": anyCase(reported), "filedDateInferred": anyCase(reported),
	"releaseDateProjected": anyCase(yesOrNo), "bondAmount": anyCase(amount), "bailAmount": anyCase(amount),
	"status": anyCase(Word[string]), "category": anyCase(Word[string]), "categories": listOf(func(_ Casing, w string) words.Text { return Word(w) }),
	"name": Casing.name, "defendant": Casing.name, "judge": Casing.name, "institution": Casing.name,
	"offense": Casing.text, "charges": listOf(Casing.text), "sentence": Casing.term,
	"dispositions": listOf(Casing.disposition), "chargeDetails": listOf(Casing.charge),
}

// anyCase is for values that are no texts of a source.
func anyCase(write func(string) words.Text) func(Casing, string) words.Text {
	return func(_ Casing, text string) words.Text { return write(text) }
}

// Value returns a fact, in the writing of GraphQL, as people read it. Texts are as their source writes them.
func Value(field string, text *string) words.Text { return Casing{}.Value(field, text) }

// Value is the function Value in this casing.
func (c Casing) Value(field string, text *string) words.Text {
	switch {
	case text == nil && (field == "bondAmount" || field == "bailAmount"):
		return words.T("no amount")
	case text == nil:
		return words.T("nothing")
	}
	if write, ok := kinds[field]; ok {
		return write(c, *text)
	}
	return words.Plain(*text)
}

// Change returns both values of a fact that changed. A change of capitals alone is shown as the source writes it, else nothing would
// have changed.
func (c Casing) Change(field string, before, after *string) (from, to words.Text) {
	if from, to = c.Value(field, before), c.Value(field, after); from.String() != to.String() {
		return from, to
	}
	return Value(field, before), Value(field, after)
}

// Texts of people: "true" may be an institution's name.
func (c Casing) text(text string) words.Text { return of(c.Words, text) }
func (c Casing) name(text string) words.Text { return of(c.Name, text) }
func (c Casing) term(text string) words.Text { return of(c.Term, text) }

// severity writes how grave a charge is, which is a word like that of an enumeration.
func (c Casing) severity(text string) words.Text {
	if c.Words == nil {
		return words.Plain(text)
	}
	return Word(text)
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

// truth writes a truth value as one of two texts.
func truth(yes, no words.Text) func(string) words.Text {
	return func(text string) words.Text {
		switch text {
		case "true":
			return yes
		case "false":
			return no
		}
		return words.Plain(text)
	}
}

// reported writes whether a fact is inferred, as what it means: nobody reported it, or its time.
var reported = truth(words.T("estimated"), words.T("as reported"))

// yesOrNo writes a truth value in words.
var yesOrNo = truth(words.T("yes"), words.T("no"))

// amount writes an amount of dollars, such as 6600.00.
func amount(text string) words.Text {
	if cents, err := models.ParseCents(text); err == nil {
		return words.Plain(cents.String())
	}
	return words.Plain(text)
}

// listOf returns a function that writes a JSON list in one line. Text that is no list is shown
// as it is.
func listOf[T any](item func(Casing, T) words.Text) func(Casing, string) words.Text {
	return func(c Casing, text string) words.Text {
		var items []T
		if json.Unmarshal([]byte(text), &items) != nil {
			return words.Plain(text)
		}
		if len(items) == 0 {
			return words.T("none")
		}
		out := make([]words.Text, len(items))
		for i := range items {
			out[i] = item(c, items[i])
		}
		return words.Join("; ", out...)
	}
}

// disposition is a disposition as a version row of a case stores it.
type disposition struct{ Outcome, Sentence, Date string }

// disposition returns the outcome, the sentence and the day, as far as they are known.
func (c Casing) disposition(d disposition) words.Text {
	return words.Join(", ", c.text(d.Outcome), c.term(d.Sentence), moments(d.Date))
}

// chargeDetail is a charge as a version row of a booking stores it.
type chargeDetail struct{ Description, Statute, Severity, BondAmount, BondText, Disposition string }

// charge returns what is known of a charge, its own words first.
func (c Casing) charge(d chargeDetail) words.Text {
	var bond words.Text
	if d.BondAmount != "" {
		bond = words.T("bond {1}", amount(d.BondAmount))
	}
	return words.Join(", ", c.text(d.Description), words.Plain(d.Statute), c.severity(d.Severity), bond, words.Plain(d.BondText), c.text(d.Disposition))
}

// Word returns an enumeration's word in small letters.
func Word[T ~string](w T) words.Text {
	return words.Word(strings.ReplaceAll(strings.ToLower(string(w)), "_", " "))
}
