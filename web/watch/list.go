package watch

import (
	"net/url"
	"strconv"
	"strings"

	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// listSize is how many alerts a page of the list shows.
const listSize = 50

// place is a page of the list: the label and the words of a name that narrow it, and how many alerts stand before it.
type place struct {
	Label, Name string
	From        int
	// Sort is the order of the list, or "duplicates" for those alone that ask for the same person as another.
	Sort string
}

// sorted is an order of the list: its word in addresses, and what the page calls it.
type sorted struct {
	Word  string
	Title words.Text
}

// sorts are the orders of the list by their words in addresses.
var sorts = []sorted{
	{"", words.T("Newest")}, {string(alert.ByName), words.T("Name")}, {string(alert.ByLast), words.T("Last hit")}, {string(alert.ByUnread), words.T("Unread hits")}, {duplicates, words.T("Duplicates only")},
}

// duplicates is the word of the list of duplicates.
const duplicates = "duplicates"

// Duplicates reports whether only duplicates are listed.
func (p place) Duplicates() bool { return p.Sort == duplicates }

// placeOf reads a place from a query or a form.
func placeOf(asked url.Values) (place, error) {
	from, err := strconv.Atoi("0" + asked.Get("from"))
	if err != nil {
		return place{}, page.ErrNoPage
	}
	p := place{Label: asked.Get("label"), Name: strings.TrimSpace(asked.Get("name")), From: from}
	for _, s := range sorts {
		if s.Word == asked.Get("sort") {
			p.Sort = s.Word
		}
	}
	if p.Duplicates() {
		p.Name = "" // a search among them would hide what they are duplicates of
	}
	return p, nil
}

// Address returns the address of the page that begins with alert number from.
func (p place) Address(from int) string {
	asked := url.Values{}
	if p.Label != "" {
		asked.Set("label", p.Label)
	}
	if p.Name != "" {
		asked.Set("name", p.Name)
	}
	if p.Sort != "" {
		asked.Set("sort", p.Sort)
	}
	if from > 0 {
		asked.Set("from", strconv.Itoa(from))
	}
	return (&url.URL{Path: "/alerts", RawQuery: asked.Encode()}).String()
}

// Here returns the address of the place.
func (p place) Here() string { return p.Address(p.From) }

// listed is an alert in the list.
type listed struct {
	*models.Watcher
	Hits models.HitTotal
	// Covered reports whether a source reports a jail that it looks at; else it finds nobody.
	Covered bool
	// Ticked reports whether the reader had chosen it.
	Ticked bool
}

// Only returns the kinds of events in words, if they are not all.
func (l listed) Only() words.Text {
	if len(l.Events) == len(models.EventKinds()) {
		return nil
	}
	return fact.Events(l.Events)
}

// Birth returns what the alert knows of the birth, in words; nothing where it knows none.
func (l listed) Birth() words.Text {
	switch {
	case l.Dob != nil:
		return words.T("born {1}", l.Dob.String())
	case l.BirthYear != nil:
		return words.T("born {1}", strconv.Itoa(*l.BirthYear))
	case l.Age != nil && l.AgeOn != nil:
		return words.T("aged {1} on {2}", *l.Age, words.Day(*l.AgeOn))
	}
	return nil
}

// listBody is what the list of alerts shows.
type listBody struct {
	place
	Receivers receivers
	Alerts    []listed
	// Cover is in how many counties the alerts for all of Georgia look.
	Cover  cover
	Total  int
	Sorts  []sorted
	Labels []*alert.Label
	// Rev is the revision of watchers that the list has seen.
	Rev int64
	// Newer and Older are where the pages beside this one begin; negative: there is none.
	Newer, Older int
	// Left are alerts that were not changed, as somebody else had changed them; More counts those of them that are not listed.
	Left []*models.Watcher
	More int
}

// listAlerts shows a page of the alerts, newest first; ?label= and ?name= narrow them.
func (s Site) listAlerts(v *page.Visit) error {
	at, err := placeOf(v.R.URL.Query())
	if err != nil {
		return err
	}
	err = s.listPage(v, listBody{place: at}, page.View{}, nil)
	if models.CodeOf(err) == models.CodeInvalidParameter { // of a search that cannot be
		var data page.View
		data.Failed(err)
		return s.listPage(v, listBody{place: place{Label: at.Label}}, data, nil)
	}
	return err
}

// listPage shows the list at a place with what data says, and the ticked alerts chosen.
func (s Site) listPage(v *page.Visit, b listBody, data page.View, ticked []string) error {
	if err := s.fillList(v, &b, ticked); err != nil {
		return err
	}
	data.Title, data.Script, data.At, data.Body = "Alerts", "alerts", b.Here(), b
	return s.Page(v, "alerts", data)
}

// fillList reads what the list shows. The revision comes first: what changes after it counts as changed since.
func (s Site) fillList(v *page.Visit, b *listBody, ticked []string) (err error) {
	ctx := v.R.Context()
	if b.Rev, err = s.Store.WatcherRevision(ctx, v.Account.ID); err != nil {
		return err
	}
	found, err := s.alertsAt(v, b.place)
	if err == nil && len(found.Watchers) == 0 && b.From > 0 { // those before were deleted
		b.From = 0
		found, err = s.alertsAt(v, b.place)
	}
	if err != nil {
		return err
	}
	ids := make([]string, len(found.Watchers))
	for i, w := range found.Watchers {
		ids[i] = w.ID
	}
	hits, err := s.Store.HitTotals(ctx, v.Account.ID, ids)
	if err != nil {
		return err
	}
	chosen := map[string]bool{}
	for _, id := range ticked {
		chosen[id] = true
	}
	covered, err := s.Store.CoveredJails(ctx)
	if err != nil {
		return err
	}
	b.Cover = cover{len(covered), len(s.Store.Counties().All())}
	for _, w := range found.Watchers {
		b.Alerts = append(b.Alerts, listed{w, hits[w.ID], covered.Has(w.County), chosen[w.ID]})
	}
	b.Total, b.Newer, b.Older, b.Sorts = found.Total, -1, -1, sorts
	if b.From > 0 {
		b.Newer = max(b.From-listSize, 0)
	}
	if next := b.From + listSize; next < found.Total {
		b.Older = next
	}
	if b.Receivers, err = s.receiversOf(v); err != nil {
		return err
	}
	b.Labels, err = s.Store.WatcherLabels(ctx, v.Account.ID)
	return err
}

// alertsAt returns the alerts of a place.
func (s Site) alertsAt(v *page.Visit, at place) (*models.WatcherPage, error) {
	ctx, label, page := v.R.Context(), models.NilIfEmpty(at.Label), models.Page{Limit: listSize, Offset: at.From}
	if at.Duplicates() {
		return s.Store.DuplicateWatchers(ctx, v.Account.ID, label, page)
	}
	f := alert.Find{Label: label, Name: models.NilIfEmpty(at.Name), Order: alert.Order(at.Sort)}
	return s.Store.FindWatchers(ctx, v.Account.ID, f, page)
}
