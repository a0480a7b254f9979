package page

import (
	"net/http"

	"rollcall/models"
	"rollcall/web/words"
)

// ChooseLanguage keeps the language that a reader chose in a cookie, and leads back to the page.
func (s *Pages) ChooseLanguage(w http.ResponseWriter, r *http.Request) {
	l := words.ByCode(r.PostFormValue("lang"), s.languages)
	if l == nil {
		s.fail(w, r, s.Reader(r), models.Invalid("lang", "choose one of the languages that the page offers"))
		return
	}
	http.SetCookie(w, words.Choose(l, s.Sessions.Secure))
	http.Redirect(w, r, Inside(r, r.PostFormValue("next")), http.StatusSeeOther)
}
