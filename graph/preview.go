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
	f, err := r.wouldMatch(ctx, w, r.store.Now().Add(-time.Duration(back)*24*time.Hour))
	if err != nil {
		return nil, err
	}
	return &scalar.AlertPreview{
		Draft: w, Covered: covered.Has(w.County),
		ExpectedPer30Days: int(math.Round(float64(f.count) * previewDays / float64(back))), People: len(f.people), Hits: f.newest,
		WrongPerYear: f.wrong(w, back),
	}, loader.ExpectHits(ctx, f.newest)
}

// foundBefore is what a watcher would have found.
type foundBefore struct {
	// Bookings that were looked at, and those of them that state a birth.
	seen, stated int
	// Bookings that match.
	count int
	// Different people among them: by birth, or by name where no birth is stated.
	people map[string]bool
	// The newest of the bookings, for the page.
	newest []*models.Hit
}

// wrong returns the alerts a year to expect about people whose names do not fit, from the bookings of
// the days behind us. Nil for a last name alone: the figures are those of full names.
func (f *foundBefore) wrong(w *models.Watcher, days int) *float64 {
	level, err := match.ParseLevel(string(w.Level))
	if err != nil || watch.KindOf(w.Name) != watch.Full {
		return nil
	}
	yearly := float64(f.seen) * 365 / float64(days)
	wrong := watch.Wrong(level, watch.KnownOf(w.Born()), yearly, float64(f.stated)/float64(max(f.seen, 1)))
	return new(math.Round(wrong*1e6) / 1e6)
}

// wouldMatch compares a watcher with everybody booked since then, through the same index and level
// as the notifier. So a preview finds exactly what alerts would have fired for.
func (r *Resolver) wouldMatch(ctx context.Context, w *models.Watcher, since time.Time) (*foundBefore, error) {
	watcher, err := w.Compared("preview")
	if err != nil {
		return nil, err
	}
	name := match.ParseWatched(w.Name, w.County != nil)
	index := match.NewIndex()
	index.Add(watcher)
	f := &foundBefore{people: map[string]bool{}, newest: []*models.Hit{}}
	var hits []match.Hit
	err = r.store.PeopleBookedSince(ctx, since, w.County, func(p *models.BookedPerson) bool {
		b := p.Compared()
		if f.seen++; b.Born.Year != 0 {
			f.stated++
		}
		if hits, _ = index.Match(hits[:0], &b); len(hits) == 0 {
			return true
		}
		f.people[whoIs(p)] = true
		if f.count++; f.count <= limit.PreviewHits {
			f.newest = append(f.newest, &models.Hit{
				ID: "preview_" + strconv.Itoa(f.count), RID: p.RID, Probability: hits[0].Probability, At: p.BookedAt.UTC(),
				Reasons: match.ExplainWatched(&name, &b.Name, watcher.Born, b.Born), State: models.HitUnread,
			})
		}
		return true
	})
	return f, err
}

// whoIs returns a key that separates people whose names are alike. Different births are different
// people. Without a birth, different names may be.
func whoIs(p *models.BookedPerson) string {
	switch {
	case p.Dob != nil:
		return p.Dob.String()
	case p.BirthYear != nil:
		return strconv.Itoa(*p.BirthYear)
	}
	return match.Fold(p.Name)
}
