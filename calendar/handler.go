package calendar

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/models/store"
)

// Pattern is where Handler belongs in the router.
const Pattern = "/feeds/{token}/hearings.ics"

// Gate counts requests against the limit of an account and slows guesses; *auth.Guard does. Spend returns false
// after it has answered 429.
type Gate interface {
	Spend(w http.ResponseWriter, r *http.Request, account *models.Account) bool
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
	if !h.Gate.Spend(w, r, account) {
		return
	}
	if err := h.answer(w, r, c); err != nil {
		h.Reject(w, r, err)
	}
}

// find returns the case of a token and the account that subscribed. A subscription of an account without an
// Enterprise plan opens nothing.
func (h *Handler) find(ctx context.Context, token string) (*models.CourtCase, *models.Account, error) {
	if !wellFormed(token) {
		return nil, nil, models.NotFound("calendar not found")
	}
	return h.Store.CaseOfSubscription(ctx, hashOf(token))
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
	body := Write(c, events)
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	head := w.Header()
	head.Set("ETag", tag)
	head.Set("Cache-Control", "private, no-cache")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("X-Robots-Tag", "noindex")
	if fresh.AsOf != nil {
		head.Set("X-Data-As-Of", fresh.AsOf.UTC().Format(time.RFC3339))
	}
	if len(fresh.Stale) > 0 {
		head.Set("X-Data-Stale", strings.Join(fresh.Stale, ","))
	}
	// A weak form of the tag contains the strong one, and both mean the same bytes here.
	if match := r.Header.Get("If-None-Match"); match == "*" || strings.Contains(match, tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	head.Set("Content-Type", "text/calendar; charset=utf-8")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
	return nil
}
