package page

import (
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"rollcall/models"
)

// themeCookie keeps the theme that a browser was asked for. It names nobody, so it stays when its reader signs out.
const themeCookie = "theme"

const themeLife = 365 * 24 * time.Hour

// themes are those that a reader may choose instead of the system's.
var themes = []string{"light", "dark"}

// themeOf returns the theme that the browser was asked for; empty: the system's.
func themeOf(r *http.Request) string {
	if c, err := r.Cookie(themeCookie); err == nil && slices.Contains(themes, c.Value) {
		return c.Value
	}
	return ""
}

// Theme notes the theme that a form asks for, and leads back to its page.
func (s *Pages) Theme(w http.ResponseWriter, r *http.Request) error {
	c := http.Cookie{ //nolint:gosec // Secure follows the address of the service: a demo on this machine has no https
		Name: themeCookie, Value: r.PostFormValue("theme"), Path: "/", MaxAge: int(themeLife / time.Second),
		HttpOnly: true, Secure: strings.HasPrefix(s.Root, "https://"), SameSite: http.SameSiteLaxMode,
	}
	switch {
	case c.Value == "system":
		c.Value, c.MaxAge = "", -1
	case !slices.Contains(themes, c.Value):
		return &models.Error{Code: models.CodeInvalidParameter, Message: "the theme must be system, light or dark"}
	}
	http.SetCookie(w, &c)
	return Redirect(w, r, Inside(r, r.PostFormValue("next")))
}

// iconOf returns a picture of static/icons.svg. The words beside it say what it means, so it is hidden from those who do not see it.
func iconOf(address, name string) template.HTML {
	return template.HTML(`<svg class="icon" aria-hidden="true"><use href="` + address + `#` + name + `"></use></svg>`) //nolint:gosec // both are ours
}
