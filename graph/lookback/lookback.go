package lookback

import (
	"context"
	"time"

	"rollcall/graph/generated"
	"rollcall/internal/turn"
	"rollcall/match/outlook"
	"rollcall/models"
	"rollcall/models/store"
)

// longest is how long one look reads: the bookings of a state's year take two seconds. What was not read by then
// shortens the days that the answer speaks of.
const longest = 4 * time.Second

// Reader looks back for watchers. It is safe for concurrent use.
type Reader struct {
	store *store.Store
	turns *turn.Turns
}

// New returns a reader of a store, whose looks take turns.
func New(s *store.Store, turns *turn.Turns) *Reader { return &Reader{store: s, turns: turns} }

// Year returns what a watcher that is not stored would have found in the year behind us. It waits while another look of
// the account runs.
func (r *Reader) Year(ctx context.Context, accountID string, w *models.Watcher) (*generated.AlertYear, error) {
	done, err := r.turns.Take(ctx, accountID)
	if err != nil {
		return nil, err
	}
	defer done()
	seen, err := r.look(ctx, w)
	if err != nil {
		return nil, err
	}
	out := &generated.AlertYear{
		Bookings: seen.Bookings(), ByName: seen.Same, ByVariant: seen.Varied, Days: seen.Days, CountiesLater: seen.Later, Estimate: seen.Yearly,
		Narrowings: []*generated.AlertNarrowing{},
	}
	for _, n := range seen.Narrowings {
		narrowing := &generated.AlertNarrowing{By: n.By, Bookings: n.Leaves}
		if n.County != "" {
			if narrowing.County, err = r.store.Counties().BySlug(n.County); err != nil {
				return nil, err
			}
		}
		out.Narrowings = append(out.Narrowings, narrowing)
	}
	out.CountiesCovered, err = r.store.JailsCovered(ctx, w.County)
	return out, err
}

// look passes the bookings of the year to the outlook of a watcher.
func (r *Reader) look(ctx context.Context, w *models.Watcher) (*outlook.Summary, error) {
	watched, err := w.Compared("preview")
	if err != nil {
		return nil, err
	}
	now, began, reach := r.store.Now(), time.Now(), time.Duration(0)
	o := outlook.New(watched, now)
	err = r.store.PeopleBookedSince(ctx, now.AddDate(0, 0, -outlook.Days), w.County, func(p *models.BookedPerson) bool {
		o.See(&outlook.Booking{
			Booking: p.Compared(),
			Written: p.Name, BookedAt: p.BookedAt, FirstSeen: p.FirstSeen,
		})
		if time.Since(began) < longest {
			return true
		}
		reach = max(now.Sub(p.BookedAt), 1)
		return false
	})
	if err != nil {
		return nil, err
	}
	s := o.Sum(reach)
	return &s, nil
}
