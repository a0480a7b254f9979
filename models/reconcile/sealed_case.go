package reconcile

import (
	"context"
	"fmt"
	"time"

	"rollcall/models"
	"rollcall/models/db"
)

// A case that speaks of a booking which is withheld as a juvenile's would name whom the jail's record hides.
// So it is withheld too, as MaybeJuvenile, until an operator looked at it, or the booking is published:
// court_cases.sealed_by is that booking. Package claim does it.

// juveniles are the reasons for which a booking takes its cases with it.
const juveniles = `('` + models.Juvenile + `', '` + models.MaybeJuvenile + `')`

// apart tells whether an operator said that the case c is not of the booking b.
const apart = `exists (select from court_verdicts v where ` + db.OfVerdict + ` and v.verdict = 'dismissed' and v.family = 'roster' and v.person = b.id)`

// sealCases brings cases in line with the bookings that this snapshot withheld, or withholds no more, and
// with those that it told of under another number.
func (st *staging) sealCases(ctx context.Context) error {
	if st.work.fresh == 0 && st.work.told == 0 {
		return nil
	}
	resealed := ""
	if st.work.hushed > 0 {
		resealed = ` union select rid from resealed_now`
	}
	var rids []int64
	err := st.tx.QueryRow(ctx, `select coalesce(array_agg(rid), '{}') from (
 select f.rid from staged s join fresh_rows f on f.ord = s.ord where s.withheld in `+juveniles+`
 union select rid from changed where withheld is distinct from old_withheld
 union select k.rid from known k join bookings b on b.rid = k.rid where k.adopted and b.withheld in `+juveniles+resealed+`) x`).Scan(&rids)
	if err != nil {
		return fmt.Errorf("find bookings that were withheld: %w", err)
	}
	return st.followedByCases(ctx, rids)
}

// sealer is who says that bookings are withheld or are not.
type sealer struct {
	now      time.Time
	sourceID *string // nil: that of the case
	runID    *int64
	listsAt  *time.Time // of a complete snapshot of a roster: its instant
}

// followedByCases has the cases follow that speak of some bookings.
func (st *staging) followedByCases(ctx context.Context, rids []int64) error {
	by, source := st.sealer(), ""
	if by.sourceID != nil {
		source = *by.sourceID
	}
	return st.store.claims.FollowBookings(ctx, st.tx, rids, source, st.RunID, by.now)
}
