package rest

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
)

// maxCursor bounds a cursor in bytes. It holds the place of a record in its list, which may be a long name.
const maxCursor = 2000

// part is the part of a list that a request asks for.
type part struct {
	limit, offset int
	// after is the cursor of the record before; nil begins at offset.
	after *string
}

// cursorPage returns limit, offset and cursor. A list that is read by cursor misses nothing and shows nothing twice while
// records come and go. Offsets stay as SPEC.md has them.
func (p *params) cursorPage() part {
	limit, offset := p.page(models.DefaultLimit)
	after := p.value("cursor", maxCursor)
	if after != nil && offset > 0 {
		p.fail(models.Invalid("cursor", "give either cursor or offset, not both"))
	}
	return part{limit, offset, after}
}

// cursorError turns what a resolver says of its argument after into what it means on /v1.
func cursorError(err error) error {
	var e *models.Error
	if errors.As(err, &e) && e.Field == "after" {
		return models.Invalid("cursor", "cursor is not one of this list: take it from the header Link of an answer")
	}
	return err
}

// link sets the header Link (RFC 8288) of a page: first and prev where there is something before it, next where more
// follows. end is the cursor of its last record; nil where the list has no cursors, or nothing follows.
func (h *api) link(a *answer, r *http.Request, at part, more bool, end func() (string, error)) error {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil { // in a parameter that nobody reads
		q = url.Values{}
	}
	q.Del("cursor")
	q.Del("offset")
	if at.offset > 0 || at.after != nil {
		h.addLink(a, r, q, "first", "", "")
	}
	if at.offset > 0 {
		h.addLink(a, r, q, "prev", "offset", strconv.Itoa(max(at.offset-at.limit, 0)))
	}
	switch {
	case more && end != nil:
		cursor, err := end()
		if err != nil {
			return err
		}
		h.addLink(a, r, q, "next", "cursor", cursor)
	case more:
		h.addLink(a, r, q, "next", "offset", strconv.Itoa(at.offset+at.limit))
	}
	return nil
}

// addLink adds the address of this list with one parameter more.
func (h *api) addLink(a *answer, r *http.Request, q url.Values, rel, name, value string) {
	if name != "" {
		q.Set(name, value)
		defer q.Del(name)
	}
	path := r.URL.EscapedPath()
	if c := chi.RouteContext(r.Context()); c != nil && c.RoutePath != "" {
		path = c.RoutePath // below the mount, which the public address has its own name for
	}
	address := h.base + path
	if len(q) > 0 {
		address += "?" + q.Encode()
	}
	if a.links != "" {
		a.links += ", "
	}
	a.links += "<" + address + `>; rel="` + rel + `"`
}
