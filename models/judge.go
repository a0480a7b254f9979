package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// What reconcile says of who may be a withheld juvenile, it says of rows that come or change. The bookings that were
// published before the rule was there are judged once, from the side of its grounds, which are few: the table judged
// notes how far that has come, so that a process that ends leaves the rest to the next.

// nextGround gives the ground after one, and its source, by the rule that it belongs to.
var nextGround = map[string]string{
	"bookings": `select h.rid, h.source_id from bookings h where ` + isGround + ` and h.rid > $1 order by h.rid limit 1`,
	"courts": `select c.id, c.source_id from court_cases c where c.booking_key is not null and c.id > $1
 and minor_on((c.filed_date - interval '2 years')::date, c.dob, c.birth_year) order by c.id limit 1`,
}

// JudgePublished looks at one juvenile's booking or case, and withholds the bookings that were published before anybody
// asked whether they may be of the same person, with their cases, deliveries and notices. It gives how many the public
// lost; done means that there is nothing left to look at. Several processes may call it.
func (s *Store) JudgePublished(ctx context.Context) (hidden int, done bool, err error) {
	err = s.InTx(ctx, func(tx pgx.Tx) error {
		var rule string
		var upto int64
		err := tx.QueryRow(ctx, `select rule, upto from judged where ended_at is null order by rule limit 1 for update`).Scan(&rule, &upto)
		if errors.Is(err, pgx.ErrNoRows) {
			done = true
			return nil
		}
		if err != nil {
			return fmt.Errorf("look how far records were judged: %w", err)
		}
		hidden, err = s.judgeNext(ctx, tx, rule, upto, s.now().UTC())
		return err
	})
	if err != nil {
		return 0, false, fmt.Errorf("judge what was published: %w", err)
	}
	return hidden, done, nil
}

func (s *Store) judgeNext(ctx context.Context, tx pgx.Tx, rule string, upto int64, now time.Time) (int, error) {
	if _, err := tx.Exec(ctx, `select from generations where family = 'roster' for update`); err != nil {
		return 0, fmt.Errorf("wait for writers of bookings: %w", err)
	}
	var ground int64
	var source string
	err := tx.QueryRow(ctx, nextGround[rule], upto).Scan(&ground, &source)
	if errors.Is(err, pgx.ErrNoRows) {
		_, err = tx.Exec(ctx, `update judged set ended_at = $2 where rule = $1`, rule, now)
		return 0, err
	}
	if err != nil {
		return 0, fmt.Errorf("find the next ground: %w", err)
	}
	var bookings, cases []int64
	if rule == "courts" {
		cases = []int64{ground}
	} else {
		bookings = []int64{ground}
	}
	st := &staging{store: s, tx: tx, Reconciler: Reconciler{Snapshot: Snapshot{SourceID: source, Now: now}}}
	hidden, shown, err := sealBookingsOf(ctx, tx, bookings, cases, st.sealer())
	if err != nil {
		return 0, err
	}
	if err := st.followBookings(ctx, hidden, shown); err != nil {
		return 0, err
	}
	if err := st.sealBatch(ctx); err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, `update judged set upto = $2 where rule = $1`, rule, ground)
	return len(hidden), err
}
