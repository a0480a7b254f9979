// Package sunset says on request what goes: the headers Deprecation (RFC 9745) and Sunset (RFC 8594) of an endpoint or a
// parameter of /v1 that is in Table, and of a GraphQL field or argument with @deprecated. docs/deprecation.md is the policy.
package sunset

import (
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// guide is the page that has the policy, which the header Link names.
const guide = "/docs"

// Notice is since when something is deprecated, and when it goes. The zero value is nothing.
type Notice struct{ Since, Until time.Time }

// Deprecated is an endpoint of /v1 that goes, or a parameter of it.
type Deprecated struct {
	// Method is that of HTTP. A HEAD counts as GET.
	Method string
	// Path begins with /v1; * stands for one segment, as in /v1/alerts/*/hits.
	Path string
	// Parameter is one of the query; empty: the endpoint itself.
	Parameter string
	Notice
}

// Table lists what goes. A test compares it with `deprecated: true` in openapi.yaml.
type Table []Deprecated

// V1 is what goes of /v1: nothing at present.
func V1() Table { return nil }

// Middleware adds the headers to answers of requests that use what goes. Errors have them too.
func (t Table) Middleware(root string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if len(t) == 0 {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			t.of(r).Label(w.Header(), root)
			next.ServeHTTP(w, r)
		})
	}
}

// of returns the notice of a request; of several the earliest dates.
func (t Table) of(r *http.Request) Notice {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	var n Notice
	for _, d := range t {
		if same, err := path.Match(d.Path, strings.TrimSuffix(r.URL.Path, "/")); err != nil || !same || d.Method != method {
			continue
		}
		if d.Parameter == "" || r.URL.Query().Has(d.Parameter) {
			n = n.with(d.Notice)
		}
	}
	return n
}

// with returns the earlier dates of two notices.
func (n Notice) with(o Notice) Notice {
	if n.Since.IsZero() || !o.Since.IsZero() && o.Since.Before(n.Since) {
		n.Since = o.Since
	}
	if n.Until.IsZero() || !o.Until.IsZero() && o.Until.Before(n.Until) {
		n.Until = o.Until
	}
	return n
}

// Label sets the headers of a notice. root is the address of the service without /v1.
func (n Notice) Label(h http.Header, root string) {
	if n.Since.IsZero() {
		return
	}
	h.Set("Deprecation", "@"+strconv.FormatInt(n.Since.Unix(), 10))
	if !n.Until.IsZero() {
		h.Set("Sunset", n.Until.UTC().Format(http.TimeFormat))
	}
	h.Add("Link", "<"+strings.TrimSuffix(root, "/")+guide+`>; rel="deprecation"; type="text/html"`)
}
