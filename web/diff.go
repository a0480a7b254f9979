package web

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
)

// diffShown is how many people of each kind the page names; their totals are whole.
const diffShown = 200

// people is one kind of people whom a snapshot would touch: the first of them, and how many there are.
type people struct {
	What string
	All  int
	List []models.Gone
}

func peopleOf(what string, all int, list []models.Gone) people {
	return people{What: what, All: max(all, len(list)), List: list[:min(len(list), diffShown)]}
}

// factNames are what the pages call facts; others go by their name in GraphQL.
var factNames = map[string]string{
	"name": "Name", "defendant": "Defendant", "dob": "Birth date", "birthYear": "Year of birth", "bookingDate": "Booked", "releaseDate": "Released", "releaseInferred": "Release inferred",
	"charges": "Charges", "bondAmount": "Bond", "offense": "Offense", "filedDate": "Filed", "status": "Status", "judge": "Judge", "hearingLink": "Virtual hearing", "hearings": "Hearing",
	"dispositions": "Disposition", "category": "Category", "categories": "Categories", "institution": "Institution", "sentence": "Sentence", "releaseDateProjected": "Release is a projection", "paroleEndDate": "Parole ends",
}

// factName is what the pages call a fact.
func factName(field string) string {
	if name, ok := factNames[field]; ok {
		return name
	}
	return field
}

// factValue is a fact in the writing of GraphQL as people read it.
func factValue(field string, text *string) string {
	if text == nil {
		if field == "bondAmount" {
			return "none set"
		}
		return "nothing"
	}
	t := *text
	if at, err := time.Parse(time.RFC3339, t); err == nil {
		return when(at)
	}
	if day, err := time.Parse(time.DateOnly, t); err == nil {
		return day.Format("Jan 2, 2006")
	}
	switch {
	case field == "bondAmount":
		return money(t)
	case t == "true":
		return "yes"
	case t == "false":
		return "no"
	case strings.HasPrefix(t, "["):
		return listed(t)
	case field == "status" || field == "category":
		return strings.ReplaceAll(strings.ToLower(t), "_", " ")
	}
	return t
}

// money is an amount of dollars, such as 6600.00, with separators and without empty cents.
func money(text string) string {
	whole, cents, _ := strings.Cut(text, ".")
	n, err := strconv.Atoi(whole)
	if err != nil {
		return text
	}
	if cents == "00" || cents == "" {
		return "$" + count(n)
	}
	return "$" + count(n) + "." + cents
}

// listed is a JSON list in one line: texts, or dispositions by outcome, sentence and day.
func listed(text string) string {
	var items []json.RawMessage
	if json.Unmarshal([]byte(text), &items) != nil {
		return text
	}
	if len(items) == 0 {
		return "none"
	}
	out := make([]string, len(items))
	for i, item := range items {
		var d struct{ Outcome, Sentence, Date string }
		switch {
		case json.Unmarshal(item, &out[i]) == nil:
		case json.Unmarshal(item, &d) == nil:
			if day, err := time.Parse(time.DateOnly, d.Date); err == nil {
				d.Date = day.Format("Jan 2, 2006")
			}
			out[i] = strings.Join(strings.FieldsFunc(strings.Join([]string{d.Outcome, d.Sentence, d.Date}, "\x00"), func(r rune) bool { return r == 0 }), ", ")
		default:
			out[i] = string(item)
		}
	}
	return strings.Join(out, "; ")
}
