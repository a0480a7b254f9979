// Package person finds out which records are one person's, in pure Go: from what joins two records, and from what keeps them apart
// (docs/decisions/0030-people.md). Nothing of it is stored.
package person

import (
	"cmp"
	"slices"

	"rollcall/match"
	"rollcall/models"
)

// Bounds of a person. A person with more records is cut, and says so.
const (
	// MaxRecords is how many records a person has at most, and how many that are only possible.
	MaxRecords = 200
	// maxSteps is how many links lie at most between a record that was asked for and another one of the person.
	maxSteps = 8
)

// Edge says of two records that they may be one person's, or that an operator keeps them apart.
type Edge struct {
	A, B       models.RecordRef
	Confidence models.Confidence
	Reasons    []string
	Apart      bool // they are two people's, whatever else joins them; it has no confidence
}

// Sure reports whether the two records count as one person's. That takes a whole birth date on both sides, the booking number that a
// court names, the jail's own number of the person, or an operator. A name alone never does, nor does a name with a year of birth:
// it shows a stranger's prison record as this person's.
func (e *Edge) Sure() bool { return e.Confidence == models.High && !e.Apart }

// CompareBookings compares two bookings. numbered means that one jail uses the same number for both people; population is the number of
// bookings, of which some agree by chance. ok is false when nothing joins the two.
func CompareBookings(a, b *models.LinkFace, numbered bool, population int) (e Edge, ok bool) {
	if a.Key > b.Key {
		a, b = b, a
	}
	e = Edge{A: models.RecordRef{Family: models.Roster, Key: a.Key}, B: models.RecordRef{Family: models.Roster, Key: b.Key}}
	one, other := match.ParseBirth(a.Born), match.ParseBirth(b.Born)
	if numbered {
		e.Confidence, e.Reasons = models.High, []string{"the jail uses one number for both"}
		if match.BirthsConflict(one, other) {
			e.Confidence, e.Reasons = models.Low, append(e.Reasons, "birth dates differ")
		}
		return e, true
	}
	found := match.Best(&match.Booking{Name: match.Parse(a.Name), Born: one},
		[]match.Record{{ID: "b", Name: match.Parse(b.Name), Born: other}}, population)
	if found.Confidence == match.NoLink {
		return e, false
	}
	e.Confidence, e.Reasons = models.Confidence(found.Confidence.String()), found.Reasons
	return e, true
}

// Gathered is the records of one person, before they are read.
type Gathered struct {
	Records  []models.RecordRef // by family and key
	Links    []Edge             // both ends are among Records; the surest first, as in Possible
	Possible []Edge             // A is among Records and B is not
	Cut      bool
}

// Gather finds the people of some records: one for each, or fewer where several are one person's, in the order of starts. edges
// returns what joins records with any others, and what keeps them apart. No person has two records that are kept apart: of two links
// that join them by way of a third record, the surer one counts, so that every record of a person finds the same one.
func Gather(starts []models.RecordRef, edges func([]models.RecordRef) ([]Edge, error)) ([]Gathered, error) {
	g := gathering{of: map[models.RecordRef]*cluster{}, edges: map[[2]models.RecordRef]Edge{}, apart: map[[2]models.RecordRef]bool{}}
	var frontier []models.RecordRef
	for _, r := range starts {
		if g.of[r] == nil {
			g.of[r] = &cluster{records: []models.RecordRef{r}}
			frontier = append(frontier, r)
		}
	}
	for range maxSteps {
		if len(frontier) == 0 {
			break
		}
		found, err := edges(frontier)
		if err != nil {
			return nil, err
		}
		frontier = g.add(found)
	}
	for _, r := range frontier { // what joins these was not asked for
		g.of[r].isCut = true
	}
	g.split()
	return g.people(starts), nil
}

// gathering is people as far as they are known.
type gathering struct {
	of    map[models.RecordRef]*cluster
	edges map[[2]models.RecordRef]Edge // the surest of each pair
	apart map[[2]models.RecordRef]bool
}

// cluster is the records of a person so far.
type cluster struct {
	records []models.RecordRef
	isCut   bool
}

// add takes edges up, and returns the records that are new to somebody.
func (g *gathering) add(found []Edge) (fresh []models.RecordRef) {
	for i := range found {
		if e := &found[i]; compare(e.A, e.B) > 0 {
			e.A, e.B = e.B, e.A
		}
		if e := &found[i]; e.Apart {
			g.apart[[2]models.RecordRef{e.A, e.B}] = true
		}
	}
	slices.SortFunc(found, surest)
	for _, e := range found {
		pair := [2]models.RecordRef{e.A, e.B}
		if known, ok := g.edges[pair]; ok && surest(known, e) <= 0 || e.A == e.B || e.Apart {
			continue
		}
		g.edges[pair] = e
		if e.Sure() {
			fresh = append(fresh, g.join(e.A, e.B)...)
		}
	}
	return fresh
}

// join makes two records one person's, unless that person has too many then. It returns the one that is new.
func (g *gathering) join(a, b models.RecordRef) (fresh []models.RecordRef) {
	one, other := g.of[a], g.of[b]
	if one == nil && other == nil {
		return nil
	}
	if one == nil {
		one, fresh = &cluster{records: []models.RecordRef{a}}, append(fresh, a)
	}
	if other == nil {
		other, fresh = &cluster{records: []models.RecordRef{b}}, append(fresh, b)
	}
	switch {
	case one == other:
		return nil
	case len(one.records)+len(other.records) > MaxRecords:
		one.isCut, other.isCut = true, true
		return nil
	}
	g.merge(one, other)
	return fresh
}

// split takes clusters apart in which an operator keeps two records apart: their sure links count one after the other, the surest first.
func (g *gathering) split() {
	parts := map[*cluster]bool{}
	for pair := range g.apart {
		if c := g.of[pair[0]]; c != nil && c == g.of[pair[1]] {
			parts[c] = true
		}
	}
	for c := range parts {
		for _, r := range c.records {
			g.of[r] = &cluster{records: []models.RecordRef{r}, isCut: c.isCut}
		}
	}
	for _, e := range g.sorted() {
		one, other := g.of[e.A], g.of[e.B]
		if one == nil || other == nil || one == other || !e.Sure() || g.parted(one.records, other.records) {
			continue
		}
		if len(one.records)+len(other.records) <= MaxRecords {
			g.merge(one, other)
		}
	}
}

// merge makes two clusters one.
func (g *gathering) merge(one, other *cluster) {
	one.records, one.isCut = append(one.records, other.records...), one.isCut || other.isCut
	for _, r := range one.records {
		g.of[r] = one
	}
}

// sorted returns all edges, the surest first.
func (g *gathering) sorted() []Edge {
	all := make([]Edge, 0, len(g.edges))
	for _, e := range g.edges {
		all = append(all, e)
	}
	slices.SortFunc(all, surest)
	return all
}

// parted reports whether an operator keeps a record of one list apart from one of another.
func (g *gathering) parted(one, other []models.RecordRef) bool {
	if len(g.apart) == 0 {
		return false
	}
	for _, a := range one {
		for _, b := range other {
			if g.apart[[2]models.RecordRef{a, b}] || g.apart[[2]models.RecordRef{b, a}] {
				return true
			}
		}
	}
	return false
}

// people returns what was gathered, a person once.
func (g *gathering) people(starts []models.RecordRef) []Gathered {
	place := map[*cluster]int{}
	var out []Gathered
	for _, r := range starts {
		c := g.of[r]
		if _, ok := place[c]; ok {
			continue
		}
		place[c] = len(out)
		slices.SortFunc(c.records, compare)
		out = append(out, Gathered{Records: c.records, Cut: c.isCut})
	}
	for _, e := range g.sorted() {
		if one := g.of[e.A]; one != nil && one == g.of[e.B] {
			if i, ok := place[one]; ok {
				out[i].Links = append(out[i].Links, e)
			}
			continue
		}
		for _, end := range []Edge{e, {A: e.B, B: e.A, Confidence: e.Confidence, Reasons: e.Reasons}} {
			c, other := g.of[end.A], []models.RecordRef{end.B}
			if of := g.of[end.B]; of != nil {
				other = of.records
			}
			if i, ok := place[c]; ok && !g.parted(c.records, other) {
				out[i].possible(end)
			}
		}
	}
	return out
}

// possible adds a link to a record that is not the person's.
func (p *Gathered) possible(e Edge) {
	if len(p.Possible) == MaxRecords {
		p.Cut = true
		return
	}
	p.Possible = append(p.Possible, e)
}

// surest orders edges: the surest first, then by their ends.
func surest(a, b Edge) int {
	sure := []models.Confidence{models.High, models.Medium, models.Low}
	return cmp.Or(slices.Index(sure, a.Confidence)-slices.Index(sure, b.Confidence), compare(a.A, b.A), compare(a.B, b.B),
		slices.Compare(a.Reasons, b.Reasons))
}

// compare orders records by family and key.
func compare(a, b models.RecordRef) int {
	return cmp.Or(cmp.Compare(a.Family, b.Family), cmp.Compare(a.Key, b.Key))
}
