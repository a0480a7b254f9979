package page

import (
	"errors"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"rollcall/auth"
	"rollcall/models"
	"rollcall/web/words"
)

// View is everything that a template may show. The layout reads it, and the page's own part
// reads Body.
type View struct {
	// Title is that of the window and the heading.
	Title string
	// Script is the page's module below static/, without .js; empty: none.
	Script string
	// Style is the style sheet of this page alone below static/, without .css; empty: none.
	Style string
	// Wide lets the page take the whole width also for readers who are not signed in.
	Wide bool
	// About says in a sentence what the page is, for search engines and for who passes its address on; empty: it is for nobody's
	// index, as all pages with records are.
	About string
	// Body is what the page's own template shows.
	Body any
	// Done says that something was done; empty: nothing was.
	Done words.Text
	// Error says why something was not done; empty: nothing went wrong.
	Error string
	// Field is the name of the field that Error is about; empty: of none, or of several.
	Field string
	// Status is the HTTP status of the answer that shows Error; 0 is 422.
	Status int
	// At is the address of the page, where the page answers a form that was sent to another
	// address.
	At string
	// Fresh means that parts of the page are read again while it stays open.
	Fresh bool
	// Linked means that the reader comes in by a link that works again, and may have no
	// password.
	Linked bool

	// Language is that of the page, and Languages are all that a reader may choose.
	Language  *words.Language
	Languages []*words.Language
	// Words is the address of the module with what modules say in it; empty: they have it.
	Words string
	// Root is the public address without a path.
	Root string
	// Nonce is new for each response; only scripts and styles that carry it run.
	Nonce string
	// Path and Query are those of the request.
	Path  string
	Query string
	// Address is that of the page, whole, for paper; empty: it shows nothing worth keeping.
	Address string
	// Theme is light or dark where the reader chose one; empty: the system's.
	Theme string
	// Made is when the page was made.
	Made time.Time
	// Token is sent by scripts of the page with each query (auth.Sessions.PageToken).
	Token string
	// Visitor is the reader; nil when nobody is signed in.
	Visitor *auth.Visitor
	// Unread is how many hits of the reader's account nobody has looked at, unreadShown+1 at most.
	Unread int
}

// unreadShown is the largest number of unread hits that the navigation shows. Counting stops behind it.
const unreadShown = 99

// UnreadHits returns the number beside the inbox in the navigation; empty where there is none.
func (v View) UnreadHits() string {
	switch {
	case v.Unread == 0:
		return ""
	case v.Unread > unreadShown:
		return strconv.Itoa(unreadShown) + "+"
	}
	return strconv.Itoa(v.Unread)
}

// Signed reports whether the reader is signed in.
func (v View) Signed() bool { return v.Visitor != nil }

// Again returns the address of the page itself, without the message that is shown once.
func (v View) Again() string {
	if v.At != "" {
		return v.At
	}
	asked, err := url.ParseQuery(v.Query)
	if err != nil {
		return v.Path
	}
	asked.Del("done")
	return (&url.URL{Path: v.Path, RawQuery: asked.Encode()}).String()
}

// Failed shows why something was not done. It marks the field at fault if the error names one.
func (v *View) Failed(why error) {
	v.Error = Said(why)
	if known, ok := errors.AsType[*models.Error](why); ok {
		v.Field = known.Field
	}
}

// Wrong returns the attributes of the field of that name. They announce a mistake to readers who
// do not see the page.
func (v View) Wrong(name string) template.HTMLAttr { return Wrong(v.Error != "" && v.Field == name) }

// Blame is Wrong for a field that a hint describes, whose id is hint ("": none does). The keyboard is led to the field at fault.
func (v View) Blame(name, hint string) template.HTMLAttr {
	wrong, described := v.Error != "" && v.Field == name, hint
	if wrong {
		described = strings.TrimSpace("problem " + hint)
	}
	var attributes []string
	if described != "" {
		attributes = append(attributes, `aria-describedby="`+described+`"`)
	}
	if wrong {
		attributes = append(attributes, `aria-invalid="true" autofocus`)
	}
	return template.HTMLAttr(strings.Join(attributes, " ")) //nolint:gosec // made of names of ours
}

// Wrong returns the attributes of a field that is at fault, and none for one that is not.
func Wrong(is bool) template.HTMLAttr {
	if !is {
		return ""
	}
	return `aria-invalid="true" aria-describedby="problem"`
}

// In reports whether the page lies in a part of the site, for the navigation.
func (v View) In(part string) bool { return v.Path == part || strings.HasPrefix(v.Path, part+"/") }

// Enterprise reports whether the reader's account has the API, records, alerts and webhooks
// (DECISIONS, "Keys, plans, limits, errors").
func (v View) Enterprise() bool {
	return v.Visitor != nil && v.Visitor.Account.Entitled()
}

// Suspended returns why the reader's account is suspended, as its operator wrote it; empty when it is not.
func (v View) Suspended() string {
	if v.Visitor == nil || v.Visitor.Account.SuspendedReason == nil {
		return ""
	}
	return *v.Visitor.Account.SuspendedReason
}

// Plan returns the name of the plan as people write it, and that the account is suspended.
func (v View) Plan() words.Text {
	name := string(v.Visitor.Account.Plan)
	name = strings.ToUpper(name[:1]) + name[1:]
	if v.Visitor.Account.SuspendedAt != nil {
		return words.T("{1} (suspended)", name)
	}
	return words.Plain(name)
}

// Owner reports whether the reader may change who belongs to the account.
func (v View) Owner() bool { return v.Visitor != nil && v.Visitor.User.Role == models.Owner }

// Operator reports whether the reader looks after the sources.
func (v View) Operator() bool { return v.Visitor != nil && v.Visitor.User.Operator }
