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

// Gate counts requests and slows guesses; *auth.Guard does.
type Gate interface {
	Spend(w http.ResponseWriter, r *http.Request, account *models.Account) bool
	Slow(w http.ResponseWriter, r *http.Request)
}

// Handler answers GET and HEAD of Pattern. All fields are needed.
type Handler struct {
	Store  *store.Store
	Gate   Gate
	Reject func(w http.ResponseWriter, r *http.Request, err error) // answers errors, 404 for every token that opens nothing
}

// ServeHTTP gives the calendar that the token opens, read from the database each time: a case that is
// sealed is gone with the next look.
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

func (h *Handler) find(ctx context.Context, token string) (*models.CourtCase, *models.Account, error) {
	if !wellFormed(token) {
		return nil, nil, models.NotFound("calendar not found")
	}
	return h.Store.CaseOfFeed(ctx, hashOf(token))
}

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
