package person

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"rollcall/match"
	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/record"
	"rollcall/web/words"
)

// Similar looks for names that a search does not find; lookback.Reader implements it.
type Similar interface {
	// Similar returns bookings of the last year under names that are similar to one. A name that cannot be compared is a models.Error.
	Similar(ctx context.Context, accountID string, asked models.SimilarAsked) (*models.SimilarNames, error)
}

// mostSimilar is how many bookings under similar names have their people shown. The search shows all.
const mostSimilar = 20

// listBody is what the page of people under a name shows.
type listBody struct {
	// Crumb is nil where nobody was asked for.
	Crumb        *record.Crumb
	Name, County string
	Counties     []page.County
	// Named are the people whose name has each word as it was typed, and Partly the others.
	Named, Partly []listed
	// First and Next are the addresses of the first page and of the next one; empty: this is it, or there is none.
	First, Next string
	// Look is the address at which similar names are looked for; empty: they were looked for, or cannot be.
	Look string
	// Similar are the people under similar names; nil: nobody looked.
	Similar *similarPeople
}

// similarPeople are people under similar names.
type similarPeople struct {
	Total, Days int
	Rows        []listed
	// All is the address of a search that shows every booking; empty: this page does.
	All string
}

// listed is a person in a list.
type listed struct {
	Path, Name string
	Chip       fact.Chip
	Line       words.Text
	// Reasons are why the name of a booking is similar; nil: it is the name that was typed.
	Reasons words.Text
}

func listedOf(p *models.Person, reasons []string) listed {
	return listed{Path: path(p.ID), Name: p.Name, Chip: whereabouts(p), Line: line(p), Reasons: fact.Listed(reasons)}
}

// Asked reports whether the page was asked for somebody.
func (b *listBody) Asked() bool { return b.Name != "" }

// Any reports whether the page has people under the name.
func (b *listBody) Any() bool { return len(b.Named)+len(b.Partly) > 0 }

// list shows the people under a name, each once.
func (s Site) list(v *page.Visit) (err error) {
	ctx, q := v.R.Context(), v.R.URL.Query()
	b := listBody{Name: strings.TrimSpace(q.Get("name")), County: q.Get("county")}
	data := page.View{Title: "People", Body: &b}
	if b.Counties, err = s.Pages.Counties(ctx); err != nil {
		return err
	}
	if b.Asked() {
		b.Crumb = new(record.CrumbOf(v, b.Name))
		at := models.Page{Limit: models.DefaultPeople, After: q.Get("after")}
		if at.After != "" {
			b.First = b.at()
		}
		found, err := s.Store.People(ctx, models.PeopleFilter{Name: b.Name, County: models.NilIfEmpty(b.County)}, at)
		switch {
		case models.CodeOf(err) == models.CodeInvalidParameter:
			data.Failed(err)
		case err != nil:
			return err
		default:
			if err := b.take(found); err != nil {
				return err
			}
			if err := s.look(v, &b); err != nil {
				return err
			}
		}
	}
	return s.Pages.Page(v, "people", data)
}

// take shows a page of people.
func (b *listBody) take(found *models.PeoplePage) error {
	typed := match.Words(b.Name)
	for _, p := range found.People {
		own := match.Words(p.Name)
		if slices.ContainsFunc(typed, func(word string) bool { return !slices.Contains(own, word) }) {
			b.Partly = append(b.Partly, listedOf(p, nil))
		} else {
			b.Named = append(b.Named, listedOf(p, nil))
		}
	}
	if !found.PageInfo.HasNextPage {
		return nil
	}
	end, err := found.PageInfo.EndCursor()
	if err != nil {
		return err
	}
	b.Next = b.at("after", *end)
	return nil
}

// at returns the address of the list with one more parameter, which is a name and a value.
func (b *listBody) at(more ...string) string {
	q := url.Values{"name": {b.Name}}
	if b.County != "" {
		q.Set("county", b.County)
	}
	for pair := range slices.Chunk(more, 2) { //nolint:mnd // a name and a value
		q.Set(pair[0], pair[1])
	}
	return "/people?" + q.Encode()
}

// similarWords is how many words a name has that can be compared.
const similarWords = 2

// look looks for people under similar names: where nobody was found, or the reader asks for it.
func (s Site) look(v *page.Visit, b *listBody) error {
	if s.Similar == nil || len(match.Words(b.Name)) < similarWords || b.First != "" {
		return nil
	}
	if none := !b.Any() && b.Next == ""; !none && v.R.URL.Query().Get("similar") == "" {
		b.Look = b.at("similar", "yes") + "#similar"
		return nil
	}
	ctx := v.R.Context()
	asked := models.SimilarAsked{Name: b.Name, County: models.NilIfEmpty(b.County), Limit: mostSimilar}
	found, err := s.Similar.Similar(ctx, v.Account.ID, asked)
	switch {
	case models.CodeOf(err) == models.CodeInvalidParameter:
		return nil // it cannot be compared
	case err != nil:
		return err
	}
	rids := make([]int64, len(found.Names))
	for i, n := range found.Names {
		rids[i] = n.Record.RID
	}
	people, err := s.Store.PeopleOfBookings(ctx, rids)
	if err != nil {
		return err
	}
	b.Similar = &similarPeople{Total: found.Total, Days: found.Days}
	if found.Total > len(found.Names) {
		q := url.Values{"q": {b.Name}, "similar": {"yes"}}
		if b.County != "" {
			q.Set("county", b.County)
		}
		b.Similar.All = "/search?" + q.Encode() + "#similar"
	}
	shown := map[string]bool{}
	for _, n := range found.Names {
		if p := people[n.Record.RID]; p != nil && !shown[p.ID] {
			shown[p.ID] = true
			b.Similar.Rows = append(b.Similar.Rows, listedOf(p, n.Reasons))
		}
	}
	return nil
}

// Hint says what may find somebody, where nobody was found.
func (b *listBody) Hint() words.Text {
	switch {
	case b.County != "":
		return words.T("Only this county was searched.")
	case len(match.Words(b.Name)) < similarWords:
		return words.T("Try fewer letters. To see similar names, type a first and a last name. Only covered counties are searched.")
	}
	return words.T("Try fewer letters. Only covered counties are searched.")
}

// Widened is the address of the same search in all of Georgia; empty: it is that one.
func (b *listBody) Widened() string {
	if b.County == "" {
		return ""
	}
	return "/people?" + url.Values{"name": {b.Name}}.Encode()
}
