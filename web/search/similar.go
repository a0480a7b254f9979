package search

import (
	"slices"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// enough is from how many bookings on nobody looks for similar names without being asked: it takes seconds.
const enough = 5

// similarWords is how many words a name has that can be compared.
const similarWords = 2

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
func (s Site) look(v *page.Visit, f *found) error {
	a := f.asked
	if s.Similar == nil || len(f.words) < similarWords || a.bookings() == nil || a.more != "" || f.noName() {
		return nil
	}
	f.Similar = &look{Page: a.with("similar", "yes") + "#similar", Part: "/search/similar" + a.with("view", "", "sort", "")[len("/search"):], Soon: true}
	for _, g := range f.searched {
		if g.Bookings() && g.Total > enough {
			f.Similar.Soon = false
		}
	}
	if !a.further {
		return nil
	}
	var err error
	f.Similar.Names, err = s.alike(v, a)
	return err
}

// noName reports whether nobody is called as was typed and it is explained: by a charge, by a county that was asked for or that stands
// behind a name, or since the county is read by nobody.
func (f *found) noName() bool {
	uncovered := slices.ContainsFunc(f.Lacks, func(l lack) bool { return l.Uncovered != nil })
	return f.Charged > 0 || f.CountyOnly() || !f.Any() && (f.InCounty != nil || uncovered)
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

// alike looks for similar names. Of a name that cannot be compared there are none.
func (s Site) alike(v *page.Visit, a *asked) (*similarNames, error) {
	found, err := s.Similar.Similar(v.R.Context(), v.Account.ID, a.Name, models.NilIfEmpty(a.County))
	switch {
	case models.CodeOf(err) == models.CodeInvalidParameter:
		return nil, nil //nolint:nilnil // there are none
	case err != nil:
		return nil, err
	}
	out := &similarNames{Total: found.Total, Days: found.Days}
	for _, n := range found.Names {
		b := n.Record
		reasons := make([]words.Text, len(n.Reasons))
		for i, r := range n.Reasons {
			reasons[i] = words.Word(r)
		}
		out.Rows = append(out.Rows, similarRow{
			Path: bookingPath(b), Name: markedName(b.Name, nil), Chip: fact.Custody(b),
			Facts:   words.Join(" · ", words.T("{1} County", b.County.Name), words.T("booked {1}", words.When(b.BookingDate)), fact.Born(b.Dob, b.BirthYear)),
			Reasons: words.Join("; ", reasons...),
		})
	}
	return out, nil
}
