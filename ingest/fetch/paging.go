package fetch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// step takes one step: a request, its pages, or one request for each value of a list.
func (x *session) step(ctx context.Context, st *Step) error {
	if st.For == "" {
		return x.series(ctx, st)
	}
	l := x.lists[st.For]
	if l == nil {
		return nil // the step that collects had itself nothing to ask for
	}
	if err := l.whole(st.For); err != nil {
		return err
	}
	for i, value := range l.values {
		x.values[st.For] = value
		x.beside = func(answer []byte) ([]byte, error) { return l.beside(i, answer) }
		if err := x.series(ctx, st); err != nil {
			if !errors.Is(err, errMissing) {
				return err
			}
			// Listed a moment ago and gone now, or never there: an empty document is kept for it, so
			// that the decoder can tell, and the source decide what that means (decode.empty).
			if err := x.keep(st, nil); err != nil {
				return err
			}
		}
	}
	x.beside = nil
	return nil
}

// series fetches all pages of a step.
func (x *session) series(ctx context.Context, st *Step) error {
	p := st.Paging
	if p == nil {
		body, err := x.ask(ctx, st, "")
		if err != nil {
			return err
		}
		return x.keep(st, body)
	}
	x.values["size"] = strconv.Itoa(p.Size)
	switch p.By {
	case "next":
		return x.follow(ctx, st)
	case "number":
		return x.numbers(ctx, st)
	default:
		return (&turning{session: x, step: st, Paging: p, seen: newPages()}).turn(ctx)
	}
}

// pages are the pages of a series that were seen, by their hash.
type pages struct {
	// all has the hashes of the pages; a page that comes again ends a series that would never end.
	all  map[[sha256.Size]byte]bool
	last [sha256.Size]byte
	// short reports whether the last had fewer rows than a page holds.
	short bool
}

// newPages returns a series of which no page was seen.
func newPages() *pages { return &pages{all: map[[sha256.Size]byte]bool{}} }

// again reports whether a page came before. Some vendors repeat the last page for every later one, some serve
// one page for all when they are broken. The two look alike, unless the page is the one just before and not
// full: that is the end. Otherwise the series ends too, and the page is kept twice: its rows are then known
// to repeat, and the snapshot is not taken for complete.
func (x *session) again(st *Step, seen *pages, body []byte, n int) (bool, error) {
	sum := sha256.Sum256(body)
	if !seen.all[sum] {
		seen.all[sum], seen.last = true, sum
		return false, nil
	}
	if sum == seen.last && seen.short {
		return true, nil
	}
	if !st.Keep {
		return true, fmt.Errorf("%w: page %d repeats an earlier one", ErrIncomplete, n)
	}
	return true, x.keep(st, body)
}

// follow goes from page to page by the address that each answer names; an address seen before is a circle,
// and ErrIncomplete.
func (x *session) follow(ctx context.Context, st *Step) error {
	next := regexp.MustCompile(st.Paging.Next)
	base, err := url.Parse(fill(st.URL, x.values))
	if err != nil {
		return fmt.Errorf("read address: %w", err)
	}
	been, seen := map[string]bool{base.String(): true}, newPages()
	for n, address := 1, ""; ; n++ {
		body, err := x.ask(ctx, st, address)
		if err != nil {
			return err
		}
		if again, err := x.again(st, seen, body, n); again || err != nil {
			return err
		}
		if n > 1 {
			x.found.Moving = true
		}
		if err := x.keep(st, body); err != nil {
			return err
		}
		m := next.FindSubmatch(body)
		if m == nil {
			return nil
		}
		to, err := base.Parse(strings.ReplaceAll(string(m[1]), "&amp;", "&"))
		if err != nil {
			return fmt.Errorf("read address of the next page: %w", err)
		}
		if address = to.String(); been[address] {
			return fmt.Errorf("%w: the pages form a circle", ErrIncomplete)
		}
		been[address] = true
	}
}
