package reconcile

import (
	"context"

	"rollcall/models"
	"rollcall/models/db"
)

// leads tells that the sighting o of the source that this is a snapshot of rules the facts of the booking of a merged key k
// with the row s: the booking's own key does, then the one that was merged into it last.
const leads = `o.source_id = $1 and o.booking_key <> s.booking_key and (o.merged_at is null or (o.merged_at, s.booking_key) > (k.merged, o.booking_key))`

// yieldMerged keeps two keys of one booking from writing it to and fro. An operator merged two that the source tells as
// two, and may go on to tell both: while it lists the booking's own key, what it says under the other one is only that
// the person is there, or that nobody may be told of him. A source that does not list everybody tells under either key
// what is new.
func (st *staging) yieldMerged(ctx context.Context) (err error) {
	if st.work.merged == 0 || !st.Tracks {
		return nil
	}
	// Whom a merged key tells to be withheld, is, should the own key be listed at this moment or not.
	st.work.yields, err = st.count(ctx, "find keys that yield", `update known k set yields = true from staged s
 where s.ord = k.ord and k.merged is not null and not k.older and (not k.same or k.away)
  and exists (select from `+db.SightingsOf("k.rid")+` o where `+leads+` and (o.present and s.withheld is null
   or exists (select from staged t join known l on l.ord = t.ord where t.booking_key = o.booking_key and not l.older)))`, st.SourceID)
	if err != nil || st.work.yields == 0 {
		return err
	}
	n, err := st.count(ctx, "withhold by merged keys", `update staged t set withheld = y.withheld, age_doubt = y.age_doubt
 from (select distinct on (k.rid) k.rid, s.withheld, s.age_doubt from known k join staged s on s.ord = k.ord where k.yields and s.withheld is not null order by k.rid, s.withheld <> $1, s.age_doubt nulls first) y
 join known l on l.rid = y.rid and not l.yields and not l.older where t.ord = l.ord and (t.withheld is null or t.withheld <> $1 and y.withheld = $1)`, models.Juvenile)
	if err != nil {
		return err
	}
	if n > 0 {
		err = st.exec(ctx, "read own keys", `update known l set same = false from known k join staged s on s.ord = k.ord where k.yields and s.withheld is not null and l.rid = k.rid and not l.yields and not l.older`)
		if err != nil {
			return err
		}
	}
	if err := st.exec(ctx, "let keys yield", `update known set same = true, newer = newer or away, away = false where yields`); err != nil {
		return err
	}
	return st.tally(ctx)
}

// succeedMerged has the merged keys of bookings read whose own key is gone: from now on they rule, and what they say is
// compared with what the source told last.
func (st *staging) succeedMerged(ctx context.Context) error {
	return st.exec(ctx, "read merged keys anew", `with heirs as materialized (select distinct on (o.booking_key) o.booking_key, l.told from missing m cross join lateral (select told from sightings where source_id = $1 and booking_key = m.booking_key limit 1) l cross join lateral `+db.SightingsOf("m.rid")+` o
  where m.gone and o.source_id = $1 and o.booking_key <> m.booking_key and o.merged_at is not null order by o.booking_key, m.last desc, m.booking_key)
 update sightings g set print = '', told = h.told from heirs h where g.source_id = $1 and g.booking_key = h.booking_key`, st.SourceID)
}
