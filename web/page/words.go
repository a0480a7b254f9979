package page

import (
	"errors"
	"net/http"
	"strings"

	"rollcall/models"
)

// Redirect sends the browser on after a form, with GET.
func Redirect(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, to, http.StatusSeeOther) // to is an address of this site: what comes from outside went through Inside
	return nil
}

// spoken returns a parameter's name on the wire as people say it.
func spoken(name string) string {
	switch name {
	case "email":
		return "the e-mail"
	case "birth_year":
		return "the year of birth"
	}
	return name
}

// Said returns what a page says of an error.
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
