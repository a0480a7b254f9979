package page

import (
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

// spoken returns how people say the name that a parameter has on the wire.
func spoken(name string) string {
	switch name {
	case "email":
		return "the e-mail"
	case "dob":
		return "the birth date"
	case "birth_year":
		return "the year of birth"
	case "age_on":
		return "the day of the age"
	case "from_date":
		return "“From”"
	case "to_date":
		return "“to”"
	case "booked_from":
		return "“Booked from”"
	case "booked_to":
		return "“Booked to”"
	case "released_from":
		return "“Released from”"
	case "released_to":
		return "“Released to”"
	case "bond_from":
		return "“Bond from”"
	case "bond_to":
		return "“Bond to”"
	case "age_from", "birth_year_from": // the search makes a year of birth of an age
		return "“Age from”"
	case "age_to", "birth_year_to":
		return "“Age to”"
	}
	return name
}

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
