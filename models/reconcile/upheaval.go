package reconcile

import (
	"context"
	"fmt"
	"time"

	"rollcall/models"
	"rollcall/models/db"
)

// upheavalCount is how many of a kind there must be for Upset to be asked at all.
const upheavalCount = 4

// ownRow tells whether a known row k is of a booking that the source itself told before, under whatever key.
const ownRow = `(not k.adopted or k.joined is not null)`

// weighBookings counts what the rows would change, with what stays only as it is in no row any more, while the sightings still tell when the source spoke last.
// Charges and bonds of most of its rows do change where a source tells only what changed; there it counts when
// they are told no more of those who stay.
func (st *staging) weighBookings(ctx context.Context) error {
	if st.work.changed == 0 {
		return nil
	}
	if err := st.weigh(ctx, st.bookingFacts()); err != nil || st.upheaval.Most() < upheavalCount {
		return err
	}
	u := &st.upheaval
	err := st.tx.QueryRow(ctx, `select count(*) from changed c join known k on k.ord = c.ord and `+ownRow+`
 where c.old_released is null and not c.release_inferred and c.released_at < (select max(`+db.LastSeenSQL+`)
  from `+db.SightingsOf("c.rid")+` g join sources src on src.id = g.source_id where g.source_id = $1) - make_interval(secs => $2)`, st.SourceID, overdueAfter.Seconds()).Scan(&u.Overdue)
	if err != nil {
		return fmt.Errorf("count releases of long ago: %w", err)
	}
	err = st.tx.QueryRow(ctx, `select count(*), count(*) filter (where b.released_at is null) from known k join bookings b on b.rid = k.rid where `+ownRow+` and not k.older`).Scan(&u.Known, &u.Spoken)
	if err != nil {
		return fmt.Errorf("count known rows: %w", err)
	}
	u.Spoken += u.Closed // those are closed by now
	return nil
}

// judgeBookings asks Upset, when absence was read too and before anybody is told.
func (st *staging) judgeBookings(ctx context.Context) error {
	u := &st.upheaval
	var seen *time.Time // when the last of those was seen who would be released by absence: two snapshots may have to lack them
	if st.work.gone > 0 {
		var inferred int
		if err := st.tx.QueryRow(ctx, `select count(*), max(last) from inferred where old_released is null and released_at is not null`).Scan(&inferred, &seen); err != nil {
			return fmt.Errorf("count inferred releases: %w", err)
		}
		u.Closed += inferred
	}
	if u.Most() < upheavalCount {
		return nil
	}
	var last *time.Time
	err := st.tx.QueryRow(ctx, `select (select count(distinct b.rid) from sightings g join bookings b on b.rid = g.rid where g.source_id = $1 and g.present and b.released_at is null)
  - (select count(*) from (select rid from fresh_rows union select k.rid from known k where not `+ownRow+`) n -- who only comes with it
   cross join lateral (select from bookings b where b.rid = n.rid and b.released_at is null limit 1) b
   where exists (select from `+db.SightingsOf("n.rid")+` g where g.source_id = $1 and g.present)),
 (select case when $3 then coalesce(src.last_complete, r.last) else r.last end from sources src cross join (select max(snapshot_at) as last from runs where source_id = $1 and id <> $2 and state in ('ok', 'partial')) r where src.id = $1)`,
		st.SourceID, st.RunID, st.Tracks).Scan(&u.Open, &last)
	if err != nil {
		return fmt.Errorf("count open bookings: %w", err)
	}
	u.Open += u.Closed
	if last != nil {
		u.Since = st.At.Sub(*last)
	}
	if seen != nil {
		u.Since = max(u.Since, st.At.Sub(*seen))
	}
	return st.upset(ctx, st.bookingFacts())
}

// upset holds the snapshot where Upset says so.
func (st *staging) upset(ctx context.Context, facts factsOf) error {
	if st.Upset == nil {
		return nil
	}
	st.upheaval.Lists = st.Tracks
	if err := st.agreed(ctx, facts); err != nil {
		return err
	}
	reason, cleared := st.Upset(st.upheaval)
	if reason == "" {
		st.waiverUsed = cleared
		return nil
	}
	would, err := st.wouldChange(ctx, facts)
	if err != nil {
		return err
	}
	return &models.HeldError{Reason: reason, Would: would}
}
