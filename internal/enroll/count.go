package enroll

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"rollcall/internal/plural"
	"rollcall/match"
	"rollcall/match/outlook"
	"rollcall/models"
	"rollcall/models/store"
)

// Basis is what the counts of a plan rest on.
type Basis struct {
	// Since is how far back bookings were counted: twelve months, or less where Whole is false, as there was no more time.
	Since time.Time
	Whole bool
	// Days are how many days behind us bookings are known in full, of the county that is known longest, and Later how many
	// counties are known for fewer (match/outlook).
	Days, Later int
	// Jails are the counties of which a running source reports the jail, of Counties that there are.
	Jails, Counties int

	// counted is how many days Since lies behind us.
	counted int
}

// Says says in sentences where the counts are of less than twelve months of the whole state; nothing where they are.
func (b *Basis) Says() []string {
	var out []string
	if b.Days < b.counted {
		out = append(out, "Our records are complete only for the last "+plural.Of(b.Days, "day")+".",
			"Older bookings are included only if the person was still in jail when our records began.")
	}
	if b.Later > 0 {
		out = append(out, "The records of "+plural.Of(b.Later, "county", "counties")+" start later.")
	}
	if b.Jails < b.Counties {
		out = append(out, fmt.Sprintf("%d of %d counties are covered. People booked in the others are not found.", b.Jails, b.Counties))
	}
	return out
}

// Count counts the bookings of the last twelve months that each new line would have hit, in one pass over them for all
// lines together, the newest first. It takes no longer than within: then the basis says how far it came.
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
	p.Counties = len(st.Counties().All())
	if p.Jails, err = st.JailsCovered(ctx, nil); err != nil {
		return err
	}
	until, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	now := st.Now()
	p.Since = now
	known := outlook.NewKnown(now)
	var hits []match.Hit
	err = st.PeopleBookedSince(until, year, nil, func(b *models.BookedPerson) bool {
		if until.Err() != nil {
			return false
		}
		p.Since = b.BookedAt
		known.See(b.County, b.FirstSeen)
		booking := b.Compared()
		hits, _ = index.Match(hits[:0], &booking)
		for _, h := range hits {
			rows[h.ID].see(&booking.Name)
		}
		return true
	})
	switch {
	case err == nil && until.Err() == nil:
		p.Since, p.Whole, p.counted = year, true, outlook.Days
	case ctx.Err() != nil: // the request has no time left, whatever the reading says of it
		return fmt.Errorf("count hits: %w", context.Cause(ctx))
	case until.Err() == nil:
		return fmt.Errorf("count hits: %w", err)
	default:
		p.counted = int(now.Sub(p.Since) / (24 * time.Hour))
	}
	p.Days, p.Later = known.Days(now.Sub(p.Since))
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
		w, err := r.draft.Compared(strconv.Itoa(r.Line))
		if err != nil {
			return nil, nil, err
		}
		rows[w.ID], all = r, append(all, w)
	}
	index := match.NewIndex()
	index.Add(all...)
	return rows, index, nil
}
