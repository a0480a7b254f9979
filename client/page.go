package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxLimit is the largest page, in records.
const MaxLimit = 200

// Meta says how fresh an answer is, and names it.
type Meta struct {
	// AsOf is the oldest last success among the sources of the answer (X-Data-As-Of), UTC. It is zero when none ever
	// succeeded, and for answers that are not of records.
	AsOf time.Time
	// Stale lists slugs of counties whose source is late, down, held or refused (X-Data-Stale); "*" stands for a statewide
	// source. An empty list of such a county says nothing about custody.
	Stale []string
	// RequestID names the request in the logs of the service.
	RequestID string
	// ETag names the state of one alert or webhook, for IfMatch.
	ETag string
	// Location is the address of what was created; empty: nothing was.
	Location string
}

// metaOf reads the headers of an answer.
func metaOf(h http.Header) Meta {
	m := Meta{RequestID: h.Get("X-Request-Id"), ETag: h.Get("ETag"), Location: h.Get("Location")}
	m.AsOf, _ = time.Parse(time.RFC3339, h.Get("X-Data-As-Of")) // zero without one
	for slug := range strings.SplitSeq(h.Get("X-Data-Stale"), ",") {
		if slug = strings.TrimSpace(slug); slug != "" {
			m.Stale = append(m.Stale, slug)
		}
	}
	return m
}

// Page is a page of a list.
type Page[T any] struct {
	// Total counts the matches of all pages.
	Total int
	// Limit and Offset are as the service applied them.
	Limit, Offset int
	// Items are the entries of this page.
	Items []T
	// Meta says how fresh they are.
	Meta Meta

	// next is the query of the page after this one; nil: this is the last.
	next url.Values
}

// PageOptions says which page is wanted. The zero value is the first page of 50.
type PageOptions struct {
	// Limit is 1 to MaxLimit.
	Limit int
	// Offset skips entries.
	Offset int
}

// add sets the options in a query.
func (o PageOptions) add(q url.Values) {
	if o.Limit != 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	if o.Offset != 0 {
		q.Set("offset", strconv.Itoa(o.Offset))
	}
}

// list reads one page. member is the name under which the answer has its entries.
func list[T any](ctx context.Context, c *Client, path, member string, q url.Values) (Page[T], error) {
	var p Page[T]
	var said map[string]json.RawMessage
	address := path
	if len(q) > 0 {
		address += "?" + q.Encode()
	}
	h, err := c.call(ctx, http.MethodGet, address, nil, &said)
	if err != nil {
		return p, err
	}
	for name, to := range map[string]any{"total": &p.Total, "limit": &p.Limit, "offset": &p.Offset, member: &p.Items} {
		if err := json.Unmarshal(said[name], to); err != nil {
			return p, fmt.Errorf("decode %s of %s: %w", name, path, err)
		}
	}
	p.Meta = metaOf(h)
	p.next = following(h, q, p.Offset, len(p.Items), p.Total)
	return p, nil
}

// following returns the query of the next page, or nil. A link of the service goes before counting: it holds a cursor, and
// no record is missed when others come and go meanwhile.
func following(h http.Header, q url.Values, offset, here, total int) url.Values {
	for _, link := range h.Values("Link") {
		for one := range strings.SplitSeq(link, ",") {
			address, rel, _ := strings.Cut(one, ";")
			if !strings.Contains(rel, `rel="next"`) {
				continue
			}
			if u, err := url.Parse(strings.Trim(strings.TrimSpace(address), "<>")); err == nil {
				return u.Query()
			}
		}
	}
	if q.Has("cursor") || here == 0 || offset+here >= total { // the last page of a cursor has no link to a next one
		return nil
	}
	next := url.Values{}
	for name, values := range q {
		next[name] = slices.Clone(values)
	}
	next.Set("offset", strconv.Itoa(offset+here))
	return next
}

// pages yields the pages of a list, each once, until the last, an error or the end of the loop.
func pages[T any](ctx context.Context, c *Client, path, member string, q url.Values) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		if q.Get("limit") == "" {
			q.Set("limit", strconv.Itoa(MaxLimit))
		}
		for at := q; at != nil; {
			p, err := list[T](ctx, c, path, member, at)
			if !yield(p, err) || err != nil {
				return
			}
			at = p.next
		}
	}
}

// all yields the entries of all pages of a list. An error is the last that it yields.
func all[T any](ctx context.Context, c *Client, path, member string, q url.Values) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for p, err := range pages[T](ctx, c, path, member, q) {
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range p.Items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
