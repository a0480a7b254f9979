package record

import (
	"context"
	"strings"

	"rollcall/models"
	"rollcall/resolve/person"
)

// PersonByID returns the person of a record: of a booking, of a court case, or of a corrections record under its id in GraphQL or that
// of the department. Ids of merged records lead to the one that stayed. A record that is unknown or withheld is CodeNotFound. The
// records are shared: callers must not change them.
func (s *Store) PersonByID(ctx context.Context, id string) (*models.Person, error) {
	start, err := s.recordRef(ctx, id)
	if err != nil {
		return nil, err
	}
	found, err := s.peopleOf(ctx, []models.RecordRef{start})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 { // it was withheld meanwhile
		return nil, errNobody
	}
	return found[0], nil
}

// errNobody is for an id without a published record.
var errNobody = models.NotFound("there is no person with a record of this id")

// recordRef finds the published record with an id.
func (s *Store) recordRef(ctx context.Context, id string) (ref models.RecordRef, err error) {
	gdcID, isGdc := strings.CutPrefix(id, "gdc-")
	if !isGdc {
		if strings.HasPrefix(id, "case-") {
			c, err := s.CourtCaseByID(ctx, id)
			if err != nil {
				return ref, err
			}
			return models.RecordRef{Family: models.Courts, Key: c.Key}, nil
		}
		b, err := s.BookingByID(ctx, id)
		if err == nil {
			return models.RecordRef{Family: models.Roster, Key: b.RID}, nil
		}
		if models.CodeOf(err) != models.CodeNotFound {
			return ref, err
		}
	}
	o, err := s.CorrectionsByGdcID(ctx, gdcID)
	switch {
	case models.CodeOf(err) == models.CodeNotFound:
		return ref, errNobody
	case err != nil:
		return ref, err
	}
	return models.RecordRef{Family: models.Corrections, Key: o.CID}, nil
}

// peopleOf returns the people of some published records, in their order and each once.
func (s *Store) peopleOf(ctx context.Context, starts []models.RecordRef) ([]*models.Person, error) {
	gathered, err := person.Gather(starts, func(refs []models.RecordRef) ([]person.Edge, error) { return s.personEdges(ctx, refs) })
	if err != nil {
		return nil, err
	}
	records, err := s.personRecords(ctx, gathered)
	if err != nil {
		return nil, err
	}
	links := func(edges []person.Edge) []*models.PersonLink {
		out := []*models.PersonLink{}
		for _, e := range edges {
			if from, to := records[e.A], records[e.B]; from != nil && to != nil {
				out = append(out, &models.PersonLink{From: from, To: to, Confidence: e.Confidence, Reasons: e.Reasons})
			}
		}
		return out
	}
	var people []*models.Person
	for _, g := range gathered {
		var own []*models.PersonRecord
		for _, ref := range g.Records {
			if r := records[ref]; r != nil { // else it was withheld meanwhile
				own = append(own, r)
			}
		}
		if len(own) > 0 {
			people = append(people, models.NewPerson(own, links(g.Links), links(g.Possible), g.Cut))
		}
	}
	return people, nil
}

// PeopleOfBookings returns whose bookings some published bookings are, by their internal keys. Bookings of one person share it. What it
// reads takes the same number of statements for one booking and for a list.
func (s *Store) PeopleOfBookings(ctx context.Context, rids []int64) (map[int64]*models.Person, error) {
	starts := make([]models.RecordRef, len(rids))
	for i, rid := range rids {
		starts[i] = models.RecordRef{Family: models.Roster, Key: rid}
	}
	people, err := s.peopleOf(ctx, starts)
	if err != nil {
		return nil, err
	}
	whose := map[int64]*models.Person{}
	for _, p := range people {
		for _, b := range p.Stays {
			whose[b.RID] = p
		}
	}
	out := make(map[int64]*models.Person, len(rids))
	for _, rid := range rids {
		if p := whose[rid]; p != nil { // else it was withheld meanwhile
			out[rid] = p
		}
	}
	return out, nil
}

// personRecords reads the records that people have or may have. Those that are not published any more are left out.
func (s *Store) personRecords(ctx context.Context, people []person.Gathered) (map[models.RecordRef]*models.PersonRecord, error) {
	out, of := map[models.RecordRef]*models.PersonRecord{}, map[models.Family][]int64{}
	want := func(r models.RecordRef) {
		if _, ok := out[r]; !ok {
			out[r], of[r.Family] = nil, append(of[r.Family], r.Key)
		}
	}
	for _, g := range people {
		for _, r := range g.Records {
			want(r)
		}
		for _, e := range g.Possible {
			want(e.B)
		}
	}
	bookings, err := s.BookingsByKeys(ctx, of[models.Roster])
	if err != nil {
		return nil, err
	}
	cases, err := s.CourtCasesByKeys(ctx, of[models.Courts])
	if err != nil {
		return nil, err
	}
	offenders, err := s.CorrectionsByKeys(ctx, of[models.Corrections])
	if err != nil {
		return nil, err
	}
	for key, b := range bookings {
		out[models.RecordRef{Family: models.Roster, Key: key}] = &models.PersonRecord{Booking: b}
	}
	for key, c := range cases {
		out[models.RecordRef{Family: models.Courts, Key: key}] = &models.PersonRecord{Case: c}
	}
	for key, o := range offenders {
		out[models.RecordRef{Family: models.Corrections, Key: key}] = &models.PersonRecord{Corrections: o}
	}
	return out, nil
}
