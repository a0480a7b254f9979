package watch

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// inboxSize is how many hits a page of the inbox shows.
const inboxSize = 25

// shelf is a tab of the inbox.
type shelf struct {
	// Word is that of the address, and Title what readers see.
	Word  string
	Title words.Text
	State models.HitState
	// Mine narrows to what the reader looks after.
	Mine bool
	// Count is how many hits it has.
	Count int
}

// shelvesOf returns the tabs of the inbox, unread hits first.
func shelvesOf() []shelf {
	return []shelf{
		{Word: "unread", Title: words.T("Unread"), State: models.HitUnread},
		{Word: "mine", Title: words.T("Assigned to me"), State: models.HitAssigned, Mine: true},
		{Word: "assigned", Title: words.T("Assigned"), State: models.HitAssigned},
		{Word: "read", Title: words.T("Read"), State: models.HitRead},
		{Word: "confirmed", Title: words.T("Confirmed"), State: models.HitConfirmed},
		{Word: "dismissed", Title: words.T("Not them"), State: models.HitDismissed},
	}
}

// desk is a page of the inbox: its tab, what narrows it, and the cursor behind which it begins.
type desk struct{ Show, Alert, Label, After string }

// deskOf reads a page from a query or a form. An unknown tab is that of unread hits.
func deskOf(asked url.Values) desk {
	return desk{asked.Get("show"), asked.Get("alert"), asked.Get("label"), asked.Get("after")}
}

// Address returns the address of a tab, or with a cursor of its page behind that.
func (d desk) Address(show, after string) string {
	asked := url.Values{}
	for name, value := range map[string]string{"show": show, "alert": d.Alert, "label": d.Label, "after": after} {
		if value != "" && (name != "show" || value != "unread") {
			asked.Set(name, value)
		}
	}
	return (&url.URL{Path: "/inbox", RawQuery: asked.Encode()}).String()
}

// Here returns the address of the page.
func (d desk) Here() string { return d.Address(d.Show, d.After) }

// Last is what happened last.
func (r hitRow) Last() fact.Chip {
	if n := len(r.Events); n > 0 {
		return fact.Happened(r.Events[n-1].Kind, r.Events[n-1].facts)
	}
	return fact.Happened(models.EventBooking, nil)
}

// Step is from what to what the last event changed the bond; nil: it did not.
func (r hitRow) Step() *fact.Step {
	if n := len(r.Events); n > 0 {
		return r.Events[n-1].Step
	}
	return nil
}

// Of reports whether a member looks after the hit.
func (r hitRow) Of(email string) bool { return r.Assignee != nil && *r.Assignee == email }

// Why returns the reasons in one line.
func (r hitRow) Why() words.Text {
	said := make([]words.Text, len(r.Reasons))
	for i, ground := range r.Grounds() {
		said[i] = ground.Says
	}
	return words.Join(" · ", said...)
}

// Clock returns the time of day at which it was found.
func (r hitRow) Clock() words.Text { return words.Clock(r.At) }

// Facts returns what the jail says, in one line.
func (r hitRow) Facts() words.Text {
	b := r.Record
	said := []words.Text{words.T("{1} County", b.County.Name), words.T("booked {1}", words.When(b.BookingDate))}
	said = append(said, r.Released(), r.Born())
	if charge := page.Calm(r.Charge()); charge != "" {
		if more := r.MoreCharges(); more > 0 {
			charge += " +" + strconv.Itoa(more)
		}
		said = append(said, words.Plain(charge))
	}
	if r.Step() == nil {
		said = append(said, r.Bond())
	}
	return words.Join(" · ", said...)
}

// inboxDay are the hits that were found on one day of Georgia.
type inboxDay struct {
	Title words.Text
	day   string
	Rows  []hitRow
}

// inboxBody is what the inbox shows.
type inboxBody struct {
	desk
	Shelves []shelf
	Days    []inboxDay
	// Shown are the tokens of all hits of the page.
	Shown []string
	// Of is the watcher that narrows the page; nil: none does.
	Of *models.Watcher
	// Next is the address of the page behind this one; empty: there is none.
	Next string
	// Members may look after a hit, and To is the one who is chosen.
	Members []string
	To      string
	// Undo is what takes the last deed back, as the form sends it; empty: nothing does.
	Undo string
	// Against is an answer that contradicts the one just given; nil: none does.
	Against *opposite
	// Were are the tokens of the hits that were handled together, and UndoAll is the deed that takes that back; empty: none does.
	Were    []string
	UndoAll string
}

// Open reports whether the hits of the tab have no answer yet.
func (b *inboxBody) Open() bool { return b.Show != "confirmed" && b.Show != "dismissed" }

// Now returns the tab that is shown.
func (b *inboxBody) Now() shelf {
	i := slices.IndexFunc(b.Shelves, func(s shelf) bool { return s.Word == b.Show })
	return b.Shelves[max(i, 0)]
}

// showInbox shows a page of the inbox.
func (s Site) showInbox(v *page.Visit) error {
	return s.inboxPage(v, &inboxBody{desk: deskOf(v.R.URL.Query())}, page.View{})
}

// inboxPage shows the inbox with what data says.
func (s Site) inboxPage(v *page.Visit, b *inboxBody, data page.View) error {
	if err := s.fillInbox(v, b); err != nil {
		return err
	}
	data.Title, data.Script, data.At, data.Body = "Inbox", "inbox", b.Here(), b
	return s.Page(v, "inbox", data)
}

// fillInbox reads what the inbox shows: each part in one statement.
func (s Site) fillInbox(v *page.Visit, b *inboxBody) error {
	ctx, account := v.R.Context(), v.Account.ID
	b.Shelves = shelvesOf()
	b.Show = b.Now().Word
	f := models.HitFilter{Watcher: models.NilIfEmpty(b.Alert), Label: models.NilIfEmpty(b.Label)}
	if err := s.fillShelves(v, b, f); err != nil {
		return err
	}
	f.States = []models.HitState{b.Now().State}
	if b.Now().Mine {
		f.Assignee = &v.User.Email
	}
	found, err := s.Store.Inbox(ctx, account, f, models.Page{Limit: inboxSize, After: b.After})
	if err != nil {
		return err
	}
	rows, err := s.hitRows(v, found.Hits)
	if err != nil {
		return err
	}
	if err := s.steps(v, rows); err != nil {
		return err
	}
	b.Days = daysOf(rows, s.Now())
	for _, r := range rows {
		b.Shown = append(b.Shown, r.Token())
	}
	if found.PageInfo.HasNextPage {
		after, err := found.PageInfo.End()
		if err != nil {
			return err
		}
		b.Next = b.Address(b.Show, after)
	}
	if b.Alert != "" {
		if b.Of, err = s.Store.Watcher(ctx, account, b.Alert); err != nil {
			return err
		}
	}
	return s.fillMembers(v, b)
}

// fillShelves counts the hits of the tabs.
func (s Site) fillShelves(v *page.Visit, b *inboxBody, f models.HitFilter) error {
	all, err := s.Store.HitCounts(v.R.Context(), v.Account.ID, f)
	if err != nil {
		return err
	}
	f.Assignee = &v.User.Email
	mine, err := s.Store.HitCounts(v.R.Context(), v.Account.ID, f)
	if err != nil {
		return err
	}
	for i := range b.Shelves {
		counts := &all
		if b.Shelves[i].Mine {
			counts = &mine
		}
		b.Shelves[i].Count = *counts.Of(b.Shelves[i].State)
	}
	return nil
}

// fillMembers names who may look after a hit. Unless another is chosen, that is the reader.
func (s Site) fillMembers(v *page.Visit, b *inboxBody) error {
	users, err := s.Store.Users(v.R.Context(), v.Account.ID)
	if err != nil {
		return err
	}
	for _, u := range users {
		b.Members = append(b.Members, u.Email)
	}
	if !slices.Contains(b.Members, b.To) {
		b.To = v.User.Email
	}
	return nil
}

// daysOf groups hits, newest first, by Georgia's days.
func daysOf(rows []hitRow, now time.Time) (days []inboxDay) {
	today, yesterday := now.In(models.Georgia).Format(time.DateOnly), now.In(models.Georgia).AddDate(0, 0, -1).Format(time.DateOnly)
	for _, r := range rows {
		at := r.At.In(models.Georgia).Format(time.DateOnly)
		if n := len(days); n == 0 || days[n-1].day != at {
			title := words.FullDay(r.At.In(models.Georgia))
			switch at {
			case today:
				title = words.T("Today")
			case yesterday:
				title = words.T("Yesterday")
			}
			days = append(days, inboxDay{Title: title, day: at})
		}
		last := &days[len(days)-1]
		last.Rows = append(last.Rows, r)
	}
	return days
}
