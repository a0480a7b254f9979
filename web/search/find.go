package search

import (
	"context"

	"rollcall/match"
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// How many records a list has.
const (
	firstRows  = 6  // of each family at first, where several are searched
	firstTable = 40 // of bookings in a table, or by person
	aloneRows  = 30 // of the only family that is searched: with their photographs a page stays below 100 kB
	moreRows   = 50 // of each next page
	numbered   = 20 // that bear a number
)

// found is what a search finds.
type found struct {
	asked *asked
	// Lacks is what the results do not say.
	Lacks []lack
	// ByNumber are records that bear the number, and Others counts cases that do and are not shown.
	ByNumber []row
	Others   int
	// Groups are the results of the families in which something was found.
	Groups []group
	// Charged counts bookings with ChargeWords in a charge, where no name was found: they are the only group then.
	Charged     int
	ChargeWords string
	// County is the one whose name was typed; nil: none was. CountyCovered reports whether its jail is read.
	County        *models.County
	CountyCovered bool
	// InCounty is the search for the name in the county that was typed behind it; nil: none was.
	InCounty *inCounty
	// Similar leads to similar names; nil: the search has no name for that.
	Similar *look

	searched []group // every family that was searched
	words    []string
}

// group is the results of a family.
type group struct {
	// ID is that of its heading without a prefix: roster, courts or corrections.
	ID    string
	Title words.Text
	// Total counts all that was found.
	Total int
	// Rows are results in one line each, Table those in a table, and People those by person.
	Rows   []row
	Table  []tableRow
	People []personRow
	// More is the address of the next page, and After is true where this is not the first one.
	More  string
	After bool

	// Asked is the search.
	Asked *asked

	count words.Text // "3 in jail bookings"
}

// Bookings reports whether the group is that of bookings, which are sorted and shown in several ways.
func (g group) Bookings() bool { return g.ID == "roster" }

// Unranked reports whether the list goes on, behind the names that were ranked, newest first. A file does so too.
func (g group) Unranked() bool {
	return g.Bookings() && g.Asked.Sort == "" && g.Asked.Name != "" && g.Total > match.MostRanked
}

// Ranked is how many names are ranked.
func (g group) Ranked() int { return match.MostRanked }

// find asks the store. It takes a number of statements that does not depend on what is found.
func (s Site) find(v *page.Visit, a *asked) (*found, error) {
	ctx := v.R.Context()
	f := &found{asked: a, words: match.Words(a.Name)}
	if a.Number != "" && a.more == "" {
		if err := s.byNumber(ctx, f); err != nil {
			return nil, err
		}
	}
	for _, search := range []func(context.Context, *found) (*group, error){s.bookings, s.cases, s.offenders} {
		g, err := search(ctx, f)
		if err != nil {
			return nil, err
		}
		if g == nil {
			continue
		}
		f.searched = append(f.searched, *g)
		if g.Total > 0 {
			f.Groups = append(f.Groups, *g)
		}
	}
	named := f.Any()
	if err := s.charged(ctx, f); err != nil {
		return nil, err
	}
	sources, err := s.Store.SourcesNow(ctx)
	if err != nil {
		return nil, err
	}
	f.County = countyTyped(sources.Counties.All(), a, named)
	f.CountyCovered = f.County != nil && len(ofCounty(jailsOf(sources), f.County)) > 0
	f.InCounty = inCountyOf(sources.Counties.All(), a, named)
	f.Lacks = lacking(a, sources, s.Pages.Now())
	return f, s.look(v, f)
}

// pageOf returns which part of a family's list is wanted; false: none, as the next page of another family is.
func (a *asked) pageOf(family string) (models.Page, bool) {
	p := models.Page{Limit: firstRows, Order: models.OrderRelevance}
	if a.alone() {
		p.Limit = aloneRows
	}
	if family == "roster" {
		o, _ := orderOf(a.Sort)
		p.Order = o.by
		if a.View != "" {
			p.Limit = firstTable
		}
	}
	if a.more != "" {
		p.Limit, p.After = moreRows, a.after
	}
	return p, a.more == "" || a.more == family
}

// group returns an empty group of a family.
func (a *asked) group(family string, total int, info models.PageInfo) (*group, error) {
	g := &group{ID: family, Total: total, After: a.more != "", Asked: a}
	switch family {
	case "roster":
		g.Title, g.count = words.T("Jail bookings"), words.T("{1} in jail bookings", total)
	case "courts":
		g.Title, g.count = words.T("Court cases"), words.T("{1} in court cases", total)
	default:
		g.Title, g.count = words.T("State corrections"), words.T("{1} in state corrections", total)
	}
	if !info.HasNextPage {
		return g, nil
	}
	end, err := info.EndCursor()
	if err != nil || end == nil {
		return g, err
	}
	g.More = a.with("more", family, "after", *end)
	return g, nil
}

// bookings searches bookings; nil: they are not searched.
func (s Site) bookings(ctx context.Context, f *found) (*group, error) {
	filter, a := f.asked.bookings(), f.asked
	at, wanted := a.pageOf("roster")
	if filter == nil || !wanted {
		return nil, nil //nolint:nilnil // nothing is asked
	}
	list, err := s.Store.ListBookings(ctx, *filter, at)
	if err != nil {
		return nil, err
	}
	g, err := a.group("roster", list.Total, list.PageInfo)
	if err != nil {
		return nil, err
	}
	sought, err := s.soughtIn(ctx, models.EmptyIfNil(filter.Charge), list.Records)
	if err != nil {
		return nil, err
	}
	bonds, err := s.Store.BondsOf(ctx, list.Records)
	if err != nil {
		return nil, err
	}
	if a.View == "table" {
		for _, b := range list.Records {
			g.Table = append(g.Table, tableRowOf(b, bonds[b.RID], f.words, sought))
		}
		return g, nil
	}
	pictures, err := s.Album.Of(ctx, list.Records, pictureSide)
	if err != nil {
		return nil, err
	}
	if a.View == "person" {
		g.People, err = s.byPerson(ctx, list.Records, bonds, pictures, f.words, sought)
		return g, err
	}
	for _, b := range list.Records {
		g.Rows = append(g.Rows, bookingRow(b, bonds[b.RID], pictures, f.words, sought))
	}
	return g, nil
}

// cases searches court cases; nil: they are not searched.
func (s Site) cases(ctx context.Context, f *found) (*group, error) {
	filter := f.asked.cases()
	at, wanted := f.asked.pageOf("courts")
	if filter == nil || !wanted {
		return nil, nil //nolint:nilnil // nothing is asked
	}
	list, err := s.Store.ListCourtCases(ctx, *filter, at)
	if err != nil {
		return nil, err
	}
	g, err := f.asked.group("courts", list.Total, list.PageInfo)
	for _, c := range list.Records {
		g.Rows = append(g.Rows, caseRow(c, f.words))
	}
	return g, err
}

// offenders searches state corrections; nil: they are not searched.
func (s Site) offenders(ctx context.Context, f *found) (*group, error) {
	filter := f.asked.offenders()
	at, wanted := f.asked.pageOf("corrections")
	if filter == nil || !wanted {
		return nil, nil //nolint:nilnil // nothing is asked
	}
	list, err := s.Store.ListCorrections(ctx, *filter, at)
	if err != nil {
		return nil, err
	}
	g, err := f.asked.group("corrections", list.Total, list.PageInfo)
	for _, o := range list.Records {
		g.Rows = append(g.Rows, offenderRow(o, f.words))
	}
	return g, err
}
