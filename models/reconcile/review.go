package reconcile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/resolve"
)

// withholdKnown keeps those rows from the public that say too little by themselves: what is known of the
// record, from whatever source, speaks of a juvenile until a row states another birth date itself, or takes back the
// flag that alone did, which leaves it to a review; and what an operator kept hidden outlasts every row. found joins staged rows (s) with records (b); day is
// when the person must have been 17.
func (st *staging) withholdKnown(ctx context.Context, f models.Family, found, day string) error {
	key, was, back := "b."+familyTable[f][1], "b.withheld", "false"
	if f == models.Roster { // what a record says by itself; why it is sealed beside that is told by sealAlike
		was = "case when b.sealed_by is null and b.sealed_case is null then b.withheld end"
		back = flagTakenBack
	}
	args := []any{f, models.Juvenile, models.MaybeJuvenile}
	if f == models.Roster {
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
  or b.birth_year is not null and not minor_on(georgia_clock(s.booked_at)::date, b.dob, case when b.dob is null then b.birth_year end))`, models.MaybeJuvenile, models.DoubtMonths, models.DoubtText)
}

func (st *staging) withholdBookings(ctx context.Context) error {
	if st.work.told == 0 {
		return nil
	}
	err := st.withholdKnown(ctx, models.Roster, `staged s join known k on k.ord = s.ord and not k.older and (not k.same or k.away) join bookings b on b.rid = k.rid`, `georgia_clock(s.booked_at)::date`)
	if err != nil {
		return err
	}
	return st.askAgain(ctx)
}

// liftReviewed lets those rows through of which only an operator's review stands between them and the
// public: records of people who may be juveniles and were found not to be. found joins staged rows (s)
// with the keys of records, as k.
func (st *staging) liftReviewed(ctx context.Context, f models.Family, found string) error {
	var any bool
	err := st.tx.QueryRow(ctx, `select exists (select from reviews where family = $1 and ended_at is null)`, f).Scan(&any)
	if err != nil || !any {
		return err
	}
	err = st.exec(ctx, "lift reviewed records", `update staged t set withheld = null from reviews r, `+found+`
 where s.ord = t.ord and t.withheld = $1 and r.family = $2 and r.record = k.key and r.reason = $1 and r.decision = 'lifted' and r.ended_at is null`, models.MaybeJuvenile, f)
	return err
}

func (st *staging) liftBookings(ctx context.Context) error {
	return st.liftReviewed(ctx, models.Roster, `staged s join (select ord, rid as key from known) k on k.ord = s.ord`)
}

// reviewed are the withheld records of all families with what was decided last. It begins with those few, which their indexes find.
const reviewed = `select w.*, r.decision, r.actor, r.note, r.decided_at, coalesce(r.id, 0) as review from (
 select b.id, 'roster' as family, b.rid as record, 'maybe juvenile' as reason, b.source_id, b.name, b.birth_year, b.booked_at as at,
  coalesce((select id from bookings where rid = b.sealed_by), (select 'case-' || y.slug || '-' || c.id from court_cases c join counties y on y.id = c.county_id where c.id = b.sealed_case)) as because,
  b.sealed_by is null and b.sealed_case is null and exists (select from sightings g where g.rid = b.rid and g.sign = 'no') as taken_back, b.last_seen, b.withheld from bookings b
  where b.rid in (select rid from bookings where withheld = 'maybe juvenile' union all select record from reviews where family = 'roster' and ended_at is null)
 union all
 select 'case-' || y.slug || '-' || c.id, 'courts', c.id, 'maybe juvenile', c.source_id, c.defendant, c.birth_year, c.filed_date::timestamp at time zone 'America/New_York',
  (select id from bookings where rid = c.sealed_by), false, c.last_seen, c.withheld
  from court_cases c join counties y on y.id = c.county_id
  where c.id in (select id from court_cases where withheld = 'maybe juvenile' union all select record from decisions where family = 'courts' and kind in ('publish', 'withhold') and ended_at is null)
 union all
 select o.gdc_id, 'corrections', o.cid, coalesce(case when o.withheld in ('maybe juvenile', 'vanished') then o.withheld end,
   (select reason::text from decisions r where r.family = 'corrections' and r.kind in ('publish', 'withhold') and r.record = o.cid and r.ended_at is null order by id desc limit 1)), o.source_id, o.name, o.birth_year, null, null, false, o.last_seen, o.withheld
  from corrections_records o
  where o.cid in (select cid from corrections_records where withheld in ('maybe juvenile', 'vanished') union all select record from decisions where family = 'corrections' and kind in ('publish', 'withhold') and ended_at is null)
 ) w left join (
 select id, family, record, reason, decision, actor, note, decided_at, ended_at from reviews
 union all
 select id, family, record, reason::text, case kind when 'publish' then 'lifted' else 'kept' end, actor, note, decided_at, ended_at from decisions where kind in ('publish', 'withhold')
 ) r on r.family = w.family and r.record = w.record and r.reason = w.reason and r.ended_at is null`

// Reviews lists the records that wait for a review, oldest first, or with decided those that were reviewed,
// newest decision first; and how many there are. sourceID narrows it, empty: all sources.
func (s *Store) Reviews(ctx context.Context, decided bool, sourceID string, limit int) (list []*models.Pending, total int, err error) {
	order := `last_seen, family, record`
	if decided {
		order = `decided_at desc, family, record`
	}
	keys := map[models.Family][]int64{}
	of := map[models.Family]map[int64][]*models.Pending{}
	rows, err := s.Pool().Query(ctx, `select id, family, record, reason, source_id, name, birth_year, at, because, taken_back, last_seen, decision, actor, note, decided_at, review, count(*) over () from (`+reviewed+`) x
 where (decision is not null) = $1 and ($1 or withheld = reason) and ($2 = '' or source_id = $2) order by `+order+` limit $3`, decided, sourceID, limit)
	if err != nil {
		return nil, 0, fmt.Errorf("list reviews: %w", err)
	}
	list, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (*models.Pending, error) {
		p := &models.Pending{}
		var key int64
		err := r.Scan(&p.ID, &p.Family, &key, &p.Reason, &p.SourceID, &p.Name, &p.BirthYear, &p.At, &p.Because, &p.TakenBack, &p.LastSeen, &p.Decision, &p.Actor, &p.Note, &p.DecidedAt, &p.ReviewID, &total)
		if of[p.Family] == nil {
			of[p.Family] = map[int64][]*models.Pending{}
		}
		keys[p.Family], of[p.Family][key] = append(keys[p.Family], key), append(of[p.Family][key], p)
		return p, err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list reviews: %w", err)
	}
	for f, records := range keys {
		seen, err := s.lastSeen(ctx, f, records)
		if err != nil {
			return nil, 0, err
		}
		for key, at := range seen {
			for _, p := range of[f][key] {
				p.LastSeen = at
			}
		}
	}
	return list, total, nil
}

// familyTable is where the records of a family are, and their key.
var familyTable = map[models.Family][2]string{models.Roster: {"bookings", "rid"}, models.Courts: {"court_cases", "id"}, models.Corrections: {"corrections_records", "cid"}}

// Review decides about a withheld record: one that is lifted is published, and stays so whatever the
// source sends, until it says more of the birth or lists a vanished record again; one that is kept stays
// hidden. A booking that is published while the person is in jail is a booking to watchers, and the court
// cases that were withheld on its account are published with it. The error is
// a not-found Error for a record that waits for no review and none was decided about.
func (s *Store) Review(ctx context.Context, id string, decision models.ReviewDecision, actor, note string) error {
	_, err := s.ReviewAsSeen(ctx, id, "", decision, actor, note)
	return err
}

// ReviewAsSeen is Review on the strength of a version, empty: of whichever; ErrChanged when it is not the present one. It
// gives what was decided about as it was before.
func (s *Store) ReviewAsSeen(ctx context.Context, id, version string, decision models.ReviewDecision, actor, note string) (*models.Pending, error) {
	note, err := models.NameText("note", note, 500)
	if err != nil {
		return nil, err
	}
	id = strings.TrimSpace(id)
	var p *models.Pending
	err = s.InTx(ctx, func(tx pgx.Tx) error {
		// Of two decisions at a time the second one sees the first.
		if _, err := tx.Exec(ctx, `select pg_advisory_xact_lock(hashtextextended('review ' || $1, 0))`, id); err != nil {
			return fmt.Errorf("wait for other reviews: %w", err)
		}
		found, key, withheld, err := toReview(ctx, tx, id)
		if err != nil {
			return err
		}
		p = found
		if version != "" && version != p.Version() {
			return models.ErrChanged
		}
		if p.Family == models.Courts {
			return s.decideCase(ctx, tx, key, decision, p, actor, note)
		}
		if p.Family == models.Corrections {
			return s.claims.DecideIn(ctx, tx, resolve.Ref{Family: p.Family, Record: key}, decisionKinds[decision], models.Withheld(p.Reason), actor, note)
		}
		now := s.Now().UTC()
		if _, err := tx.Exec(ctx, `update reviews set ended_at = $4 where family = $1 and record = $2 and reason = $3 and ended_at is null`, p.Family, key, p.Reason, now); err != nil {
			return fmt.Errorf("end the review before: %w", err)
		}
		_, err = tx.Exec(ctx, `insert into reviews (family, record, reason, decision, actor, note, decided_at) values ($1, $2, $3, $4, $5, $6, $7)`, p.Family, key, p.Reason, decision, actor, note, now)
		if err != nil {
			return fmt.Errorf("note the review: %w", err)
		}
		after := &p.Reason
		if decision == models.ReviewLifted {
			after = nil
		}
		if (after == nil) == (withheld == nil) {
			return nil
		}
		return s.publish(ctx, tx, p.Family, key, withheld, after, now)
	})
	return p, err
}

// decideCase decides about a case. Bookings may follow, and who writes both families takes that of the roster first.
func (s *Store) decideCase(ctx context.Context, tx pgx.Tx, key int64, decision models.ReviewDecision, p *models.Pending, actor, note string) error {
	if _, err := tx.Exec(ctx, `select from generations where family = 'roster' for update`); err != nil {
		return fmt.Errorf("wait for writers of bookings: %w", err)
	}
	err := s.claims.DecideIn(ctx, tx, resolve.Ref{Family: p.Family, Record: key}, decisionKinds[decision], models.Withheld(p.Reason), actor, note)
	if err != nil {
		return err
	}
	return s.FollowCases(ctx, tx, []int64{key}, p.SourceID, 0, s.Now().UTC())
}

// decisionKinds are the decisions as claims know them.
var decisionKinds = map[models.ReviewDecision]resolve.DecisionKind{models.ReviewLifted: resolve.Publish, models.ReviewKept: resolve.Withhold}

// toReview finds a record that waits for a review or was reviewed.
func toReview(ctx context.Context, tx pgx.Tx, id string) (p *models.Pending, key int64, withheld *string, err error) {
	p = &models.Pending{ID: id}
	err = tx.QueryRow(ctx, `select family, record, reason, withheld, source_id, because, taken_back, review from (`+reviewed+`) x where id = $1 and (withheld is null or withheld = reason)`, id).
		Scan(&p.Family, &key, &p.Reason, &withheld, &p.SourceID, &p.Because, &p.TakenBack, &p.ReviewID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, 0, nil, notReviewed(ctx, tx, id)
	}
	if err != nil {
		return nil, 0, nil, fmt.Errorf("find what to review: %w", err)
	}
	return p, key, withheld, nil
}

// publish changes why a record is withheld, with a version row, and tells watchers of a booking.
func (s *Store) publish(ctx context.Context, tx pgx.Tx, f models.Family, key int64, before, after *string, now time.Time) error {
	gen, err := db.NextGeneration(ctx, tx, f)
	if err != nil {
		return err
	}
	table, column := familyTable[f][0], familyTable[f][1]
	var source string
	err = tx.QueryRow(ctx, `update `+table+` set withheld = $2, last_change = $3, gen = $4 where `+column+` = $1 returning source_id`, key, after, now, gen).Scan(&source)
	if err != nil {
		return fmt.Errorf("publish record: %w", err)
	}
	_, err = tx.Exec(ctx, `insert into record_changes (family, record, at, source_id, field, before, after) values ($1, $2, $3, $4, 'withheld', $5, $6)`, f, key, now, source, before, after)
	if err != nil {
		return fmt.Errorf("write version: %w", err)
	}
	st := &staging{store: s, tx: tx, Reconciler: models.Reconciler{Snapshot: models.Snapshot{SourceID: source, Now: now}}}
	var hidden, shown []int64
	if _, err := tx.Exec(ctx, `update bookings set sealed_by = null, sealed_case = null where rid = $1`, key); err != nil {
		return fmt.Errorf("publish booking: %w", err)
	}
	if after != nil {
		hidden = []int64{key}
	} else {
		shown = []int64{key}
	}
	if err := st.followBookings(ctx, hidden, shown); err != nil {
		return err
	}
	return st.sealBatch(ctx)
}

// notReviewed is the error for a record that nobody can decide about: there is none, it is published, or it is withheld
// for a reason that is not open to review, as a juvenile's is.
func notReviewed(ctx context.Context, tx pgx.Tx, id string) error {
	var why string
	err := tx.QueryRow(ctx, `select withheld from (
 select withheld from bookings where id = $1 union all select withheld from corrections_records where gdc_id = $1 union all
 select c.withheld from court_cases c join counties k on k.id = c.county_id where c.id = substring($1::text from '-([0-9]{1,18})$')::bigint and $1 = 'case-' || k.slug || '-' || c.id) x
 where withheld is not null limit 1`, id).Scan(&why)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return models.NotFoundAs(models.ErrNoReview, "no record "+id+" waits for a review")
	case err != nil:
		return fmt.Errorf("find what to review: %w", err)
	default:
		return models.NotFound(fmt.Sprintf("%s is withheld as %q, which is not open to review: only %q and %q are", id, why, models.MaybeJuvenile, models.Vanished))
	}
}
