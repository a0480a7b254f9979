package page

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/models"
)

// MaxForm bounds the body of a form, in bytes.
const MaxForm = 64 << 10

// WithHead is a router that answers HEAD wherever it answers GET, as HTTP asks.
type WithHead struct{ chi.Router }

// Get routes both methods. A page that changes something by being opened is routed with Method
// instead.
func (r WithHead) Get(pattern string, h http.HandlerFunc) {
	r.Router.Get(pattern, h)
	r.Head(pattern, h)
}

// Guard refuses what a page of another site sends, and bounds bodies to MaxForm bytes. Sessions
// are cookies, which browsers attach to requests of any site: without Guard a foreign page could
// change the reader's settings.
func (s *Pages) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.cross.Check(r) != nil {
			s.fail(w, r, s.Reader(r), &models.Error{Code: models.CodeForbidden, Message: "this form was submitted from another site; open the page here and try again"})
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, MaxForm)
		next.ServeHTTP(w, r)
	})
}

// Form refuses what no page of ours sends: other content types, and bytes that the database
// cannot store as text.
func (s *Pages) Form(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := readForm(r); err != nil {
			s.fail(w, r, s.Reader(r), err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// formType is the content type of our forms.
const formType = "application/x-www-form-urlencoded"

// readForm parses the query and body. A body of another type is refused, since it would be read
// as an empty form, and an empty form may mean "nothing is ticked".
func readForm(r *http.Request) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.ContentLength != 0 && (err != nil || kind != formType) {
		return &models.Error{
			Code:    models.CodeUnsupportedMedia,
			Message: "this form must be sent as " + formType + "; nothing was done",
		}
	}
	var big *http.MaxBytesError
	switch err := r.ParseForm(); {
	case errors.As(err, &big):
		return &models.Error{
			Code:    models.CodePayloadTooLarge,
			Message: fmt.Sprintf("the form is larger than %d KB; go back and shorten it. Nothing was done", big.Limit>>10),
		}
	case err != nil:
		return &models.Error{Code: models.CodeInvalidRequest, Message: "the form cannot be read; go back and try again"}
	case !isText(r.URL.Path):
		return ErrNoPage
	}
	for _, values := range r.Form {
		if !isText(values...) {
			return &models.Error{Code: models.CodeInvalidRequest, Message: "the form contains characters that are not text; go back and enter it again"}
		}
	}
	return nil
}

// isText reports whether PostgreSQL can store all of these as text: valid UTF-8 without NUL.
func isText(values ...string) bool {
	for _, v := range values {
		if !utf8.ValidString(v) || strings.ContainsRune(v, 0) {
			return false
		}
	}
	return true
}

// Reader returns the reader of a page that anybody may see. It is nil when nobody is signed in,
// or when that cannot be read now.
func (s *Pages) Reader(r *http.Request) *auth.Visitor {
	v, err := s.Sessions.Visitor(r)
	if err != nil {
		return nil
	}
	return v
}

// Open returns the handler of a page that anybody may see.
func (s *Pages) Open(h func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.fail(w, r, nil, err)
		}
	}
}

// Visit is a request of a person who is signed in.
type Visit struct {
	*auth.Visitor
	// W receives the answer. For a form with a token it is a buffer, as the answer is stored too.
	W http.ResponseWriter
	R *http.Request
}

// Param returns a part of the page's address, by its name in the route.
func (v *Visit) Param(name string) string { return chi.URLParam(v.R, name) }

// SignedIn returns the handler of a page for signed-in readers; others are led to the sign-in
// page, and back afterwards. A form names the reader for whom its page was made. It is refused
// if another person has signed in in the same browser since.
func (s *Pages) SignedIn(h func(*Visit) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := s.Sessions.Visitor(r)
		if models.CodeOf(err) == models.CodeUnauthorized {
			s.toSignIn(w, r)
			return
		}
		if err == nil {
			err = s.Sessions.Admit(r.Context(), v)
		}
		if err == nil && r.Method == http.MethodPost {
			err = v.Meant(r.PostFormValue("reader"))
		}
		if err == nil {
			err = s.once(&Visit{Visitor: v, W: w, R: r}, h) //nolint:contextcheck // it takes that of the request
		}
		if err != nil {
			s.fail(w, r, v, err)
		}
	}
}

// Owner is SignedIn for readers who may change who belongs to the account; others get 403.
func (s *Pages) Owner(h func(*Visit) error) http.HandlerFunc {
	return s.SignedIn(func(v *Visit) error {
		if v.User.Role != models.Owner {
			return &models.Error{Code: models.CodeForbidden, Message: "only an owner of the account may do this"}
		}
		return h(v)
	})
}

// Entitled is SignedIn for accounts whose plan has records, alerts and webhooks (DECISIONS.md,
// "Keys, plans, limits, errors"). Others see what the plan would give them, with 403.
func (s *Pages) Entitled(title string, h func(*Visit) error) http.HandlerFunc {
	return s.SignedIn(func(v *Visit) error {
		if !v.Account.Entitled() {
			s.WithoutPlan(v, title)
			return nil
		}
		return h(v)
	})
}

// WithoutPlan shows what the plan would give, with 403.
func (s *Pages) WithoutPlan(v *Visit, title string) {
	s.Show(v.W, v.R, v.Visitor, http.StatusForbidden, "plan", View{Title: title})
}

// Trail adds a line to the trail of the visitor's account.
func (s *Pages) Trail(v *Visit, action, subject string) error {
	return s.Store.RecordEvent(v.R.Context(), models.AccountEvent{
		AccountID: v.Account.ID, Actor: v.User.Email, Action: action, Subject: subject,
	})
}

// Operator is SignedIn for those who look after the sources. Others see what they see of a page
// that does not exist.
func (s *Pages) Operator(h func(*Visit) error) http.HandlerFunc {
	return s.SignedIn(func(v *Visit) error {
		if !v.User.Operator {
			return ErrNoPage
		}
		return h(v)
	})
}
