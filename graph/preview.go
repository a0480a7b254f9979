package graph

import (
	"context"
	"math"
	"strconv"
	"time"

	"rollcall/graph/generated"
	"rollcall/match"
	"rollcall/models"
)

const (
	previewDays = 30 // most days that a preview looks back, and its default
	previewHits = 50 // records that it shows
)

// preview tells what a watcher would have found among the bookings of the last days.
func (r *Resolver) preview(ctx context.Context, n *models.NewWatcher, days *int) (*generated.AlertPreview, error) {
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
	count, list, err := r.wouldMatch(ctx, w, r.store.Now().Add(-time.Duration(back)*24*time.Hour))
	if err != nil {
		return nil, err
	}
	return &generated.AlertPreview{
		ExpectedPer30Days: int(math.Round(float64(count) * previewDays / float64(back))), Hits: list,
	}, expectHits(ctx, list)
}

// wouldMatch compares a watcher with everybody booked since then: how many match, and the newest of them.
func (r *Resolver) wouldMatch(ctx context.Context, w *models.Watcher, since time.Time) (count int, newest []*models.Hit, err error) {
	level, err := match.ParseLevel(string(w.Level))
	if err != nil {
		return 0, nil, err
	}
	name, born := match.Parse(w.Name), bornOf(w.Dob, w.BirthYear)
	index := match.NewIndex()
	index.Add(match.Watcher{ID: "preview", Name: w.Name, Level: level, Born: born})
	newest = []*models.Hit{}
	var hits []match.Hit
	err = r.store.PeopleBookedSince(ctx, since, w.County, func(p *models.BookedPerson) {
		b := match.Booking{Name: match.Parse(p.Name), County: p.County, Born: bornOf(p.Dob, p.BirthYear)}
		if hits, _ = index.Match(hits[:0], &b); len(hits) == 0 {
			return
		}
		if count++; count <= previewHits {
			newest = append(newest, &models.Hit{
				ID: "preview_" + strconv.Itoa(count), RID: p.RID, Probability: hits[0].Probability, At: p.BookedAt.UTC(),
				Reasons: match.ExplainBorn(&name, &b.Name, born, b.Born),
			})
		}
	})
	return count, newest, err
}

// bornOf is what is known of a birth.
func bornOf(dob *models.Date, year *int) match.Birth {
	switch {
	case dob != nil:
		return match.ParseBirth(dob.String())
	case year != nil:
		return match.ParseBirth(strconv.Itoa(*year))
	}
	return match.Birth{}
}
