package notifier

import (
	"context"
	"slices"

	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/models/snapshot"
)

// Forecast is what a snapshot would send if it were applied now. It names nobody.
type Forecast struct {
	// Alerts counts the alerts that would fire.
	Alerts int `json:"alerts"`
	// Events counts what they would be sent, by kind: an alert may be sent several.
	Events map[models.EventKind]int `json:"events"`
	// More is set where the snapshot changes more than is tried out: the counts are then too low.
	More bool `json:"more"`
}

// Foretell matches what a snapshot that was tried out would have watchers notified of, against the alerts of this moment. It
// is the matcher's own way up to where events are written; nothing is.
func (m *Matcher) Foretell(ctx context.Context, news snapshot.News) (Forecast, error) {
	out := Forecast{Events: map[models.EventKind]int{}, More: news.More}
	if len(news.Changes) == 0 {
		return out, nil
	}
	if err := m.Standing.CatchUp(ctx); err != nil {
		return out, err
	}
	heard := map[string]bool{}
	for chunk := range slices.Chunk(news.Changes, matchChunk) {
		of := make(map[int64]*models.Change, len(chunk))
		for _, c := range chunk {
			of[c.ID] = c
		}
		// Each chunk has a transaction of its own, as in a match: it locks the watchers that it looks at.
		err := m.Store.Foretell(ctx, func(ctx context.Context, tx *alert.Matching) error {
			r := round{Matching: tx, standing: m.Standing, changes: chunk}
			events, err := r.admit(ctx, append(r.standingHits(), toldOf(of, news.Notified)...))
			if err != nil {
				return err
			}
			if events, err = r.New(ctx, events); err != nil {
				return err
			}
			for _, e := range events {
				heard[e.Watcher.ID] = true
				out.Events[e.Change.Kind]++
			}
			return nil
		})
		if err != nil {
			return out, err
		}
	}
	out.Alerts = len(heard)
	return out, nil
}
