package page

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"
)

// Home is where a reader is led when no other page was asked for.
const Home = "/"

// toSignIn leads to the sign-in page, which leads back to the page that was wanted, or to the
// page whose form was sent. It says so if there was a session before.
func (s *Pages) toSignIn(w http.ResponseWriter, r *http.Request) {
	to := url.Values{}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		to.Set("next", r.URL.RequestURI())
	} else if page, err := url.Parse(r.Referer()); err == nil && page.Host == r.Host && page.Path != "" {
		to.Set("next", Inside(r, page.RequestURI()))
	}
	if r.Method == http.MethodPost || s.Sessions.Signed(r) {
		to.Set("done", "ended")
	}
	address := "/sign-in"
	if len(to) > 0 {
		address += "?" + to.Encode()
	}
	http.Redirect(w, r, address, http.StatusSeeOther)
}

// Inside returns next if it is the address of a page of this site that GET opens, and Home
// otherwise. A link to us must not lead elsewhere (an open redirect), nor send a form, nor sign
// in. Browsers read a backslash as a slash, and //host as another site.
func Inside(r *http.Request, next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || !strings.HasPrefix(next, "/") ||
		strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") || strings.HasPrefix(u.Path, "//") {
		return Home
	}
	entrance := u.Path == "/sign-in" || strings.HasPrefix(u.Path, "/enter/")
	if entrance || !chi.RouteContext(r.Context()).Routes.Match(chi.NewRouteContext(), http.MethodGet, u.Path) {
		return Home
	}
	return next
}

// Before returns the query of the page of this site at path, if the reader came from it; false: from elsewhere, or the browser does not
// say. Referrer-Policy has browsers say it within this site. An address made of path and the query leads nowhere else.
func (v *Visit) Before(path string) (url.Values, bool) {
	from, err := url.Parse(v.R.Referer())
	if err != nil || from.Host != v.R.Host || from.Path != path {
		return nil, false
	}
	q, err := url.ParseQuery(from.RawQuery)
	q.Del("done") // a message that was shown once
	return q, err == nil
}
