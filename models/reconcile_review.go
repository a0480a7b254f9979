package models

import "context"

// liftReviewed lets those rows through of which only an operator's review stands between them and the
// public: records of people who may be juveniles and were found not to be. found joins staged rows (s)
// with the keys of records, as k.
func (st *staging) liftReviewed(ctx context.Context, f Family, found string) error {
	var any bool
	err := st.tx.QueryRow(ctx, `select exists (select from reviews where family = $1 and ended_at is null)`, f).Scan(&any)
	if err != nil || !any {
		return err
	}
	err = st.exec(ctx, "lift reviewed records", `update staged t set withheld = null from reviews r, `+found+`
 where s.ord = t.ord and t.withheld = $1 and r.family = $2 and r.record = k.key and r.reason = $1 and r.decision = 'lifted' and r.ended_at is null`, MaybeJuvenile, f)
	if err != nil || f != Corrections {
		return err
	}
	// A record that is listed again can vanish again, and is then reviewed again.
	return st.exec(ctx, "end reviews of vanished records", `update reviews r set ended_at = $1 from staged s join corrections_records c on c.gdc_id = s.gdc_id join sources src on src.id = $2
 where r.family = 'corrections' and r.record = c.cid and r.reason = 'vanished' and r.ended_at is null and s.seen_at > greatest(c.snapshot_at, src.last_complete)`, st.Now, st.SourceID)
}

func (st *staging) liftBookings(ctx context.Context) error {
	return st.liftReviewed(ctx, Roster, `staged s join (select ord, rid as key from known) k on k.ord = s.ord`)
}

func (st *staging) liftCases(ctx context.Context) error {
	return st.liftReviewed(ctx, Courts, `staged s join (select ord, id as key from known) k on k.ord = s.ord`)
}

func (st *staging) liftRecords(ctx context.Context) error {
	return st.liftReviewed(ctx, Corrections, `staged s join (select gdc_id, cid as key from corrections_records) k on k.gdc_id = s.gdc_id`)
}
