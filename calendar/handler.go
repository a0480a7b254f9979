package calendar

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/internal/pathtoken"
	"rollcall/internal/server"
	"rollcall/models"
	"rollcall/models/store"
)

// Pattern is where Handler belongs in the router.
const Pattern = "/feeds/{token}/" + File

// File is the last part of a calendar's address (pathtoken.Address).
const File = "hearings.ics"

// Gate counts requests against the limit of an account, answers a few of it at once, and slows guesses; *auth.Guard does.
// Spend returns false after it has answered 429 or 503.
type Gate interface {
	Spend(w http.ResponseWriter, r *http.Request, account *models.Account) (leave func(), ok bool)
	Slow(w http.ResponseWriter, r *http.Request)
}

// Handler answers GET and HEAD of Pattern. All fields are needed. It is safe for concurrent use.
type Handler struct {
	// Store finds what a token opens, and reads the hearings.
	Store *store.Store
	// Gate is the same that guards the APIs, so calendars count in the account's limit.
	Gate Gate
	// Reject answers errors. Every token that opens nothing is 404, so that nobody learns whether it ever did.
	Reject func(w http.ResponseWriter, r *http.Request, err error)
}

// ServeHTTP answers with the calendar that the token opens. It is read from the database each time: a case that
// is withheld is gone with the next request. A token that opens nothing is answered slowly, against guessing.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, account, err := h.find(r.Context(), chi.URLParam(r, "token"))
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
	if err := h.answer(w, r, c); err != nil {
		h.Reject(w, r, err)
	}
}

// find returns the case of a token and the account that subscribed. A subscription of an account without an
// Enterprise plan opens nothing.
func (h *Handler) find(ctx context.Context, token string) (*models.CourtCase, *models.Account, error) {
	if !pathtoken.WellFormed(token) {
		return nil, nil, models.NotFound("calendar not found")
	}
	return h.Store.CaseOfSubscription(ctx, pathtoken.Hash(token))
}

// answer writes the calendar with its freshness. The response has an ETag of its content, since calendar
// programs ask every hour and the hearings rarely change.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, c *models.CourtCase) error {
	events, err := h.Store.CalendarOf(r.Context(), c)
	if err != nil {
		return err
	}
	fresh, err := h.Store.Freshness(r.Context(), models.Courts, &c.County.Slug)
	if err != nil {
		return err
	}
	head := w.Header()
	if fresh.AsOf != nil {
		head.Set("X-Data-As-Of", fresh.AsOf.UTC().Format(time.RFC3339))
	}
	if len(fresh.Stale) > 0 {
		head.Set("X-Data-Stale", strings.Join(fresh.Stale, ","))
	}
	head.Set("Cache-Control", "private, no-cache")
	server.Tagged(w, r, "text/calendar; charset=utf-8", Write(c, events))
	return nil
}
