package record

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db/column"
	"rollcall/resolve/person"
)

// Bounds of what is compared for people.
const (
	// mostNumbered is how many pairs of bookings of one number are read at once.
	mostNumbered = 10_000
	// bornEach is how many bookings of one birth date are compared.
	bornEach = 1000
)

// personEdges returns what joins published records with others that are published: links, the numbers of jails, and equal birth dates;
// and what operators keep apart.
func (s *Store) personEdges(ctx context.Context, refs []models.RecordRef) ([]person.Edge, error) {
	of := map[models.Family][]int64{}
	for _, r := range refs {
		of[r.Family] = append(of[r.Family], r.Key)
	}
	all, err := s.apart(ctx, refs)
	if err != nil {
		return nil, err
	}
	for _, read := range []func(context.Context, map[models.Family][]int64) ([]person.Edge, error){
		s.gdcEdges, s.courtEdges, s.bookingEdges,
	} {
		found, err := read(ctx, of)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// apart returns which records operators keep apart from some others.
func (s *Store) apart(ctx context.Context, refs []models.RecordRef) ([]person.Edge, error) {
	families, records := make(column.Array[string], len(refs)), make(column.Array[int64], len(refs))
	for i, r := range refs {
		families[i], records[i] = string(r.Family), r.Key
	}
	var rows []struct {
		Family, OtherFamily models.Family
		Record, Other       int64
	}
	args := pgx.StrictNamedArgs{"families": families, "records": records}
	if err := s.find(ctx, models.Roster, "kept_apart", args, &rows); err != nil {
		return nil, fmt.Errorf("read records that are kept apart: %w", err)
	}
	all := make([]person.Edge, len(rows))
	for i, r := range rows {
		all[i] = person.Edge{A: models.RecordRef{Family: r.Family, Key: r.Record}, B: models.RecordRef{Family: r.OtherFamily, Key: r.Other}, Apart: true}
	}
	return all, nil
}

// gdcEdges returns the links between bookings and corrections records.
func (s *Store) gdcEdges(ctx context.Context, of map[models.Family][]int64) (all []person.Edge, err error) {
	add := func(l *models.GdcLink) {
		all = append(all, person.Edge{
			A: models.RecordRef{Family: models.Roster, Key: l.RID}, B: models.RecordRef{Family: models.Corrections, Key: l.CID},
			Confidence: l.Confidence, Reasons: l.Reasons,
		})
	}
	if rids := of[models.Roster]; len(rids) > 0 {
		links, err := s.GdcLinksOf(ctx, rids)
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			add(l)
		}
	}
	if cids := of[models.Corrections]; len(cids) > 0 {
		links, err := s.CountyRecordsOf(ctx, cids)
		if err != nil {
			return nil, err
		}
		for _, list := range links {
			for _, l := range list {
				add(l.GdcLink)
			}
		}
	}
	return all, nil
}

// courtEdges returns the links of cases, read from the side of each record.
func (s *Store) courtEdges(ctx context.Context, of map[models.Family][]int64) (all []person.Edge, err error) {
	for f, read := range map[models.Family]func(context.Context, []int64) (map[int64][]*models.CourtLink, error){
		models.Roster: s.CourtLinksOfBookings, models.Courts: s.CourtLinksOfCases, models.Corrections: s.CourtLinksOfRecords,
	} {
		if len(of[f]) == 0 {
			continue
		}
		links, err := read(ctx, of[f])
		if err != nil {
			return nil, err
		}
		for _, list := range links {
			for _, l := range list {
				e := person.Edge{A: models.RecordRef{Family: models.Courts, Key: l.CaseKey}, Confidence: l.Confidence, Reasons: l.Reasons}
				if l.RID != nil {
					e.B = models.RecordRef{Family: models.Roster, Key: *l.RID}
				} else {
					e.B = models.RecordRef{Family: models.Corrections, Key: *l.CID}
				}
				all = append(all, e)
			}
		}
	}
	return all, nil
}

// bookingEdges returns what joins bookings with each other.
func (s *Store) bookingEdges(ctx context.Context, of map[models.Family][]int64) ([]person.Edge, error) {
	rids := of[models.Roster]
	if len(rids) == 0 {
		return nil, nil
	}
	var numbered []struct{ One, Other int64 }
	args := pgx.StrictNamedArgs{"rids": column.Array[int64](rids), "most": mostNumbered}
	if err := s.find(ctx, models.Roster, "bookings_of_one_number", args, &numbered); err != nil {
		return nil, fmt.Errorf("read bookings of one number: %w", err)
	}
	own, err := s.faces(ctx, rids)
	if err != nil {
		return nil, err
	}
	near, err := s.bornAs(ctx, own)
	if err != nil {
		return nil, err
	}
	for _, pair := range numbered {
		near = append(near, pair.Other)
	}
	others, err := s.faces(ctx, near)
	if err != nil {
		return nil, err
	}
	population, err := s.bookings(ctx)
	if err != nil {
		return nil, err
	}
	var all []person.Edge
	compare := func(a, b *models.LinkFace, sameNumber bool) {
		if a == nil || b == nil || a.Key == b.Key { // one was withheld meanwhile
			return
		}
		if e, ok := person.CompareBookings(a, b, sameNumber, population); ok {
			all = append(all, e)
		}
	}
	for _, pair := range numbered {
		compare(own[pair.One], others[pair.Other], true)
	}
	born := map[string][]*models.LinkFace{}
	for _, f := range others {
		born[f.Born] = append(born[f.Born], f)
	}
	for _, a := range own {
		if isDay(a.Born) {
			for _, b := range born[a.Born] {
				compare(a, b, false)
			}
		}
	}
	return all, nil
}

// bornAs returns the keys of the bookings of the birth dates of some others.
func (s *Store) bornAs(ctx context.Context, own map[int64]*models.LinkFace) (rids []int64, err error) {
	var days []string
	for _, f := range own {
		if isDay(f.Born) && !slices.Contains(days, f.Born) {
			days = append(days, f.Born)
		}
	}
	if len(days) == 0 {
		return nil, nil
	}
	slices.Sort(days)
	args := pgx.StrictNamedArgs{"days": column.Array[string](days), "each": bornEach}
	if err := s.find(ctx, models.Roster, "bookings_born_on", args, &rids); err != nil {
		return nil, fmt.Errorf("read bookings of birth dates: %w", err)
	}
	return rids, nil
}

// isDay reports whether a birth is a whole date. Sources write 1 January where they know the year alone.
func isDay(born string) bool { return len(born) == len("2006-01-02") && born[4:] != "-01-01" }

// faces returns the people of published bookings by key.
func (s *Store) faces(ctx context.Context, rids []int64) (map[int64]*models.LinkFace, error) {
	found, err := s.BookingsByKeys(ctx, rids)
	if err != nil {
		return nil, err
	}
	out := make(map[int64]*models.LinkFace, len(found))
	for rid, b := range found {
		f := &models.LinkFace{Key: rid, County: b.County.ID, Name: b.Name}
		switch {
		case b.Dob != nil:
			f.Born = b.Dob.String()
		case b.BirthYear != nil:
			f.Born = strconv.Itoa(*b.BirthYear)
		}
		out[rid] = f
	}
	return out, nil
}

// bookings counts the published bookings.
func (s *Store) bookings(ctx context.Context) (n int, err error) {
	if err = s.rows(ctx).Table("roster_totals").Select(countersSum).Where("county_id = 0").Scan(&n).Error; err != nil {
		return 0, fmt.Errorf("count bookings: %w", err)
	}
	return n, nil
}
