package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/models"
)

// home leads each visitor to where the own account begins.
const home = "/"

// How long links let somebody in.
const (
	InvitationLife = 7 * 24 * time.Hour
	ResetLife      = 24 * time.Hour
)

func (s *Site) entrance(r chi.Router) {
	r.Get("/", s.open(s.front))
	r.Get("/sign-in", s.open(s.signInPage))
	r.Post("/sign-in", s.open(s.signIn))
	r.Post("/sign-out", s.open(s.signOut))
	r.Get("/invitation/{token}", s.open(s.invitationPage))
	r.Post("/invitation/{token}", s.open(s.acceptInvitation))
	r.Get("/reset/{token}", s.open(s.resetPage))
	r.Post("/reset/{token}", s.open(s.reset))
	r.Method(http.MethodGet, "/enter/{token}", s.open(s.enter)) // HEAD signs nobody in
}

func (s *Site) front(w http.ResponseWriter, r *http.Request) error {
	v, err := s.Sessions.Visitor(r)
	if err != nil {
		return redirect(w, r, "/sign-in")
	}
	return redirect(w, r, homeOf(v.Account))
}

// homeOf is where a visitor of an account begins: with records, where its plan has them.
func homeOf(a *models.Account) string {
	if a.Plan == models.Enterprise {
		return "/search"
	}
	return "/settings/keys"
}

// signInForm is what the sign-in page shows.
type signInForm struct {
	Email, Next string
	Passkeys    bool // this site has them
}

func (s *Site) signInPage(w http.ResponseWriter, r *http.Request) error {
	next := inside(r, r.URL.Query().Get("next"))
	if again := r.URL.Query().Get("again") != ""; !again && s.whoever(r) != nil {
		return redirect(w, r, next)
	}
	s.show(w, r, nil, http.StatusOK, "signin", view{
		Title: "Sign in", Script: "signin", Body: signInForm{Next: next, Passkeys: s.Passkeys != nil}, Done: done[r.URL.Query().Get("done")],
	})
	return nil
}

func (s *Site) signIn(w http.ResponseWriter, r *http.Request) error {
	form := signInForm{Email: r.PostFormValue("email"), Next: inside(r, r.PostFormValue("next")), Passkeys: s.Passkeys != nil}
	cookie, err := s.Sessions.SignIn(r.Context(), s.Proxies.Client(r), r.UserAgent(), form.Email, r.PostFormValue("password"))
	switch code := models.CodeOf(err); {
	case err == nil:
		if err := s.arrive(w, r, cookie); err != nil {
			return err
		}
		return redirect(w, r, form.Next)
	case code == models.CodeUnauthorized || code == models.CodeRateLimited:
		if code == models.CodeRateLimited {
			w.Header().Set("Retry-After", "60")
		}
		s.show(w, r, nil, statusOf(code), "signin", view{Title: "Sign in", Script: "signin", Body: form, Error: sentence(said(err))})
		return nil
	}
	return err
}

func (s *Site) signOut(w http.ResponseWriter, r *http.Request) error {
	cookie, err := s.Sessions.End(r)
	if err != nil {
		return err
	}
	http.SetCookie(w, cookie)
	return redirect(w, r, "/sign-in?done=signed-out")
}

// toSignIn leads to the sign-in page, which leads back to the page that was wanted or whose form was sent. It says so when
// there was a session before.
func (s *Site) toSignIn(w http.ResponseWriter, r *http.Request) {
	to := url.Values{}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		to.Set("next", r.URL.RequestURI())
	} else if page, err := url.Parse(r.Referer()); err == nil && page.Host == r.Host && page.Path != "" {
		to.Set("next", inside(r, page.RequestURI()))
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

// inside gives the address of a page of this site, or home: nobody is led elsewhere by a link to us, nor to what is not opened but
// sent, nor to what signs in. Browsers read a backslash as a slash, and //host as another site.
func inside(r *http.Request, next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || !strings.HasPrefix(next, "/") ||
		strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") || strings.HasPrefix(u.Path, "//") {
		return home
	}
	entrance := u.Path == "/sign-in" || strings.HasPrefix(u.Path, "/enter/")
	if entrance || !chi.RouteContext(r.Context()).Routes.Match(chi.NewRouteContext(), http.MethodGet, u.Path) {
		return home
	}
	return next
}

// passwordForm is what the pages that set a password show.
type passwordForm struct {
	Heading, Email, Account, Button string
	Other                           string // address of somebody else who is signed in in this browser; empty: nobody is
}

func (s *Site) invitationPage(w http.ResponseWriter, r *http.Request) error {
	l, err := s.Store.SignInLink(r.Context(), models.Invitation, auth.HashToken(chi.URLParam(r, "token")))
	if err != nil {
		return err
	}
	return s.passwordPage(w, r, l, nil)
}

func (s *Site) resetPage(w http.ResponseWriter, r *http.Request) error {
	l, err := s.Store.SignInLink(r.Context(), models.Reset, auth.HashToken(chi.URLParam(r, "token")))
	if err != nil {
		return err
	}
	return s.passwordPage(w, r, l, nil)
}

// passwordPage asks for a password; problem says why the last one was not taken.
func (s *Site) passwordPage(w http.ResponseWriter, r *http.Request, l *models.SignInLink, problem error) error {
	a, err := s.Store.Account(r.Context(), l.AccountID)
	if err != nil {
		return err
	}
	form := passwordForm{Heading: "Choose a new password", Email: l.Email, Account: a.Name, Button: "Set password"}
	if l.Kind == models.Invitation {
		form.Heading, form.Button = "Welcome to "+a.Name, "Join and sign in"
	}
	if here := s.whoever(r); here != nil && !strings.EqualFold(here.User.Email, l.Email) {
		form.Other = here.User.Email
	}
	v, status := view{Title: form.Heading, Body: form}, http.StatusOK
	if problem != nil {
		v.failed(problem)
		v.Error, status = sentence(v.Error), http.StatusUnprocessableEntity
		if models.CodeOf(problem) == models.CodeConflict {
			status = http.StatusConflict
		}
	}
	s.show(w, r, nil, status, "password", v)
	return nil
}

// newPassword hashes the password of a form that holds it twice.
func (s *Site) newPassword(r *http.Request, email string) (string, error) {
	password := r.PostFormValue("password")
	if password != r.PostFormValue("again") {
		return "", models.Invalid("again", "the two passwords differ; type the same one twice")
	}
	return s.Sessions.Passwords.Hash(r.Context(), password, email)
}

func (s *Site) acceptInvitation(w http.ResponseWriter, r *http.Request) error {
	sha := auth.HashToken(chi.URLParam(r, "token"))
	l, err := s.Store.SignInLink(r.Context(), models.Invitation, sha)
	if err != nil {
		return err
	}
	hash, err := s.newPassword(r, l.Email)
	if models.CodeOf(err) == models.CodeInvalidParameter {
		return s.passwordPage(w, r, l, err)
	}
	if err != nil {
		return err
	}
	u, err := s.Store.AcceptInvitation(r.Context(), sha, hash)
	if models.CodeOf(err) == models.CodeConflict {
		return s.passwordPage(w, r, l, err)
	}
	if err != nil {
		return err
	}
	return s.begin(w, r, u)
}

func (s *Site) reset(w http.ResponseWriter, r *http.Request) error {
	sha := auth.HashToken(chi.URLParam(r, "token"))
	l, err := s.Store.SignInLink(r.Context(), models.Reset, sha)
	if err != nil {
		return err
	}
	hash, err := s.newPassword(r, l.Email)
	if models.CodeOf(err) == models.CodeInvalidParameter {
		return s.passwordPage(w, r, l, err)
	}
	if err != nil {
		return err
	}
	if _, err := s.Store.ResetPassword(r.Context(), sha, hash); err != nil {
		return err
	}
	return redirect(w, r, "/sign-in?again=1&done=reset") // also where somebody else is signed in
}

// enter signs in by a link alone. Only the demo makes such links, to its invented people.
func (s *Site) enter(w http.ResponseWriter, r *http.Request) error {
	l, err := s.Store.SignInLink(r.Context(), models.Enter, auth.HashToken(chi.URLParam(r, "token")))
	if err != nil {
		return err
	}
	u, err := s.Store.User(r.Context(), l.AccountID, *l.UserID)
	if err != nil {
		return err
	}
	return s.begin(w, r, u)
}

// begin signs a user in and leads to the first page.
func (s *Site) begin(w http.ResponseWriter, r *http.Request, u *models.User) error {
	cookie, err := s.Sessions.Begin(r.Context(), u, r.UserAgent())
	if err == nil {
		err = s.arrive(w, r, cookie)
	}
	if err != nil {
		return err
	}
	a, err := s.Store.Account(r.Context(), u.AccountID)
	if err != nil {
		return err
	}
	return redirect(w, r, homeOf(a))
}

// arrive gives a browser the cookie of its new session, and ends the one that it had.
func (s *Site) arrive(w http.ResponseWriter, r *http.Request, cookie *http.Cookie) error {
	if _, err := s.Sessions.End(r); err != nil {
		return err
	}
	http.SetCookie(w, cookie)
	return nil
}
