package rest

import (
	"bytes"
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

// sending is what is sent of an answer, in one coding. It can be kept.
type sending struct {
	bytes []byte
	// Coding of bytes.
	to coding
	// Strong entity tag of bytes.
	tag string
	// Whose freshness the headers tell; empty: of none.
	family models.Family
	// Slug of the county that the freshness is narrowed to; nil: all.
	county *string
	// How many records a case number has; more than one gets a header.
	matches int
}

// weight is about the bytes a sending takes in memory.
func (b *sending) weight() int { return len(b.bytes) + len(b.tag) }

// serve makes a handler of a function that fills in an answer, which shows records of some families.
func (h *api) serve(fill func(a *answer, r *http.Request) error, shows ...models.Family) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		to := negotiate(r.Header["Accept-Encoding"])
		if err := h.send(w, r, to, fill, shows); err != nil {
			h.reject(w, r, err)
		}
	}
}

// keptKey bounds the addresses whose answers are kept, in bytes.
const keptKey = 1 << 10

// send gives the answer that is kept, or makes one.
func (h *api) send(w http.ResponseWriter, r *http.Request, to coding, fill func(a *answer, r *http.Request) error, shows []models.Family) error {
	if len(shows) == 0 || len(r.URL.RawPath)+len(r.URL.Path)+len(r.URL.RawQuery) > keptKey {
		return h.make(w, r, to, fill, func(*sending) {})
	}
	key := string(to) + " " + r.URL.EscapedPath() + "?" + r.URL.RawQuery
	b, ok, at := h.kept.Find(key, shows...)
	if ok {
		return h.write(w, r, b)
	}
	return h.make(w, r, to, fill, func(b *sending) {
		own := *b
		own.bytes = bytes.Clone(b.bytes)
		h.kept.Keep(key, at, &own)
	})
}

// make fills in an answer and writes it; keep sees its body, whose bytes are used again afterwards.
func (h *api) make(w http.ResponseWriter, r *http.Request, to coding, fill func(a *answer, r *http.Request) error, keep func(*sending)) error {
	a, ok := h.answers.Get().(*answer)
	if !ok {
		a = &answer{}
	}
	*a = answer{encoder: encoder{b: a.b[:0]}, packed: a.packed[:0]}
	defer func() {
		if cap(a.b) <= keptAnswer {
			h.answers.Put(a)
		}
	}()
	if err := fill(a, r); err != nil {
		return err
	}
	a.b = append(a.b, '\n')
	b := &sending{bytes: a.b, to: to, family: a.family, county: a.county, matches: a.matches}
	if len(a.b) < minCompressed {
		b.to = identity
	}
	b.tag = etag(a.b, b.to)
	if b.to != identity {
		var err error
		if a.packed, err = h.compress.pack(a.packed, a.b, b.to); err != nil {
			return err
		}
		b.bytes = a.packed
	}
	keep(b)
	return h.write(w, r, b)
}

// write sends a body with its headers, or says that the caller has it.
func (h *api) write(w http.ResponseWriter, r *http.Request, b *sending) error {
	fresh, err := h.freshness(r.Context(), b)
	if err != nil {
		return err
	}
	head := w.Header()
	head.Set("ETag", b.tag)
	head.Set("Cache-Control", "private, no-cache")
	head.Add("Vary", "Authorization, Accept-Encoding")
	fresh.label(head)
	if b.matches > 1 {
		head.Set("X-Case-Matches", strconv.Itoa(b.matches))
	}
	if holds(r.Header["If-None-Match"], b.tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	head.Set("Content-Type", "application/json")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Content-Length", strconv.Itoa(len(b.bytes)))
	if b.to != identity {
		head.Set("Content-Encoding", string(b.to))
	}
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(b.bytes) //nolint:gosec // JSON by its Content-Type, which nosniff makes final
	}
	return nil
}

// hexDigits write an entity tag.
const hexDigits = "0123456789abcdef"

// etag is a strong entity tag: the body's hash and its coding.
func etag(body []byte, to coding) string {
	b := make([]byte, 0, 24)
	b = append(b, '"')
	sum := xxhash.Sum64(body)
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[sum>>shift&15])
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

// Freshness tells how current answers of a family can be; *store.Store does.
type Freshness interface {
	Freshness(ctx context.Context, f models.Family, county *string) (models.Freshness, error)
}

// freshLabel is the freshness of one answer.
type freshLabel models.Freshness

// freshness reads how current the records of an answer are. It is read for each response, also where the body is
// cached: it changes without the records.
func (h *api) freshness(ctx context.Context, b *sending) (freshLabel, error) {
	if b.family == "" {
		return freshLabel{}, nil
	}
	f, err := h.fresh.Freshness(ctx, b.family, b.county)
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
