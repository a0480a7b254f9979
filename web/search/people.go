package search

import (
	"context"
	"net/url"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/picture"
	"rollcall/web/words"
)

// personRow is a person with the bookings that were found.
type personRow struct {
	// ID is that of the person.
	ID, Path string
	Name     marked
	Chip     fact.Chip
	Picture  *picture.Picture
	Born     words.Text
	// All counts the person's stays.
	All   int
	Stays []stay
}

// stay is a booking under its person.
type stay struct {
	Path   string
	Facts  words.Text
	Charge cell
	Bond   words.Text
}

// Count says how many of a person's stays the search has found.
func (p personRow) Count() words.Text {
	if n := len(p.Stays); n < p.All {
		return words.T("{1 stay|stays} found of {2}", n, p.All)
	}
	return words.T("{1 stay|stays} found", len(p.Stays))
}

// byPerson returns bookings by person, in the order of their first ones. Only links that are sure join them.
func (s Site) byPerson(
	ctx context.Context, bookings []*models.Booking, bonds map[int64]models.Bond, pictures map[int64]*picture.Picture, query []string, sought sought,
) ([]personRow, error) {
	rids := make([]int64, len(bookings))
	for i, b := range bookings {
		rids[i] = b.RID
	}
	people, err := s.Store.PeopleOfBookings(ctx, rids)
	if err != nil {
		return nil, err
	}
	var rows []personRow
	place := map[string]int{}
	for _, b := range bookings {
		p := people[b.RID]
		id := b.ID // without a person it was withheld meanwhile
		if p != nil {
			id = p.ID
		}
		i, known := place[id]
		if !known {
			i = len(rows)
			place[id] = i
			rows = append(rows, begun(b, p, query))
			rows[i].Picture = pictures[b.RID]
		}
		rows[i].Stays = append(rows[i].Stays, stayOf(b, bonds[b.RID], sought))
	}
	return rows, nil
}

// begun is the row of the person whose booking b is.
func begun(b *models.Booking, p *models.Person, query []string) personRow {
	r := personRow{ID: b.ID, Path: bookingPath(b), Name: markedName(b.Name, query), Chip: fact.Custody(b), Born: fact.Born(b.Dob, b.BirthYear), All: 1}
	if p != nil {
		r.ID, r.Path, r.All = p.ID, "/people/"+url.PathEscape(p.ID), len(p.Stays)
		if len(p.Stays) > 0 {
			r.Chip = fact.CustodyOf(p.Stays)
		}
	}
	return r
}

func stayOf(b *models.Booking, bond models.Bond, sought sought) stay {
	facts := words.Join(" · ", words.T("{1} County", b.County.Name), words.T("booked {1}", words.When(b.BookingDate)), fact.Released(b.Release()))
	return stay{Path: bookingPath(b), Facts: facts, Charge: sought.chargeOf(b), Bond: fact.BondLine(bond)}
}
