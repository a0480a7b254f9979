package enroll

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/store"
)

// Count counts the bookings of the last twelve months that each new line would have hit, in one pass over them for all
// lines together, the newest first. It takes no longer than within: then Since says how far it came.
func (p *Plan) Count(ctx context.Context, st *store.Store, within time.Duration) error {
	rows, index, err := p.index()
	if err != nil {
		return err
	}
	year := st.Now().AddDate(-1, 0, 0)
	if len(rows) == 0 {
		p.Since, p.Whole = year, true
		return nil
	}
	until, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	p.Since = st.Now()
	var hits []match.Hit
	err = st.PeopleBookedSince(until, year, nil, func(b *models.BookedPerson) bool {
		if until.Err() != nil {
			return false
		}
		p.Since = b.BookedAt
		booking := match.Booking{Name: match.Parse(b.Name), County: b.County, Born: models.BornOf(b.Dob, b.BirthYear)}
		hits, _ = index.Match(hits[:0], &booking)
		for _, h := range hits {
			rows[h.ID].see(&booking.Name)
		}
		return true
	})
	switch {
	case err == nil && until.Err() == nil:
		p.Since, p.Whole = year, true
	case ctx.Err() != nil: // the request has no time left, whatever the reading says of it
		return fmt.Errorf("count hits: %w", context.Cause(ctx))
	case until.Err() == nil:
		return fmt.Errorf("count hits: %w", err)
	}
	return nil
}

// see counts a hit of a row, as a preview does (match/outlook).
func (r *Row) see(booked *match.Name) {
	if r.name == nil {
		r.name = new(match.ParseWatched(r.draft.Name, r.draft.County != nil))
	}
	if match.FitOf(r.name, booked).Same {
		r.ByName++
	} else {
		r.ByVariant++
	}
}

// index returns the new lines by their ids in an index like that of the notifier, with the same names and levels.
func (p *Plan) index() (map[string]*Row, *match.Index, error) {
	rows, all := map[string]*Row{}, []match.Watcher{}
	for _, r := range p.Rows {
		if r.Outcome != Create {
			continue
		}
		level, err := match.ParseLevel(string(r.draft.Level))
		if err != nil {
			return nil, nil, err
		}
		w := match.Watcher{ID: strconv.Itoa(r.Line), Name: r.draft.Name, Level: level, Born: r.draft.Born()}
		if r.draft.County != nil {
			w.County = r.draft.County.Slug
		}
		rows[w.ID], all = r, append(all, w)
	}
	index := match.NewIndex()
	index.Add(all...)
	return rows, index, nil
}
