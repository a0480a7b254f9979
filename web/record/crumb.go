package record

import (
	"net/url"
	"strings"

	"rollcall/web/page"
)

// Crumb is the link from a page to the search or the inbox above it.
type Crumb struct {
	Path string
	// Results means that the reader came from there, and Inbox that it was the inbox.
	Results, Inbox bool
}

// CrumbOf returns the link to the search or the inbox that the reader came from, and else to a search for a name.
func CrumbOf(v *page.Visit, name string) Crumb {
	if q, came := v.Before("/search"); came && len(q) > 0 {
		return Crumb{Path: "/search?" + q.Encode(), Results: true}
	}
	if q, came := v.Before("/inbox"); came {
		return Crumb{Path: (&url.URL{Path: "/inbox", RawQuery: q.Encode()}).String(), Inbox: true}
	}
	return Crumb{Path: "/search?" + url.Values{"q": {page.CalmName(Short(name))}}.Encode()}
}

// Short is the last and the first name, which namesakes share.
func Short(name string) string {
	if last, rest, comma := strings.Cut(name, ","); comma {
		first, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		return strings.TrimSpace(last + " " + first)
	}
	if parts := strings.Fields(name); len(parts) > 2 {
		return parts[0] + " " + parts[len(parts)-1]
	}
	return name
}
