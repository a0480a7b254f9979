package record

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/db"
)

// peopleSeek is where a page of people begins: in the list of a family, after a cursor of that list.
type peopleSeek struct {
	Family models.Family `json:"f"`
	After  string        `json:"a"`
}

// peopleOrder are the families in which people are looked for, one after the other.
var peopleOrder = []models.Family{models.Roster, models.Corrections, models.Courts}

// People returns a page of the people under a name: those with a booking first, then those with a state record, then those of whom only
// court cases are known; among each the closest name first, as the lists of records are ranked. p.Limit counts records, so a page may
// have fewer people, even none while others follow. A person is on the page of the record by which it is listed (firstNamed). Without a
// county all of Georgia is searched; the department has no counties, so with one its records are not.
func (s *Store) People(ctx context.Context, f models.PeopleFilter, p models.Page) (*models.PeoplePage, error) {
	words, _, err := db.NameWords(&f.Name)
	if err != nil {
		return nil, err
	}
	out := &models.PeoplePage{People: []*models.Person{}}
	at := &peopleSeek{Family: models.Roster}
	if p.After != "" {
		if err := s.OpenCursor("people", p.After, at); err != nil {
			return nil, err
		}
	}
	var refs []models.RecordRef
	for at != nil && len(refs) < p.Limit && len(words) > 0 {
		var part []models.RecordRef
		if part, at, err = s.named(ctx, f, *at, p.Limit-len(refs)); err != nil {
			return nil, err
		}
		refs = append(refs, part...)
	}
	if at != nil && len(words) > 0 {
		next := *at
		out.PageInfo = models.PageInfo{HasNextPage: true, End: func() (string, error) { return s.SealCursor("people", next) }}
	}
	found, err := s.peopleOf(ctx, refs)
	if err != nil {
		return nil, err
	}
	for _, person := range found {
		if first, ok := firstNamed(person, f, words); ok && slices.Contains(refs, first) {
			out.People = append(out.People, person)
		}
	}
	return out, nil
}

// named reads up to limit records of a family under a name, and where the search goes on; nil: nothing is left.
func (s *Store) named(ctx context.Context, f models.PeopleFilter, at peopleSeek, limit int) (refs []models.RecordRef, next *peopleSeek, err error) {
	page, info := models.Page{Limit: limit, After: at.After, Order: models.OrderRelevance}, models.PageInfo{}
	add := func(key int64) { refs = append(refs, models.RecordRef{Family: at.Family, Key: key}) }
	switch {
	case at.Family == models.Roster:
		list, err := s.ListBookings(ctx, models.RosterFilter{Name: &f.Name, County: f.County}, page)
		if err != nil {
			return nil, nil, err
		}
		for _, b := range list.Records {
			add(b.RID)
		}
		info = list.PageInfo
	case at.Family == models.Courts:
		list, err := s.ListCourtCases(ctx, models.CourtFilter{Name: &f.Name, County: f.County}, page)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range list.Records {
			add(c.Key)
		}
		info = list.PageInfo
	case f.County == nil:
		list, err := s.ListCorrections(ctx, models.CorrectionsFilter{Name: &f.Name}, page)
		if err != nil {
			return nil, nil, err
		}
		for _, o := range list.Records {
			add(o.CID)
		}
		info = list.PageInfo
	}
	if info.HasNextPage {
		at.After, err = info.End()
		return refs, &at, err
	}
	if i := slices.Index(peopleOrder, at.Family) + 1; i < len(peopleOrder) {
		return refs, &peopleSeek{Family: peopleOrder[i]}, nil
	}
	return refs, nil, nil
}

// firstNamed returns the record of a person that People lists the person by: of the first family with the name, the closest name.
func firstNamed(p *models.Person, f models.PeopleFilter, words []string) (first models.RecordRef, ok bool) {
	var found []models.RecordRef
	ranking := match.NewClosest(words)
	add := func(family models.Family, key int64, name string, ahead bool, county *models.County) {
		written := match.SearchKey(name)
		if (f.County == nil || *f.County == county.Slug) && match.Holds(written, words) {
			ranking.Add(strings.Fields(written), ahead)
			found = append(found, models.RecordRef{Family: family, Key: key})
		}
	}
	for _, b := range p.Stays {
		add(models.Roster, b.RID, b.Name, b.Status == models.Booked, b.County)
	}
	if len(found) == 0 && f.County == nil {
		for _, o := range slices.SortedFunc(slices.Values(p.Sentences), byName) {
			add(models.Corrections, o.CID, o.Name, o.Status == models.Incarcerated, nil)
		}
	}
	if len(found) == 0 {
		for _, c := range p.Cases {
			add(models.Courts, c.Key, c.Defendant, true, c.County)
		}
	}
	if len(found) == 0 {
		return first, false
	}
	return found[ranking.Page(0, 1)[0]], true
}

// byName orders corrections records as their list does.
func byName(a, b *models.CorrectionsRecord) int {
	return cmp.Or(cmp.Compare(match.SearchKey(a.Name), match.SearchKey(b.Name)), cmp.Compare(a.GdcID, b.GdcID))
}
