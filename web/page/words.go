package page

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"rollcall/models"
)

// Redirect sends the browser on after a form, with GET, so that reloading the page does not send
// the form again.
func Redirect(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, to, http.StatusSeeOther) // to is an address of this site; addresses from requests have passed Inside
	return nil
}

// names are how people say the names that parameters have on the wire. The search makes a year of birth of an age.
var names = map[string]string{
	"email": "the e-mail", "dob": "the birth date", "birth_year": "the year of birth", "age_on": "the day of the age",
	"from_date": "“From”", "to_date": "“to”", "booked_from": "“Booked from”", "booked_to": "“Booked to”",
	"released_from": "“Released from”", "released_to": "“Released to”", "bond_from": "“Bond from”", "bond_to": "“Bond to”",
	"age_from": "“Age from”", "age_to": "“Age to”", "birth_year_from": "“Age from”", "birth_year_to": "“Age to”",
}

// spoken returns how people say the name of a parameter.
func spoken(name string) string { return cmp.Or(names[name], name) }

// Said returns what a page says about an error. The names of parameters in it become words.
func Said(err error) string {
	if known, ok := errors.AsType[*models.Error](err); ok {
		return known.Say(spoken)
	}
	return err.Error()
}

// Sentence returns s with a capital and a full stop.
func Sentence(s string) string {
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(first)) + s[size:]
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}
