// Package atom serves an account's newest events as Atom (RFC 4287), under an address that carries a token, so
// that feed readers, which send no key, can subscribe to it. Which tokens exist is stored in models/account. The
// events are read through models/alert, so an event of a withheld record is gone with the next request.
//
// The settings pages and GraphQL make and end Atom subscriptions (docs/decisions/0018-email-and-atom.md).
package atom

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"

	"rollcall/bulletin"
	"rollcall/models/account"
	"rollcall/models/alert"
)

// ContentType is that of Write's result.
const ContentType = "application/atom+xml; charset=utf-8"

// feed is the document; its members are in the order of RFC 4287's examples.
type feed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Author  string   `xml:"author>name"`
	Links   []link   `xml:"link"`
	Entries []entry  `xml:"entry"`
}

type link struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

type entry struct {
	ID        string   `xml:"id"`
	Title     string   `xml:"title"`
	Updated   string   `xml:"updated"`
	Published string   `xml:"published"`
	Link      link     `xml:"link"`
	Category  category `xml:"category"`
	Content   content  `xml:"content"`
}

type category struct {
	Term string `xml:"term,attr"`
}

type content struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// Write returns a page of the feed of an account, with a link to the next one where it is full. root is the public address of the service. The same events give the same
// bytes, so that an ETag of them is stable: nothing of it depends on the clock.
func Write(f *account.AtomSubscription, root string, events []*alert.AtomEvent, notices []*alert.AtomNotice) ([]byte, error) {
	out := feed{
		ID: "urn:rollcall:atom:" + f.ID, Title: "rollcall: what your alerts found", Author: "rollcall",
		Links: []link{{Rel: "alternate", Href: root + "/activity"}}, Entries: []entry{},
	}
	all := make([]*bulletin.Event, 0, len(events)+len(notices))
	for _, e := range events {
		all = append(all, bulletinOf(e))
	}
	for _, n := range notices {
		all = append(all, &bulletin.Event{ID: n.ID, Kind: n.Kind, At: n.At, Source: &bulletin.Source{Title: n.Title, Counties: n.Counties}})
	}
	slices.SortStableFunc(all, func(a, b *bulletin.Event) int { return b.At.Compare(a.At) })
	updated, last := f.CreatedAt, ""
	for _, e := range all[:min(len(all), most)] {
		if e.At.After(updated) {
			updated = e.At
		}
		if e.Source == nil {
			last = e.ID
		}
		out.Entries = append(out.Entries, entryOf(e, root))
	}
	if len(events) == most && last != "" {
		// Relative, so that the address with its token stands nowhere in the document.
		out.Links = append(out.Links, link{Rel: "next", Href: "?before=" + last})
	}
	out.Updated = stamp(updated)
	b, err := xml.MarshalIndent(out, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write Atom subscription: %w", err)
	}
	return append(append([]byte(xml.Header), b...), '\n'), nil
}

// entryOf returns an event as an entry. Its content is plain text, so no reader takes a name for markup.
func entryOf(b *bulletin.Event, root string) entry {
	var text strings.Builder
	text.WriteString(b.Happened() + "\n")
	for _, f := range b.Facts() {
		text.WriteString("\n" + f.Name + ": " + f.Value)
	}
	about := root + "/counties"
	if b.AboutPerson() {
		about = root + "/roster/" + b.RecordID
		text.WriteString("\n\n" + bulletin.Caution)
	}
	return entry{
		ID: "urn:rollcall:event:" + b.ID, Title: b.Title(), Updated: stamp(b.At), Published: stamp(b.At),
		Link: link{Rel: "alternate", Href: about}, Category: category{Term: string(b.Kind)},
		Content: content{Type: "text", Text: text.String()},
	}
}

// bulletinOf returns an event of a feed in the form that has words for people.
func bulletinOf(e *alert.AtomEvent) *bulletin.Event {
	b := bulletin.OfFacts(e.ID, e.Kind, e.At, &e.EventFacts)
	b.Watched, b.Reasons = e.Watched, e.Reasons
	return b
}

// stamp writes an instant as Atom does (RFC 3339).
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
