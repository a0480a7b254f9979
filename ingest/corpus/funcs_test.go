package corpus_test

import (
	"encoding/json"
	"fmt"
	"html"
	"strconv"
	"strings"
	"text/template"
	"time"
)

// funcs is what templates write values with.
var funcs = template.FuncMap{
	// time writes an instant by a layout, and nothing for one that is not stated.
	"time": func(layout string, at time.Time) string {
		if at.Year() < 1900 {
			return ""
		}
		return at.Format(layout)
	},
	// instead writes a text, or another one where it is empty.
	"instead": func(instead, text string) string {
		if text == "" {
			return instead
		}
		return text
	},
	// dollars writes an amount as $1,500.00, and what is no amount as the shape does.
	"dollars": func(none, unset string, amount int) string {
		switch {
		case amount > 999:
			return fmt.Sprintf("$%d,%03d.00", amount/1000, amount%1000)
		case amount > 0:
			return fmt.Sprintf("$%d.00", amount)
		case amount == 0:
			return none
		default:
			return unset
		}
	},
	"json": func(v any) (string, error) {
		text, err := json.Marshal(v)
		return string(text), err
	},
	"escape":  html.EscapeString,
	"csv":     func(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` },
	"pad":     func(width int, text string) string { return fmt.Sprintf("%-*.*s", width, width, text) },
	"replace": func(old, with, text string) string { return strings.ReplaceAll(text, old, with) },
	"title": func(text string) string {
		words := strings.Fields(strings.ToLower(text))
		for i, w := range words {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
		return strings.Join(words, " ")
	},
	"join": func(sep string, list []string) string { return strings.Join(list, sep) },
	"add":  func(a, b int) int { return a + b },
	"mod":  func(a, b int) int { return a % b },
	"last": func(i int, list []person) bool { return i == len(list)-1 },
	"age": func(p person, at time.Time) int {
		if p.Born.IsZero() {
			return 0
		}
		years := at.Year() - p.Born.Year()
		if at.YearDay() < p.Born.YearDay() {
			years--
		}
		return years
	},
	// id is the department's number of an offender.
	"id": func(p person) string {
		if p.Number == "" {
			return ""
		}
		return p.Number[len(p.Number)-8:]
	},
	// dob is a birth date of the department's file, of which some have the year alone.
	"dob": func(p person) string {
		switch {
		case p.Born.IsZero():
			return ""
		case p.N%4 == 1:
			return p.Born.Format("2006") + "0000"
		default:
			return p.Born.Format("20060102")
		}
	},
	// details is what JailTracker writes as a text of JSON.
	"details": func(p person, at time.Time) (string, error) {
		type offense struct {
			Description string `json:"description"`
			Statute     string `json:"statute"`
			Type        string `json:"type"`
			BondAmount  any    `json:"bondAmount"`
			BondType    string `json:"bondType"`
			CaseStatus  string `json:"caseStatus"`
		}
		d := struct {
			BirthDate string    `json:"birthDate"`
			Age       int       `json:"age,omitempty"`
			TotalBond string    `json:"totalBond"`
			Charges   []offense `json:"charges"`
		}{Charges: []offense{}}
		switch {
		case p.Born.IsZero():
			d.BirthDate = "/"
		case p.N%5 == 1:
			d.BirthDate = p.Born.Format("XX/XX/2006")
		default:
			d.BirthDate, d.Age = p.Born.Format("1/2/2006"), at.Year()-p.Born.Year()
		}
		if p.Bond > 0 {
			d.TotalBond = fmt.Sprintf("$%d.00", p.Bond)
		}
		for _, c := range p.Charges {
			o := offense{Description: c.Text, Statute: c.Statute, Type: c.Grade, BondType: "Surety", CaseStatus: "Open"}
			switch {
			case c.Bond == 0:
				o.BondType = "NO BOND"
			case c.Bond > 0 && p.N%2 == 0:
				o.BondAmount = c.Bond
			case c.Bond > 0:
				o.BondAmount = strconv.Itoa(c.Bond)
			}
			d.Charges = append(d.Charges, o)
		}
		text, err := json.Marshal(d)
		return string(text), err
	},
	// comma writes LAST, FIRST MIDDLE SUFFIX.
	"comma": func(p person) string {
		return strings.TrimSpace(p.Last + ", " + strings.Join(strings.Fields(p.First+" "+p.Middle+" "+p.Suffix), " "))
	},
}
