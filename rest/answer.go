package rest

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"rollcall/models"
)

// answer is a body in the making and what its headers say. Answers are used again.
type answer struct {
	encoder
	packed  []byte
	family  models.Family // whose freshness labels it; none when empty
	county  *string       // slug, narrows the freshness
	matches int           // cases that share the number asked for
}

// keptAnswer bounds the buffers that are kept for the next answer, in bytes.
const keptAnswer = 1 << 20

// serve makes a handler of a function that fills in an answer.
func (h *api) serve(fill func(a *answer, r *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, ok := h.answers.Get().(*answer)
		if !ok {
			a = &answer{}
		}
		*a = answer{encoder: encoder{b: a.b[:0]}, packed: a.packed[:0]}
		if err := h.answer(w, r, a, fill); err != nil {
			h.reject(w, r, err)
		}
		if cap(a.b) <= keptAnswer {
			h.answers.Put(a)
		}
	}
}

func (h *api) answer(w http.ResponseWriter, r *http.Request, a *answer, fill func(a *answer, r *http.Request) error) error {
	if err := fill(a, r); err != nil {
		return err
	}
	a.b = append(a.b, '\n')
	fresh, err := h.freshness(r.Context(), a)
	if err != nil {
		return err
	}
	to := identity
	if len(a.b) >= minCompressed {
		to = negotiate(r.Header["Accept-Encoding"])
	}
	tag := etag(a.b, to)
	unchanged := holds(r.Header["If-None-Match"], tag)
	body := a.b
	if to != identity && !unchanged {
		if a.packed, err = h.compress.pack(a.packed, a.b, to); err != nil {
			return err
		}
		body = a.packed
	}
	head := w.Header()
	head.Set("ETag", tag)
	head.Set("Cache-Control", "private, no-cache")
	head.Add("Vary", "Authorization, Accept-Encoding")
	fresh.label(head)
	if a.matches > 1 {
		head.Set("X-Case-Matches", strconv.Itoa(a.matches))
	}
	if unchanged {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	head.Set("Content-Type", "application/json")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Content-Length", strconv.Itoa(len(body)))
	if to != identity {
		head.Set("Content-Encoding", string(to))
	}
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(body)
	}
	return nil
}

// etag is a strong entity tag: the body's hash and its coding.
func etag(body []byte, to coding) string {
	b := make([]byte, 0, 24)
	b = append(b, '"')
	sum := xxhash.Sum64(body)
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, hex[sum>>shift&15])
	}
	if to != identity {
		b = append(append(b, '-'), to...)
	}
	return string(append(b, '"'))
}

// holds says whether an If-None-Match names tag. Our tags hold no quote inside, so looking for
// the quoted text finds exactly its entry, weak or strong (RFC 9110, section 13.1.2).
func holds(ifNoneMatch []string, tag string) bool {
	for _, line := range ifNoneMatch {
		if strings.TrimSpace(line) == "*" || strings.Contains(line, tag) {
			return true
		}
	}
	return false
}

// Freshness tells how current answers of a family can be; *models.Store does.
type Freshness interface {
	Freshness(ctx context.Context, f models.Family, county *string) (models.Freshness, error)
}

// freshLabel is the freshness of one answer.
type freshLabel models.Freshness

func (h *api) freshness(ctx context.Context, a *answer) (freshLabel, error) {
	if a.family == "" {
		return freshLabel{}, nil
	}
	f, err := h.fresh.Freshness(ctx, a.family, a.county)
	return freshLabel(f), err
}

// label sets X-Data-As-Of, the oldest last success among the sources that feed the answer, and
// X-Data-Stale, the counties whose source is not on schedule ("*": a statewide source).
func (f freshLabel) label(head http.Header) {
	if f.AsOf != nil {
		head.Set("X-Data-As-Of", f.AsOf.UTC().Format(time.RFC3339))
	}
	if len(f.Stale) > 0 {
		head.Set("X-Data-Stale", strings.Join(f.Stale, ","))
	}
}
