package graph

import (
	"context"
	"time"

	"rollcall/graph/change"
	"rollcall/graph/generated"
	"rollcall/graph/loader"
	"rollcall/graph/scalar"
	"rollcall/models"
	"rollcall/models/alert"
)

// Covered returns whether a source reports a jail that a watcher looks at.
func (r *alertResolver) Covered(ctx context.Context, obj *models.Watcher) (bool, error) {
	covered, err := r.store.CoveredJails(ctx)
	return covered.Has(obj.County), err
}

// HitCount returns how many records a watcher has matched.
func (r *alertResolver) HitCount(ctx context.Context, obj *models.Watcher) (int, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return 0, err
	}
	total, err := l.HitTotals.Load(ctx, obj.ID)
	return total.Count, err
}

// LastHit returns when a record last began to match a watcher; nil when none has.
func (r *alertResolver) LastHit(ctx context.Context, obj *models.Watcher) (*time.Time, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	total, err := l.HitTotals.Load(ctx, obj.ID)
	return total.Last, err
}

// Answers returns what the account said of a watcher's hits.
func (r *alertResolver) Answers(ctx context.Context, obj *models.Watcher) (*generated.AlertAnswers, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	total, err := l.HitTotals.Load(ctx, obj.ID)
	answered := total.Confirmed + total.Dismissed
	out := &generated.AlertAnswers{Confirmed: total.Confirmed, Dismissed: total.Dismissed, Unread: total.Count - answered}
	if answered > 0 {
		out.Share = new(float64(total.Confirmed) / float64(answered))
	}
	return out, err
}

// History returns a page of what was changed of a watcher, newest first.
func (r *alertResolver) History(ctx context.Context, obj *models.Watcher, limit *int, after *string) ([]*models.WatcherEdit, error) {
	page, err := models.NewPage(limit, nil, after)
	if err != nil {
		return nil, err
	}
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	list, err := r.store.Edits(ctx, account, obj.ID, page)
	return orEmpty(list), err
}

// Hits returns a page of a watcher's hits, newest first. Their bookings and events are announced,
// so a page costs one statement for each.
func (r *alertResolver) Hits(ctx context.Context, obj *models.Watcher, limit *int, offset *int, after *string) ([]*models.Hit, error) {
	page, err := models.NewPage(limit, offset, after)
	if err != nil {
		return nil, err
	}
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	list, err := r.store.Hits(ctx, account, obj.ID, page)
	if err != nil {
		return nil, err
	}
	return orEmpty(list), loader.ExpectHits(ctx, list)
}

// Alert returns the watcher of an event, also one that is deleted.
func (r *alertEventResolver) Alert(ctx context.Context, obj *models.AlertEvent) (*models.Watcher, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return found(l.Watchers.Load(ctx, orZero(obj.WatcherID)))
}

// Record returns the booking of an event as it is now. An event whose booking is withheld is listed
// nowhere, so a missing one is an error.
func (r *alertEventResolver) Record(ctx context.Context, obj *models.AlertEvent) (*models.Booking, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return found(l.Bookings.Load(ctx, orZero(obj.RID)))
}

// Facts returns the booking as it was when the event was detected: what webhooks were sent.
func (r *alertEventResolver) Facts(ctx context.Context, obj *models.AlertEvent) (*models.EventFacts, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return found(l.Facts.Load(ctx, obj.ID))
}

// Hit returns the match that led to an event.
func (r *alertEventResolver) Hit(ctx context.Context, obj *models.AlertEvent) (*models.Hit, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return found(l.Hits.Load(ctx, orZero(obj.HitID)))
}

// Record returns the booking of a hit as it is now.
func (r *alertHitResolver) Record(ctx context.Context, obj *models.Hit) (*models.Booking, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return found(l.Bookings.Load(ctx, obj.RID))
}

// Scopes returns what a dismissal of a hit may cover: what GiveFeedback takes.
func (r *alertHitResolver) Scopes(ctx context.Context, obj *models.Hit) ([]models.DismissScope, error) {
	if obj.WatcherID == "" {
		return []models.DismissScope{}, nil // of a preview
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	w, err := found(l.Watchers.Load(ctx, obj.WatcherID))
	if err != nil {
		return nil, err
	}
	b, err := found(l.Bookings.Load(ctx, obj.RID))
	if err != nil {
		return nil, err
	}
	if models.Spelling(b.Name) == models.Spelling(w.Name) {
		return []models.DismissScope{models.ThisPerson}, nil
	}
	return []models.DismissScope{models.ThisPerson, models.ThisSpelling}, nil
}

// Events returns the events of a hit, oldest first.
func (r *alertHitResolver) Events(ctx context.Context, obj *models.Hit) ([]*models.AlertEvent, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	list, err := l.HitEvents.Load(ctx, obj.ID)
	return orEmpty(list), err
}

// Alert returns the watcher that a notice is about, or null for a notice about a source.
func (r *alertNoticeResolver) Alert(ctx context.Context, obj *models.AlertNotice) (*models.Watcher, error) {
	if obj.WatcherID == nil {
		return nil, nil //nolint:nilnil // the schema's null: a notice about a source
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Watchers.Load(ctx, *obj.WatcherID)
}

// Source returns the source that a notice is about, or null for a notice about a record.
func (r *alertNoticeResolver) Source(ctx context.Context, obj *models.AlertNotice) (*models.Source, error) {
	if obj.SourceID == nil {
		return nil, nil //nolint:nilnil // the schema's null: a notice about a record
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Sources.Load(ctx, *obj.SourceID)
}

// CopyOf returns a watcher of the account that asks for the same.
func (r *alertPreviewResolver) CopyOf(ctx context.Context, obj *scalar.AlertPreview) (*models.Watcher, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	return r.store.CopiedWatcher(ctx, account, obj.Draft)
}

// Year returns what the watcher would have found in the 12 months behind us.
func (r *alertPreviewResolver) Year(ctx context.Context, obj *scalar.AlertPreview) (*generated.AlertYear, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	return r.lookback.Year(ctx, account, obj.Draft)
}

// CreateAlert stores a watcher of the caller's account. It sees what is detected from then on
// (DECISIONS, "Alerts"). The store checks the input for both interfaces.
func (r *mutationResolver) CreateAlert(ctx context.Context, input generated.CreateAlertInput) (*models.Watcher, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	w, err := r.store.CreateWatcher(ctx, account, change.NewWatcher(&input))
	if err != nil {
		return nil, err
	}
	return w, r.did(ctx, "alert created", called(w))
}

// UpdateAlert changes a watcher. With ifVersion, a watcher that somebody else changed meanwhile is
// CONFLICT and stays as it is.
func (r *mutationResolver) UpdateAlert(ctx context.Context, id string, input generated.UpdateAlertInput) (*models.Watcher, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	c, more := change.OfWatcher(&input)
	c.By = actor(ctx)
	w, err := r.store.UpdateWatcher(ctx, account, id, c)
	if err != nil {
		return nil, err
	}
	return w, r.did(ctx, changed("alert", input.Paused, more), called(w))
}

// DeleteAlert ends a watcher; its pending deliveries are dropped, reason cancelled. The watcher is
// read first, because the trail names it. A second call is not found.
func (r *mutationResolver) DeleteAlert(ctx context.Context, id string, ifVersion *string) (string, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return "", err
	}
	w, err := r.store.Watcher(ctx, account, id)
	if err == nil {
		err = r.store.DeleteSeenWatcher(ctx, account, id, ifVersion)
	}
	if err != nil {
		return "", err
	}
	return id, r.did(ctx, "alert deleted", called(w))
}

// GiveFeedback stores whether a hit is the person meant. Dismissing stops all later events of that
// person, or spelling, for that watcher. With ifVersion, a hit that somebody else handled meanwhile is CONFLICT.
func (r *mutationResolver) GiveFeedback(ctx context.Context, hitID string, verdict models.HitFeedback, scope *models.DismissScope, ifVersion *string) (*models.Hit, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	if scope != nil && verdict != models.Dismiss {
		return nil, models.InvalidBody("scope", "only DISMISS has a scope; leave it out")
	}
	h, err := r.store.Handle(ctx, account, hitID, handledBy(ctx, models.Handling{Answer: &verdict, Scope: orZero(scope), Seen: ifVersion}))
	if err != nil {
		return nil, err
	}
	return h, r.did(ctx, verdict.Done(), h.RecordID+" for "+h.WatcherID)
}

// Alerts returns a page of the account's watchers, newest first, paused ones included; with a label, of those that bear it.
func (r *queryResolver) Alerts(ctx context.Context, limit *int, offset *int, label *string, after *string, name *string) (*models.WatcherPage, error) {
	page, err := models.NewPage(limit, offset, after)
	if err != nil {
		return nil, err
	}
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	out, err := r.store.FindWatchers(ctx, account, alert.Find{Label: label, Name: name}, page)
	if err != nil {
		return nil, err
	}
	return out, loader.ExpectWatchers(ctx, out.Watchers)
}

// Alert returns one watcher of the account. Another account's is not found, as on /v1.
func (r *queryResolver) Alert(ctx context.Context, id string) (*models.Watcher, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	return r.store.Watcher(ctx, account, id)
}

// PreviewAlert returns what a watcher would have found, without storing it. It reads bookings only,
// but is part of alerts, so it needs their plan.
func (r *queryResolver) PreviewAlert(ctx context.Context, name string, county *string, level *models.MatchLevel, days *int, dob *models.Date, birthYear *int, age *int, ageOn *models.Date) (*scalar.AlertPreview, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	done, err := r.alerts.Turns.Take(ctx, account)
	if err != nil {
		return nil, err
	}
	defer done()
	return r.preview(ctx, &models.NewWatcher{Name: name, County: county, Level: level, Dob: dob, BirthYear: birthYear, Age: age, AgeOn: ageOn}, days)
}

// Hit returns one hit of the account's watchers.
func (r *queryResolver) Hit(ctx context.Context, id string) (*models.Hit, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	return r.store.Hit(ctx, account, id)
}

// AlertEvents returns the account's newest events, newest first, without notices and without events
// of records that are withheld.
func (r *queryResolver) AlertEvents(ctx context.Context, limit *int) ([]*models.AlertEvent, error) {
	page, err := models.NewPage(limit, nil, nil)
	if err != nil {
		return nil, err
	}
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	list, err := r.store.LatestEvents(ctx, account, page.Limit)
	if err != nil {
		return nil, err
	}
	return orEmpty(list), loader.ExpectEvents(ctx, list)
}

// EventCursor returns the id of the account's newest event or notice, from which a subscription can
// begin without a gap.
func (r *queryResolver) EventCursor(ctx context.Context) (string, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return "", err
	}
	id, _, err := r.store.LastEvent(ctx, account)
	return id, err
}

// AlertEvents follows the account's events. See follow for where it begins and when it ends.
func (r *subscriptionResolver) AlertEvents(ctx context.Context, after *string) (<-chan *models.AlertEvent, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	return follow(ctx, r.Resolver, account, after, r.store.EventsAfter, func(e *models.AlertEvent) *models.AlertEvent { return e })
}

// AlertNotices follows the account's notices: what is sent about records and sources rather than
// activity of a person.
func (r *subscriptionResolver) AlertNotices(ctx context.Context, after *string) (<-chan *models.AlertNotice, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	return follow(ctx, r.Resolver, account, after, r.store.NoticesAfter, func(n *models.AlertNotice) *models.AlertEvent { return &n.AlertEvent })
}

func (r *Resolver) Alert() generated.AlertResolver { return &alertResolver{r} }

func (r *Resolver) AlertEvent() generated.AlertEventResolver { return &alertEventResolver{r} }

func (r *Resolver) AlertHit() generated.AlertHitResolver { return &alertHitResolver{r} }

func (r *Resolver) AlertNotice() generated.AlertNoticeResolver { return &alertNoticeResolver{r} }

func (r *Resolver) AlertPreview() generated.AlertPreviewResolver { return &alertPreviewResolver{r} }

func (r *Resolver) Mutation() generated.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Subscription() generated.SubscriptionResolver { return &subscriptionResolver{r} }

type (
	alertResolver        struct{ *Resolver }
	alertEventResolver   struct{ *Resolver }
	alertHitResolver     struct{ *Resolver }
	alertNoticeResolver  struct{ *Resolver }
	alertPreviewResolver struct{ *Resolver }
	mutationResolver     struct{ *Resolver }
	subscriptionResolver struct{ *Resolver }
)
