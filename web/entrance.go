package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// Lives of the links that let somebody in. rollcall sends no mail: an owner passes the link on.
const (
	InvitationLife = 7 * 24 * time.Hour
	ResetLife      = 24 * time.Hour
)

// entrance routes the pages that anybody may open.
func (s *Site) entrance(r chi.Router) {
	r.Get("/", s.front)
	r.Get("/sign-in", s.Open(s.signInPage))
	r.Post("/sign-in", s.Open(s.signIn))
	r.Post("/sign-out", s.Open(s.signOut))
	r.Post("/theme", s.Open(s.Theme))
	r.Get("/invitation/{token}", s.Open(s.invitationPage))
	r.Post("/invitation/{token}", s.Open(s.acceptInvitation))
	r.Get("/reset/{token}", s.Open(s.resetPage))
	r.Post("/reset/{token}", s.Open(s.reset))
	r.Method(http.MethodGet, "/enter/{token}", s.Open(s.enter)) // HEAD signs nobody in
}

// homeOf returns where a visitor of an account begins: with what happened, if its plan has records.
func homeOf(a *models.Account) string {
	if a.Entitled() {
		return page.Home
	}
	return "/settings/keys"
}

// signInForm is what the sign-in page shows.
type signInForm struct {
	Email, Next string
	Passkeys    bool // this site has them
}

// signInPage shows the form, also to a reader who is signed in and asked for it (again=).
func (s *Site) signInPage(w http.ResponseWriter, r *http.Request) error {
	next := page.Inside(r, r.URL.Query().Get("next"))
	if again := r.URL.Query().Get("again") != ""; !again && s.Reader(r) != nil {
		return page.Redirect(w, r, next)
	}
	s.Show(w, r, nil, http.StatusOK, "signin", page.View{
		Title: "Sign in", About: "Who is in jail in Georgia, on what charge, with what bond.", Script: "signin", Body: signInForm{Next: next, Passkeys: s.Passkeys != nil}, Done: words.Fixed(done[r.URL.Query().Get("done")]),
	})
	return nil
}

// signIn checks address and password. A refusal is shown at the form, with 401 or 429, and never
// says which of the two is wrong.
func (s *Site) signIn(w http.ResponseWriter, r *http.Request) error {
	form := signInForm{Email: r.PostFormValue("email"), Next: page.Inside(r, r.PostFormValue("next")), Passkeys: s.Passkeys != nil}
	cookie, err := s.Sessions.SignIn(r, s.Proxies.Client(r), form.Email, r.PostFormValue("password"))
	switch code := models.CodeOf(err); {
	case err == nil:
		if err := s.arrive(w, r, cookie); err != nil {
			return err
		}
		s.Sessions.Devices.Remember(w, form.Email)
		return page.Redirect(w, r, form.Next)
	case code == models.CodeUnauthorized || code == models.CodeRateLimited:
		if code == models.CodeRateLimited {
			w.Header().Set("Retry-After", "60")
		}
		s.Show(w, r, nil, page.StatusOf(code), "signin", page.View{Title: "Sign in", Script: "signin", Body: form, Error: page.Sentence(page.Said(err))})
		return nil
	}
	return err
}

// signOut ends the session in the database, and then in the browser.
func (s *Site) signOut(w http.ResponseWriter, r *http.Request) error {
	cookie, err := s.Sessions.End(r)
	if err != nil {
		return err
	}
	http.SetCookie(w, cookie)
	return page.Redirect(w, r, "/sign-in?done=signed-out")
}

// passwordForm is what the pages that set a password show.
type passwordForm struct {
	Heading, Email, Account, Button string
	// Address of somebody else who is signed in in this browser; empty: nobody is.
	Other string
}

// invitationPage shows the form of an invitation. Opening it does not use it up, as mail
// programs open links too.
func (s *Site) invitationPage(w http.ResponseWriter, r *http.Request) error {
	l, err := s.Sessions.Link(r, models.Invitation, chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	return s.passwordPage(w, r, l, nil)
}

// resetPage shows the form of a link for a new password.
func (s *Site) resetPage(w http.ResponseWriter, r *http.Request) error {
	l, err := s.Sessions.Link(r, models.Reset, chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	return s.passwordPage(w, r, l, nil)
}

// passwordPage asks for a password; problem is why the last one was not taken.
func (s *Site) passwordPage(w http.ResponseWriter, r *http.Request, l *models.SignInLink, problem error) error {
	a, err := s.Store.Account(r.Context(), l.AccountID)
	if err != nil {
		return err
	}
	form := passwordForm{Heading: "Choose a new password", Email: l.Email, Account: a.Name, Button: "Set password"}
	if l.Kind == models.Invitation {
		form.Heading, form.Button = "Welcome to "+a.Name, "Join and sign in"
	}
	if here := s.Reader(r); here != nil && !strings.EqualFold(here.User.Email, l.Email) {
		form.Other = here.User.Email
	}
	v, status := page.View{Title: form.Heading, Body: form}, http.StatusOK
	if problem != nil {
		v.Failed(problem)
		v.Error, status = page.Sentence(v.Error), http.StatusUnprocessableEntity
		if models.CodeOf(problem) == models.CodeConflict {
			status = http.StatusConflict
		}
	}
	s.Show(w, r, nil, status, "password", v)
	return nil
}

// newPassword returns the hash of the password of a form, which holds it twice.
func (s *Site) newPassword(r *http.Request, email string) (string, error) {
	password := r.PostFormValue("password")
	if password != r.PostFormValue("again") {
		return "", models.Invalid("again", "the two passwords differ; type the same one twice")
	}
	return s.Sessions.Passwords.Hash(r.Context(), password, email)
}

// byLink does what the form of a link's password page asks: use receives the hash of the new
// password. A password that is refused shows the page once more.
func (s *Site) byLink(w http.ResponseWriter, r *http.Request, kind models.LinkKind, use func(l *models.SignInLink, sha []byte, hash string) error) error {
	token := chi.URLParam(r, "token")
	l, err := s.Sessions.Link(r, kind, token)
	if err != nil {
		return err
	}
	hash, err := s.newPassword(r, l.Email)
	switch {
	case models.CodeOf(err) == models.CodeInvalidParameter:
		return s.passwordPage(w, r, l, err)
	case err != nil:
		return err
	}
	return use(l, auth.HashToken(token), hash)
}

// acceptInvitation makes the user and signs in.
func (s *Site) acceptInvitation(w http.ResponseWriter, r *http.Request) error {
	return s.byLink(w, r, models.Invitation, func(l *models.SignInLink, sha []byte, hash string) error {
		u, err := s.Store.AcceptInvitation(r.Context(), sha, hash)
		switch {
		case models.CodeOf(err) == models.CodeConflict: // the address has an account by now
			return s.passwordPage(w, r, l, err)
		case err != nil:
			return err
		}
		return s.begin(w, r, u)
	})
}

// reset sets the password. It signs nobody in: the link may have been read by another person.
func (s *Site) reset(w http.ResponseWriter, r *http.Request) error {
	return s.byLink(w, r, models.Reset, func(_ *models.SignInLink, sha []byte, hash string) error {
		if _, err := s.Store.ResetPassword(r.Context(), sha, hash); err != nil {
			return err
		}
		return page.Redirect(w, r, "/sign-in?again=1&done=reset") // also where another person is signed in
	})
}

// enter signs in by a link alone. Only the demo makes such links, for its invented people.
func (s *Site) enter(w http.ResponseWriter, r *http.Request) error {
	l, err := s.Sessions.Link(r, models.Enter, chi.URLParam(r, "token"))
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
	s.Sessions.Devices.Remember(w, u.Email)
	a, err := s.Store.Account(r.Context(), u.AccountID)
	if err != nil {
		return err
	}
	return page.Redirect(w, r, homeOf(a))
}

// arrive sets the cookie of a browser's new session, and ends the session that it had.
func (s *Site) arrive(w http.ResponseWriter, r *http.Request, cookie *http.Cookie) error {
	if _, err := s.Sessions.End(r); err != nil {
		return err
	}
	http.SetCookie(w, cookie)
	return nil
}
