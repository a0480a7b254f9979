package rest

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"rollcall/internal/coding"
	"rollcall/models"
)

// answer is a body being written and what its headers will say. Its buffers are used again by
// later requests, so nothing may hold on to them.
type answer struct {
	encoder
	// Compressed body.
	packed []byte
	// Family whose freshness the headers state; empty: none.
	family models.Family
	// Slug that narrows the freshness; nil: all counties.
	county *string
	// How many cases share the number that was asked for.
	matches int
	// Header Link of a list; empty: none.
	links string
}

// keptAnswer bounds the buffers that go back to the pool, in bytes: one large page must not
// occupy memory for good.
const keptAnswer = 1 << 20

// sending is a response in one coding, ready to be sent. It may be cached; then nobody writes to
// it.
type sending struct {
	// Body in the coding to.
	bytes []byte
	// Coding of bytes.
	to coding.Coding
	// Strong entity tag of bytes.
	tag string
	// Family whose freshness the headers state; empty: none.
	family models.Family
	// Slug of the county that the freshness is narrowed to; nil: all.
	county *string
	// How many records a case number has. More than one is stated in a header.
	matches int
	// Header Link of a list; empty: none.
	links string
}

// weight returns about how many bytes of memory a sending takes.
func (b *sending) weight() int { return len(b.bytes) + len(b.tag) }

// serve returns the handler of a function that fills in an answer. shows lists the families of
// records in the answer: a change of one ends the cached response. Without any, the response is
// never cached. An error of fill is answered by reject, and nothing of the body is sent: bodies
// are complete before their first byte leaves.
func (h *api) serve(fill func(a *answer, r *http.Request) error, shows ...models.Family) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		to := coding.Negotiate(r.Header["Accept-Encoding"], coding.Zstd, coding.Gzip)
		if err := h.send(w, r, to, fill, shows); err != nil {
			h.reject(w, r, err)
		}
	}
}

// keptKey bounds the addresses whose responses are cached, in bytes.
const keptKey = 1 << 10

// send sends the cached response, or makes one. The key is the coding and the address; the caller
// is no part of it, since records look the same to every caller who may read them. The body is
// copied for the cache, as its buffer goes back to the pool. The moment is taken before the
// response is made, so a cached response may be newer than its view, never older (decision 4).
func (h *api) send(w http.ResponseWriter, r *http.Request, to coding.Coding, fill func(a *answer, r *http.Request) error, shows []models.Family) error {
	sources, err := h.fresh.SourcesNow(r.Context())
	if err != nil {
		return err
	}
	if len(shows) == 0 || len(r.URL.RawPath)+len(r.URL.Path)+len(r.URL.RawQuery) > keptKey {
		return h.make(w, r, to, sources, fill, func(*sending) {})
	}
	key := string(to) + " " + r.URL.EscapedPath() + "?" + r.URL.RawQuery
	b, ok, at := h.kept.Find(key, shows...)
	if ok {
		return h.write(w, r, b, sources)
	}
	return h.make(w, r, to, sources, fill, func(b *sending) {
		own := *b
		own.bytes = bytes.Clone(b.bytes)
		h.kept.Keep(key, at, &own)
	})
}

// make fills in an answer and writes it. keep receives the finished body, whose bytes it must
// copy. Small bodies are sent without compression whatever the client accepts.
func (h *api) make(w http.ResponseWriter, r *http.Request, to coding.Coding, sources models.Sources, fill func(a *answer, r *http.Request) error, keep func(*sending)) error {
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
	b := &sending{bytes: a.b, to: to, family: a.family, county: a.county, matches: a.matches, links: a.links}
	if len(a.b) < minCompressed {
		b.to = coding.Identity
	}
	b.tag = etag(a.b, b.to)
	if b.to != coding.Identity {
		var err error
		if a.packed, err = h.compress.pack(a.packed, a.b, b.to); err != nil {
			return err
		}
		b.bytes = a.packed
	}
	keep(b)
	return h.write(w, r, b, sources)
}

// write sends a body with its headers, or 304 when the caller has that body already. Every response
// states its freshness, by the sources as they were before its records were read. Cache-Control lets a browser store the body,
// but ask for it each time with If-None-Match; a 304 still counts against the rate limit.
func (h *api) write(w http.ResponseWriter, r *http.Request, b *sending, sources models.Sources) error {
	fresh, err := b.freshness(sources)
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
	if b.links != "" {
		head.Add("Link", b.links) // beside that of a deprecation
	}
	if holds(r.Header["If-None-Match"], b.tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	head.Set("Content-Type", "application/json")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Content-Length", strconv.Itoa(len(b.bytes)))
	if b.to != coding.Identity {
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

// etag returns a strong entity tag: the hash of the body, and its coding, since other bytes need
// another tag.
func etag(body []byte, to coding.Coding) string {
	b := make([]byte, 0, 24)
	b = append(b, '"')
	sum := xxhash.Sum64(body)
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[sum>>shift&15])
	}
	if to != coding.Identity {
		b = append(append(b, '-'), to...)
	}
	return string(append(b, '"'))
}

// holds reports whether an If-None-Match names tag. Our tags have no quote inside, so searching
// for the quoted text finds exactly its entry, weak or strong (RFC 9110, section 13.1.2).
func holds(ifNoneMatch []string, tag string) bool {
	for _, line := range ifNoneMatch {
		if strings.TrimSpace(line) == "*" || strings.Contains(line, tag) {
			return true
		}
	}
	return false
}

// Freshness returns the sources, by which answers say how current they are. *store.Store implements it, from
// memory.
type Freshness interface {
	SourcesNow(ctx context.Context) (models.Sources, error)
}

// freshLabel is the freshness of one answer.
type freshLabel models.Freshness

// freshness returns how current the records of a response are, by the sources as they were before the records
// were read. It changes without the records, so a cached body does not carry it.
func (b *sending) freshness(sources models.Sources) (freshLabel, error) {
	if b.family == "" {
		return freshLabel{}, nil
	}
	f, err := sources.Freshness(b.family, b.county)
	return freshLabel(f), err
}

// label sets X-Data-As-Of, the oldest last success among the sources that can still change the response, and
// X-Data-Stale, the counties whose source is not on schedule ("*": a statewide source). If a
// county is listed there, an empty list does not mean that no one is in custody (DECISIONS,
// "Lists and parameters"). Without any source that ever succeeded X-Data-As-Of is absent.
func (f freshLabel) label(head http.Header) {
	if f.AsOf != nil {
		head.Set("X-Data-As-Of", f.AsOf.UTC().Format(time.RFC3339))
	}
	if len(f.Stale) > 0 {
		head.Set("X-Data-Stale", strings.Join(f.Stale, ","))
	}
}
