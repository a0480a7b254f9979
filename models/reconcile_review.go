package models

import "context"

// Juvenile is why a record is withheld of somebody who was under 17, or whom a source calls a juvenile.
const Juvenile = "juvenile"

// withholdKnown keeps those rows from the public that say too little by themselves: what is known of the
// record, from whatever source, speaks of a juvenile until a row states another birth date itself, or takes back the
// flag that alone did, which leaves it to a review; and what an operator kept hidden outlasts every row. found joins staged rows (s) with records (b); day is
// when the person must have been 17.
func (st *staging) withholdKnown(ctx context.Context, f Family, found, day string) error {
	key, was, back := "b."+familyTable[f][1], "b.withheld", "false"
	switch f { // what a record says by itself; why it is sealed beside that is told by sealStaged and sealAlike
	case Courts:
		was = "case when b.sealed_by is null then b.withheld else b.own_withheld end"
	case Roster:
		was = "case when b.sealed_by is null and b.sealed_case is null then b.withheld end"
		back = flagTakenBack
	}
	args := []any{f, Juvenile, MaybeJuvenile}
	if f == Roster {
		args = append(args, st.SourceID)
	}
	return st.exec(ctx, "withhold what is known", `update staged t set withheld = w.reason from (
 select s.ord, case when s.dob is null and (`+was+` = $2 and not `+back+` or b.dob > `+day+` - interval '17 years' and not coalesce(d.lifted, false)) then $2
  when d.kept is not null then d.kept
  when s.dob is null and (`+was+` = $3 and s.birth_year is null or `+was+` in ($2, $3) and `+back+`) then coalesce(s.withheld, $3) else s.withheld end as reason
 from `+found+` left join (select record, max(reason) filter (where decision = 'kept') as kept, bool_or(decision = 'lifted' and reason = $3) as lifted
  from reviews where family = $1 and ended_at is null group by record) d on d.record = `+key+`
 where (b.withheld is not null or s.dob is null and b.dob is not null or d.kept is not null) and s.withheld is distinct from $2
 ) w where w.ord = t.ord and t.withheld is distinct from w.reason`, args...)
}

// believeAges keeps a booking public of which more is known than the row tells. Its source told the age nearer to it:
// that the months since make the same age a doubtful one is no news. Or somebody was of age by a birth date, or a year of
// birth, that was told before: then a text that can not be read takes nothing from it; from an age that was told before,
// it does only where it may speak of a child.
func (st *staging) believeAges(ctx context.Context) error {
	return st.exec(ctx, "believe ages", `update staged s set withheld = null from known k join bookings b on b.rid = k.rid
 where k.ord = s.ord and s.age_doubt is not null and s.withheld = $1 and b.withheld is null and (s.age_doubt = $2 or s.age_doubt = $3 and exists (select from sightings g where g.rid = b.rid and g.grown)
  or b.birth_year is not null and not minor_on(georgia_clock(s.booked_at)::date, b.dob, case when b.dob is null then b.birth_year end))`, MaybeJuvenile, DoubtMonths, DoubtText)
}

func (st *staging) withholdBookings(ctx context.Context) error {
	if st.work.told == 0 {
		return nil
	}
	err := st.withholdKnown(ctx, Roster, `staged s join known k on k.ord = s.ord and not k.older and (not k.same or k.away) join bookings b on b.rid = k.rid`, `georgia_clock(s.booked_at)::date`)
	if err != nil {
		return err
	}
	return st.askAgain(ctx)
}

func (st *staging) withholdCases(ctx context.Context) error {
	return st.withholdKnown(ctx, Courts, `staged s join known k on k.ord = s.ord and not k.older and not k.same join court_cases b on b.id = k.id`, `s.filed_date`)
}

func (st *staging) withholdRecords(ctx context.Context) error {
	return st.withholdKnown(ctx, Corrections, `staged s join corrections_records b on b.gdc_id = s.gdc_id`, `georgia_clock(s.seen_at)::date`)
}

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
	// A record that is listed again can vanish again, and is then reviewed again; one that is kept hidden stays so.
	return st.exec(ctx, "end reviews of vanished records", `update reviews r set ended_at = $1 from staged s join corrections_records c on c.gdc_id = s.gdc_id join sources src on src.id = $2
 where r.family = 'corrections' and r.record = c.cid and r.reason = 'vanished' and r.decision = 'lifted' and r.ended_at is null and s.seen_at > greatest(c.snapshot_at, src.last_complete)`, st.Now, st.SourceID)
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
