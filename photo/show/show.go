// Package show sends the photographs of published bookings: to callers of /v1, and by addresses that work for five minutes
// without a key, for pages and GraphQL. Each request asks the database first whether the photograph may be shown, so nothing is
// sent of a booking that was withheld a second ago, whatever address led here.
package show

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"rollcall/internal/signedlink"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/photo/vault"
)

// For is how long a signed address works.
const For = 5 * time.Minute

// loseWithin is how long a request waits for a lost photograph to be forgotten.
const loseWithin = 5 * time.Second

// Pattern is where signed addresses lead, as chi routes it.
const Pattern = "/photographs/{token}"

// errGone is for every photograph that is not there for a caller, whatever the reason.
var errGone = models.NotFound("this booking has no photograph")

// Server sends photographs. It is safe for concurrent use.
type Server struct {
	Store *store.Store
	// Vault returns the place of the pictures. Its error is one of that place, such as a bucket that does not answer.
	Vault func(ctx context.Context) (*vault.Vault, error)
	Links *signedlink.Links
	Now   func() time.Time
	// Log takes why the place of pictures does not answer; no personal data.
	Log *slog.Logger
	// Reject answers errors.
	Reject func(w http.ResponseWriter, r *http.Request, err error)
}

// Address returns an address at which the photograph of a booking can be fetched without a key until an instant. The booking is
// named by its public id.
func (s *Server) Address(id string, size vault.Size) (address string, until time.Time) {
	until = s.Now().Add(For).Truncate(time.Second)
	return s.Links.URL(signedlink.Photograph, signedlink.Target{ID: id, Address: string(size), Until: until.Unix()}), until
}

// ServeHTTP answers a signed address, with the token at its end. One that is over, and one of a booking that shows none any
// more, is 404.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	target, err := s.Links.Open(signedlink.Photograph, token, s.Now())
	var b *models.Booking
	if err == nil {
		b, err = s.Store.BookingByID(r.Context(), target.ID)
	}
	if err == nil {
		err = s.Send(w, r, b.RID, vault.Size(target.Address))
	}
	if err != nil {
		s.Reject(w, r, err)
	}
}

// Send answers with the photograph of a booking, by its key. The error is CodeNotFound for one that shows none, and
// CodeUnavailable where the place of pictures does not answer; nothing was sent then.
func (s *Server) Send(w http.ResponseWriter, r *http.Request, rid int64, size vault.Size) error {
	p, err := s.Store.PhotographOf(r.Context(), rid)
	if err != nil {
		return err
	}
	v, err := s.Vault(r.Context())
	if err != nil {
		return s.unavailable(r, err)
	}
	body, length, err := v.Get(r.Context(), p.Hash, size)
	if errors.Is(err, vault.ErrNotFound) {
		return s.lost(r.Context(), p.Hash)
	}
	if err != nil {
		return s.unavailable(r, err)
	}
	defer func() { _ = body.Close() }()
	h := w.Header()
	h.Set("Content-Type", "image/jpeg")
	h.Set("Content-Length", strconv.FormatInt(length, 10))
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Disposition", "inline")
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, body) // the caller went, or sees a body that is too short
	}
	return nil
}

// lost forgets a picture that its place does not have, so that no record names it any more, and returns the error for the caller.
// One that was taken away since the database was asked is not reported. While a run holds the records, the next request forgets it.
func (s *Server) lost(ctx context.Context, hash string) error {
	short, cancel := context.WithTimeout(ctx, loseWithin)
	defer cancel()
	had, err := s.Store.LosePicture(short, hash)
	switch {
	case err != nil:
		s.Log.WarnContext(ctx, "a kept photograph is missing from its place, and is not forgotten yet", "hash", hash, "error", err)
	case had:
		s.Log.WarnContext(ctx, "a kept photograph is missing from its place; it is asked for again", "hash", hash)
	}
	return errGone
}

// unavailable logs why a place does not answer, and returns the error for the caller.
func (s *Server) unavailable(r *http.Request, err error) error {
	s.Log.ErrorContext(r.Context(), "photograph not read", "error", err)
	return &models.Error{Code: models.CodeUnavailable, Message: "photographs cannot be read at the moment; try again later"}
}
