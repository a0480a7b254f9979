package lookback

import (
	"cmp"
	"context"
	"slices"
	"time"

	"rollcall/match"
	"rollcall/match/outlook"
	"rollcall/match/watch"
	"rollcall/models"
)

// Similar returns the bookings of the year behind us whose names a watcher at level wide would take for the same person's,
// and that a search for the name does not find, the likeliest first. It waits while another look of the account runs. A name
// that no watcher may have is a models.Error.
func (r *Reader) Similar(ctx context.Context, accountID string, asked models.SimilarAsked) (*models.SimilarNames, error) {
	if err := models.PlainText("name", asked.Name); err != nil {
		return nil, err
	}
	var county *models.County
	if slug := asked.County; slug != nil && *slug != "" {
		c, err := r.store.Counties().BySlug(*slug)
		if err != nil {
			return nil, err
		}
		county = c
	}
	if kind := watch.KindOf(asked.Name); kind != watch.Full && (kind != watch.OneWord || county == nil) {
		return nil, models.Invalid("name", "name must hold a first and a last name in Latin letters, or a last name beside a county")
	}
	done, err := r.turns.Take(ctx, accountID)
	if err != nil {
		return nil, err
	}
	defer done()
	alike, err := r.alike(ctx, asked, county)
	if err != nil {
		return nil, err
	}
	out := &models.SimilarNames{Total: len(alike.found), Days: alike.days, Names: []*models.SimilarName{}}
	from := min(max(asked.Skip, 0), len(alike.found))
	shown := alike.found[from:min(from+asked.Limit, len(alike.found))]
	keys := make([]int64, len(shown))
	for i, one := range shown {
		keys[i] = one.rid
	}
	bookings, err := r.store.BookingsByKeys(ctx, keys)
	if err != nil {
		return nil, err
	}
	for _, one := range shown {
		if b := bookings[one.rid]; b != nil { // else it was withheld a moment ago
			booked := match.Parse(b.Name)
			out.Names = append(out.Names, &models.SimilarName{Record: b, Probability: one.probability, Reasons: match.Explain(&alike.name, &booked)})
		}
	}
	return out, nil
}

// similar is a booking under a similar name.
type similar struct {
	rid         int64
	probability float64
}

// alike are the similar names of the days that were looked at.
type alike struct {
	name  match.Name
	found []similar
	days  int
}

// alike looks at the bookings of the year, newest first, until longest is over.
func (r *Reader) alike(ctx context.Context, asked models.SimilarAsked, county *models.County) (*alike, error) {
	out := &alike{name: match.ParseWatched(asked.Name, county != nil), days: outlook.Days}
	least, words := match.Wide.From(&out.name), match.Words(asked.Name)
	now, began := r.store.Now(), time.Now()
	err := r.store.PeopleBookedSince(ctx, now.AddDate(0, 0, -outlook.Days), county, func(p *models.BookedPerson) bool {
		booked := match.Parse(p.Name)
		probability := match.CompareWatched(&out.name, &booked, match.Birth{}, match.Birth{}).Probability
		if probability >= least && p.MayBeBorn(asked.Born) && !match.Holds(match.SearchKey(p.Name), words) {
			out.found = append(out.found, similar{p.RID, probability})
		}
		if time.Since(began) < longest {
			return true
		}
		out.days = int(now.Sub(p.BookedAt) / (24 * time.Hour))
		return false
	})
	// Of equally likely ones the newest booking stays first.
	slices.SortStableFunc(out.found, func(a, b similar) int { return cmp.Compare(b.probability, a.probability) })
	return out, err
}
