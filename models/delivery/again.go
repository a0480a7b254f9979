package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// startable is the view of deliveries that may begin anew: final ones whose endpoint, watcher, person and
// record allow it.
const startable = "startable_deliveries"

// locked is the lock of reads whose rows nobody else may change until the transaction ends.
var locked = clause.Locking{Strength: "update"}

// Redeliver begins a final delivery of the account anew, with all attempts. Its bytes and its webhook-id
// stay, so that a receiver knows a repetition. It is CodeConflict while the delivery is under way, when its
// record is withheld, and when its endpoint, watcher, hit or account does not allow it any more.
func (s *Store) Redeliver(ctx context.Context, accountID, id string) (*models.Delivery, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	var d *models.Delivery
	err := s.Joint(ctx, func(tx *joint.Tx) (err error) {
		if d, err = mayBeginAnew(tx.Gorm(), accountID, id); err != nil {
			return err
		}
		again, err := begin(ctx, tx, tx.Gorm().Where("id = ?", id), s.Moment())
		if err != nil {
			return err
		}
		if again == 0 {
			return whyNotAgain(tx.Gorm(), d)
		}
		d, err = readDelivery(tx.Gorm(), accountID, id)
		return err
	})
	if err != nil {
		return nil, db.Known("redeliver", err)
	}
	return d, nil
}

// CheckRedeliver returns the error that Redeliver would return, and begins nothing.
func (s *Store) CheckRedeliver(ctx context.Context, accountID, id string) error {
	if err := models.PlainText("id", id); err != nil {
		return err
	}
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		d, err := mayBeginAnew(tx.Gorm(), accountID, id)
		if err != nil {
			return err
		}
		var startables int64
		if err := tx.Gorm().Table(startable).Where("id = ?", id).Count(&startables).Error; err != nil || startables > 0 {
			return err
		}
		return whyNotAgain(tx.Gorm(), d)
	})
	return db.Known("check redelivery", err)
}

// mayBeginAnew returns a delivery, locked, whose account gets deliveries, and that is final and may be shown.
func mayBeginAnew(tx *gorm.DB, accountID, id string) (*models.Delivery, error) {
	d, err := readDelivery(tx.Clauses(locked), accountID, id)
	if err != nil {
		return nil, err
	}
	switch {
	case d.State == models.DeliveryPending || d.State == models.DeliveryFailed:
		return nil, conflict("the delivery is still under way")
	case d.Withheld:
		return nil, conflict("the record of this delivery can no longer be shown, so it cannot be sent again")
	}
	return d, entitled(tx, accountID)
}

// entitled refuses deliveries of an account that gets none: what began anew would be dropped with reason plan.
func entitled(tx *gorm.DB, accountID string) error {
	a, err := db.One[models.Account](tx.Where("id = ?", accountID), models.NotFound("there is no account with this id"))
	if err != nil || a.Entitled() {
		return err
	}
	if a.SuspendedAt != nil {
		return conflict("the account is suspended, so nothing is sent: resume it, then try again")
	}
	return conflict("the account is not on the Enterprise plan, so nothing is sent: change the plan, then try again")
}

// whyNotAgain returns the one reason why a final delivery may not begin anew (startable), with what to do.
func whyNotAgain(tx *gorm.DB, d *models.Delivery) error {
	h, err := db.One[models.Webhook](tx.Where("id = ?", d.WebhookID), errNoWebhook)
	if err != nil {
		return err
	}
	if h.DeletedAt != nil {
		return conflict("the endpoint of this delivery was deleted, so it cannot be sent again")
	}
	if err := notSentTo(h); err != nil || d.WatcherID == nil {
		return err
	}
	w, err := db.One[models.Watcher](tx.Where("id = ?", *d.WatcherID), errNoDelivery)
	switch {
	case err != nil:
		return err
	case w.DeletedAt != nil:
		return conflict("the alert of this delivery was deleted, so it cannot be sent again")
	case w.Paused:
		return conflict("the alert of this delivery is paused: resume it (paused: false), then try again")
	}
	return conflict("the hit of this delivery is dismissed: undo the dismissal, then try again")
}

// begin starts those of some deliveries anew that may be, and returns their number. A retraction of their
// events goes with them, uncounted: a receiver that gets a withdrawn release again must get its withdrawal
// too.
func begin(ctx context.Context, tx *joint.Tx, which *gorm.DB, now time.Time) (int, error) {
	var ids []string
	if err := which.Table(startable).Clauses(locked).Pluck("id", &ids).Error; err != nil {
		return 0, err
	}
	begun, err := start(ctx, tx.Pgx(), ids, now)
	if err != nil || len(begun) == 0 {
		return 0, err
	}
	events, webhooks := make([]string, len(begun)), make([]string, len(begun))
	for i, b := range begun {
		events[i], webhooks[i] = b.Event, b.Webhook
	}
	rows, err := tx.Pgx().Query(ctx, statements.Get("retractions_to_begin"), pgx.NamedArgs{"events": events, "webhooks": webhooks})
	if err != nil {
		return 0, err
	}
	if ids, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		return 0, err
	}
	_, err = start(ctx, tx.Pgx(), ids, now)
	return len(begun), err
}

// place is the event that a delivery carries, and its endpoint.
type place struct {
	// Event is empty for a test delivery.
	Event   string
	Webhook string
}

// start starts deliveries anew that are locked, and returns what they carry.
func start(ctx context.Context, tx pgx.Tx, ids []string, now time.Time) ([]place, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := tx.Query(ctx, statements.Get("begin_deliveries"), pgx.NamedArgs{"ids": ids, "now": now})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[place])
}

// replayChunk bounds how many deliveries one transaction of a replay begins.
const replayChunk = 2000

// Replay begins deliveries of an endpoint anew, by time and state, and returns their number; a dry run only
// counts. The default state is dropped. Left out are deliveries under way, those of deleted or paused
// watchers, of withheld records and of dismissed people; a dismissed one can be begun anew alone (Redeliver).
// An endpoint that is disabled or paused is CodeConflict, except for a dry run, and so is an account that gets no
// deliveries, for a dry run too. A replay is several
// transactions: after an error the number is of those that committed.
func (s *Store) Replay(ctx context.Context, accountID string, r models.Replay) (int, error) {
	h, err := s.endpoint(ctx, accountID, r.WebhookID)
	if err != nil {
		return 0, err
	}
	if err := checkSpan(r.From, r.To); err != nil {
		return 0, err
	}
	if err := entitled(s.rows(ctx), accountID); err != nil {
		return 0, db.Known("replay", err)
	}
	if err := notSentTo(h); err != nil && !r.DryRun {
		return 0, err
	}
	if err := checkStates(&r); err != nil {
		return 0, err
	}
	if r.DryRun {
		var n int64
		if err := s.rows(ctx).Model(&models.Delivery{}).Scopes(replayed(&r)).Where("repeatable").Count(&n).Error; err != nil {
			return 0, fmt.Errorf("count replay: %w", err)
		}
		return int(n), nil
	}
	total, now := 0, s.Moment()
	for {
		var begun int
		err := s.Joint(ctx, func(tx *joint.Tx) (err error) {
			// Not what this replay has begun already, should it be over before the next chunk.
			chunk := tx.Gorm().Scopes(replayed(&r)).Where("updated_at < ?", now).Order("created_at, id").Limit(replayChunk)
			begun, err = begin(ctx, tx, chunk, now)
			return err
		})
		if err != nil {
			return total, fmt.Errorf("replay: %w", err)
		}
		total += begun
		if begun < replayChunk {
			return total, nil
		}
	}
}

// checkStates refuses states that cannot be replayed, and sets the default.
func checkStates(r *models.Replay) error {
	if len(r.States) == 0 {
		r.States = []models.DeliveryState{models.DeliveryDropped}
	}
	for _, st := range r.States {
		if st != models.DeliveryDelivered && st != models.DeliveryDropped {
			return models.Invalid("states", "states must be delivered or dropped: deliveries that are "+string(st)+" are still being tried and need no replay")
		}
	}
	return nil
}

// replayed narrows deliveries to those that a replay asks for.
func replayed(r *models.Replay) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB {
		return q.Where("webhook_id = ? and state in ? and reason is distinct from ?", r.WebhookID, r.States, models.DropDismissed).
			Scopes(between(r.From, r.To))
	}
}
