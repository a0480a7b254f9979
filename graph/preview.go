package graph

import (
	"context"
	"math"
	"strconv"
	"time"

	"rollcall/graph/limit"
	"rollcall/graph/loader"
	"rollcall/graph/scalar"
	"rollcall/match"
	"rollcall/match/watch"
	"rollcall/models"
)

// previewDays is the largest number of days that a preview looks back, and the default.
const previewDays = 30

// preview returns what a watcher would have found among the bookings of the last days (nil: 30).
// Nothing is stored. Its figures answer two questions before an alert is made: how many events to
// expect, and whether the name fits more than one person.
func (r *Resolver) preview(ctx context.Context, n *models.NewWatcher, days *int) (*scalar.AlertPreview, error) {
	back := previewDays
	if days != nil {
		back = *days
	}
	if back < 1 || back > previewDays {
		return nil, models.Invalid("days", "days must be between 1 and "+strconv.Itoa(previewDays))
	}
	w, err := r.store.DraftWatcher(n)
	if err != nil {
		return nil, err
	}
	covered, err := r.store.CoveredJails(ctx)
	if err != nil {
		return nil, err
	}
	f, err := models.NewPreview(w, limit.PreviewHits)
	if err != nil {
		return nil, err
	}
	if err := r.store.PeopleBookedSince(ctx, r.store.Now().Add(-time.Duration(back)*24*time.Hour), w.County, f.See); err != nil {
		return nil, err
	}
	return &scalar.AlertPreview{
		Draft: w, Covered: covered.Has(w.County),
		ExpectedPer30Days: int(math.Round(float64(f.Count) * previewDays / float64(back))), People: f.People(), Hits: f.Newest,
		WrongPerYear: wrongPerYear(f, w, back),
	}, loader.ExpectHits(ctx, f.Newest)
}

// wrongPerYear returns the alerts a year to expect about people whose names do not fit, from the bookings of
// the days behind us. Nil for a last name alone: the figures are those of full names.
func wrongPerYear(f *models.Preview, w *models.Watcher, days int) *float64 {
	level, err := match.ParseLevel(string(w.Level))
	if err != nil || watch.KindOf(w.Name) != watch.Full {
		return nil
	}
	yearly := float64(f.Seen) * 365 / float64(days)
	wrong := watch.Wrong(level, watch.KnownOf(w.Born()), yearly, float64(f.Stated)/float64(max(f.Seen, 1)))
	return new(math.Round(wrong*1e6) / 1e6)
}
