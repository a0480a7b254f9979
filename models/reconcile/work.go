package reconcile

import (
	"context"
	"fmt"
)

// work counts what the rows of a roster ask for. In most counties hardly anybody comes, goes or changes from one
// hour to the next, and what a run costs there is the planning of its statements: one that would find nothing
// is left out.
type work struct {
	fresh   int // rows of bookings that nobody knew, or not yet
	told    int // rows of known bookings that say more than that somebody is still there
	older   int // rows of known bookings that come late
	grows   int // rows of known bookings that are the first to tell the age of an adult, or of a juvenile
	joined  int // of the known, those whose keys are several of one booking
	merged  int // rows under a key that a merge brought to its booking, which say more than that
	yields  int // of the merged, those whose booking or corrections record has its own key listed
	words   int // rows of bookings that another source tells of too
	apart   int // rows set apart from the booking that their key leads to
	moved   int // rows of bookings that were told before under other keys
	changed int // rows of known bookings that were compared fact by fact
	relist  int // bookings whose release is taken back because they are listed
	missing int // keys that complete snapshots lack
	gone    int // bookings of which absence says that they are over, or that they are not
	hushed  int // bookings of others that are withheld on account of this snapshot, or no more
}

// tally counts the rows again, after each step that finds bookings for some of them.
func (st *staging) tally(ctx context.Context) error {
	w := &st.work
	err := st.tx.QueryRow(ctx, `select (select count(*) from staged) - count(*), count(*) filter (where not same or away or older or mute), count(*) filter (where older), count(*) filter (where grows and not older), count(*) filter (where joined is not null),
 count(*) filter (where merged is not null and not older and (not same or away)) from known`).Scan(&w.fresh, &w.told, &w.older, &w.grows, &w.joined, &w.merged)
	if err != nil {
		return fmt.Errorf("count what there is to do: %w", err)
	}
	return nil
}

// nothingChanged tells that no booking is another than before.
func (w *work) nothingChanged() bool {
	return w.fresh == 0 && w.changed == 0 && w.relist == 0 && w.gone == 0 && w.hushed == 0
}
