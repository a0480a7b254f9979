package atom

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"rollcall/internal/pathtoken"
	"rollcall/internal/server"
	"rollcall/models"
	"rollcall/models/account"
	"rollcall/models/alert"
	"rollcall/models/store"
)

// File is the last part of a feed's address (pathtoken.Address); Pattern is where Handler belongs in the router.
const (
	File    = "events.atom"
	Pattern = "/feeds/{token}/" + File
)

// most bounds the entries of a page. Readers keep what they have seen, and follow the link to older ones (RFC 5005, 3).
const most = 100

// Gate counts requests against the limit of an account, answers a few of it at once, and slows guesses; *auth.Guard does.
// Spend returns false after it has answered 429 or 503.
type Gate interface {
	Spend(w http.ResponseWriter, r *http.Request, account *models.Account) (leave func(), ok bool)
	Slow(w http.ResponseWriter, r *http.Request)
}

// Handler answers GET and HEAD of Pattern. All fields are needed. It is safe for concurrent use.
type Handler struct {
	// Store finds what a token opens, and reads the events.
	Store *store.Store
	// Gate is the same that guards the APIs, so feeds count in the account's limit.
	Gate Gate
	// Root is the public address of the service, for links.
	Root string
	// Reject answers errors. Every token that opens nothing is 404, so that nobody learns whether it ever did.
	Reject func(w http.ResponseWriter, r *http.Request, err error)
}

// ServeHTTP answers with the events of the account whose token it is. They are read from the database each time,
// and nobody may store them: what is withheld a moment later must not stay in a cache. A token that opens nothing
// is answered slowly, against guessing.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token := chi.URLParam(r, "token")
	var feed *account.AtomSubscription
	var account *models.Account
	var err error = models.NotFound("subscription not found")
	if pathtoken.WellFormed(token) {
		feed, account, err = h.Store.AtomSubscriptionOfToken(r.Context(), pathtoken.Hash(token))
	}
	if models.CodeOf(err) == models.CodeNotFound {
		h.Gate.Slow(w, r)
	}
	if err != nil {
		h.Reject(w, r, err)
		return
	}
	leave, ok := h.Gate.Spend(w, r, account)
	if !ok {
		return
	}
	defer leave()
	before := r.URL.Query().Get("before")
	events, err := h.Store.AtomEvents(r.Context(), account.ID, before, most)
	var notices []*alert.AtomNotice
	if err == nil && before == "" { // those about sources are of the present, and stand on the first page
		notices, err = h.Store.AtomNotices(r.Context(), account.ID, most)
	}
	var body []byte
	if err == nil {
		body, err = Write(feed, h.Root, events, notices)
	}
	if err != nil {
		h.Reject(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "private, no-store")
	server.Tagged(w, r, ContentType, body)
}
