package page

import (
	"errors"
	"net/http"
	"strings"

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
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}
