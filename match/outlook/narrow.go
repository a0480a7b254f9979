package outlook

import (
	"cmp"
	"slices"

	"rollcall/match"
)

// By is what narrows a watcher.
type By uint8

// The ways to narrow a watcher, in the order of how readily people know them.
const (
	ByCounty By = iota
	ByYear
	ByMiddle
	ByDate
)

// String returns the word of /v1.
func (b By) String() string {
	return [...]string{ByCounty: "county", ByYear: "birth_year", ByMiddle: "middle_name", ByDate: "birth_date"}[b]
}

// Narrowing is what a narrower watcher would have found.
type Narrowing struct {
	By By
	// County has the most of the hits: the others leave fewer. Empty but for ByCounty.
	County string
	// Leaves is how many of the hits are left at most, whichever county, birth or middle name it is of those seen.
	Leaves int
}

// tried is how many birth dates and middle names are tried, those of the most hits first. All years are.
const tried = 20

// narrowings returns what would leave fewer hits, the fewest first.
func (o *Outlook) narrowings() []Narrowing {
	all := o.sum.Bookings()
	var out []Narrowing
	if n, ok := o.byCounty(); ok {
		out = append(out, n)
	}
	if len(o.hits) <= compared {
		out = append(out, o.byBirth(ByYear), o.byBirth(ByDate), o.byMiddle())
	}
	out = slices.DeleteFunc(out, func(n Narrowing) bool { return n.Leaves == 0 || n.Leaves >= all })
	slices.SortFunc(out, func(a, b Narrowing) int { return cmp.Or(cmp.Compare(a.Leaves, b.Leaves), cmp.Compare(a.By, b.By)) })
	return out
}

// byCounty returns the county with the most hits.
func (o *Outlook) byCounty() (n Narrowing, ok bool) {
	for slug, at := range o.booked {
		if len(at) > n.Leaves || len(at) == n.Leaves && slug < n.County {
			n = Narrowing{By: ByCounty, County: slug, Leaves: len(at)}
		}
	}
	return n, o.watched.County == ""
}

// byBirth returns what the year or date of birth would leave of which the hits have the most. Those without a birth stay.
func (o *Outlook) byBirth(by By) Narrowing {
	of := map[match.Birth]int{}
	for i := range o.hits {
		b := o.hits[i].Born
		if by == ByYear {
			b = match.Birth{Year: b.Year}
		}
		if b.Year != 0 && (by == ByYear || b.Month != 0) {
			of[b]++
		}
	}
	have := o.watched.Born
	if have.Month != 0 || by == ByYear && have.Year != 0 {
		return Narrowing{By: by}
	}
	births := mostFirst(of, func(a, b match.Birth) int {
		return cmp.Or(cmp.Compare(a.Year, b.Year), cmp.Compare(a.Month, b.Month), cmp.Compare(a.Day, b.Day))
	})
	if by == ByDate && len(births) > tried {
		births = births[:tried]
	}
	most := 0
	for _, b := range births {
		most = max(most, o.left(&o.name, b))
	}
	return Narrowing{By: by, Leaves: most}
}

// byMiddle returns what the middle name would leave of which the hits have the most. Those without one stay.
func (o *Outlook) byMiddle() Narrowing {
	of, written := map[string]int{}, map[string]string{}
	for i := range o.hits {
		h := &o.hits[i]
		if m := h.fit.Middle; h.fit.Same && m != "" {
			of[m]++
			if w, ok := written[m]; !ok || len(h.Written) < len(w) { // without a generation
				written[m] = h.Written
			}
		}
	}
	most := 0
	for _, m := range mostFirst(of, cmp.Compare[string])[:min(len(of), tried)] {
		name := match.Parse(written[m])
		most = max(most, o.left(&name, o.watched.Born))
	}
	return Narrowing{By: ByMiddle, Leaves: most}
}

// left returns how many of the hits a watcher of that name and birth would find at the same level.
func (o *Outlook) left(name *match.Name, born match.Birth) int {
	n := 0
	for i := range o.hits {
		h := &o.hits[i]
		if match.CompareWatched(name, &h.Name, born, h.Born).Probability >= o.watched.Level.From(name) {
			n++
		}
	}
	return n
}

// mostFirst returns the keys of the largest counts first; equal ones in their order.
func mostFirst[K comparable](of map[K]int, order func(a, b K) int) []K {
	out := make([]K, 0, len(of))
	for k := range of {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b K) int { return cmp.Or(cmp.Compare(of[b], of[a]), order(a, b)) })
	return out
}
