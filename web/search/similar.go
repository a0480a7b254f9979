package search

import (
	"strconv"

	"rollcall/match"
	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// enough is from how many bookings on nobody looks for similar names without being asked: it takes seconds.
const enough = 5

// similarFamily is what an address calls the list of similar names.
const similarFamily = "similar"

// similarWords is how many words a name has that can be compared.
const similarWords = 2

// How many similar names a list has at first, and how many it has more on each next page.
const (
	firstSimilar = 20
	moreSimilar  = 50
)

// look is where similar names are looked for.
type look struct {
	// Page is the address of the search with similar names, and Part that of the similar names alone.
	Page, Part string
	// Soon means that a script looks by itself.
	Soon bool
	// Names are what was found; nil: nobody looked.
	Names *similarNames
}

// similarNames are bookings under similar names.
type similarNames struct {
	Total, Days int
	Rows        []similarRow
	// Left says whom the birth beside the name leaves out; nil: it has none.
	Left words.Text
	// More is the address of the next page; empty: there is none.
	More string
}

// similarRow is a booking under a similar name.
type similarRow struct {
	Path string
	Name marked
	Chip fact.Chip
	// Facts and Reasons are a line each.
	Facts, Reasons words.Text
}

// look sets where similar names are looked for, and looks if the reader asks for it.
func (s Site) look(v *page.Visit, f *found) (err error) {
	a := f.asked
	next := a.more == similarFamily
	if s.Similar == nil || len(f.words) < similarWords || a.bookings() == nil || a.more != "" && !next || f.noName() || !f.Any() && f.Uncovered() {
		return nil
	}
	f.Similar = &look{Page: a.with("similar", "yes") + "#similar", Part: "/search/similar" + a.with("view", "", "sort", "")[len("/search"):], Soon: true}
	for _, g := range f.searched {
		if g.Bookings() && g.Total > enough {
			f.Similar.Soon = false
		}
	}
	if a.further || next {
		f.Similar.Names, err = s.alike(v, a)
	}
	return err
}

// noName reports whether nobody is called as was typed and it is explained: by a charge, or by a county that was asked for or that stands
// behind a name.
func (f *found) noName() bool {
	return f.Charged > 0 || f.CountyOnly() || !f.Any() && f.InCounty != nil
}

// similar shows similar names, without the page around them.
func (s Site) similar(v *page.Visit) error {
	a, err := read(v.R.URL.Query(), s.Pages.Now())
	if err != nil {
		return err
	}
	l := &look{}
	if s.Similar != nil && a.Name != "" {
		if l.Names, err = s.alike(v, a); err != nil {
			return err
		}
	}
	return s.Pages.Part(v, "search", "search-similar", page.View{Title: "Search", Body: l})
}

// alike looks for a page of similar names. Of a name that cannot be compared there are none.
func (s Site) alike(v *page.Visit, a *asked) (*similarNames, error) {
	wanted := models.SimilarAsked{Name: a.Name, County: models.NilIfEmpty(a.County), Born: a.birth(), Limit: firstSimilar}
	if a.more == similarFamily {
		skip, err := strconv.Atoi(a.after)
		if err != nil || skip < 0 {
			return nil, models.Invalid("after", "after is not from a list of similar names")
		}
		wanted.Skip, wanted.Limit = skip, moreSimilar
	}
	found, err := s.Similar.Similar(v.R.Context(), v.Account.ID, wanted)
	switch {
	case models.CodeOf(err) == models.CodeInvalidParameter:
		return nil, nil //nolint:nilnil // there are none
	case err != nil:
		return nil, err
	}
	out := &similarNames{Total: found.Total, Days: found.Days, Left: a.otherBirths()}
	for _, n := range found.Names {
		b := n.Record
		out.Rows = append(out.Rows, similarRow{
			Path: bookingPath(b), Name: markedName(b.Name, nil), Chip: fact.Custody(b),
			Facts:   words.Join(" · ", words.T("{1} County", b.County.Name), words.T("booked {1}", words.When(b.BookingDate)), fact.Born(b.Dob, b.BirthYear)),
			Reasons: fact.Listed(n.Reasons),
		})
	}
	if next := wanted.Skip + wanted.Limit; next < found.Total {
		out.More = a.with("more", similarFamily, "after", strconv.Itoa(next))
	}
	return out, nil
}

// birth is the birth that was typed beside the name; the zero Birth: none was.
func (a *asked) birth() match.Birth {
	if a.Born > 0 {
		return models.BornOf(nil, &a.Born)
	}
	return models.BornOf(a.Day, nil)
}

// otherBirths says whom the birth beside a name leaves out; nil: it has none.
func (a *asked) otherBirths() words.Text {
	switch {
	case a.Born > 0:
		return words.T("Bookings with another birth year are left out.")
	case a.Day != nil:
		return words.T("Bookings with another birth date are left out.")
	}
	return nil
}
