package models

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// MaybeJuvenile is why a record is withheld of which only a year of birth is known, less than 18 years
// before the booking, one whose source took back the flag that alone made it a juvenile's, a court case that speaks of a booking which is withheld as a juvenile's, and a booking
// that may be the same person's as a withheld one.
const MaybeJuvenile = "maybe juvenile"

// ReviewDecision is what an operator decided about a withheld record.
type ReviewDecision string

// The decisions.
const (
	ReviewLifted ReviewDecision = "lifted" // it is published
	ReviewKept   ReviewDecision = "kept"   // it stays hidden, and is not asked about again
)

// Pending is a record that waits for an operator's review, or was reviewed. It names a person.
type Pending struct {
	ID        string // as GraphQL and /v1 give it
	Family    Family
	Reason    string // MaybeJuvenile or Vanished
	SourceID  string
	Name      string
	BirthYear *int16
	At        *time.Time      // of the booking or filing; nil: corrections
	Because   *string         // id of the withheld booking whose person it may be of, or that a court case speaks of, or of the case that tells a booking's birth; nil: none
	TakenBack bool            // its source called the person a juvenile by a flag, and took that back
	LastSeen  time.Time       // by a source, unchanged too
	Decision  *ReviewDecision // nil: it waits
	Actor     *string
	Note      *string
	DecidedAt *time.Time
	review    int64 // key of the decision; 0: none
}

// Version is that of what a decision goes by: why the record is withheld, and what was decided before.
func (p *Pending) Version() string {
	return versionOf(p.Reason, p.Because, p.TakenBack, p.review)
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
  where c.id in (select id from court_cases where withheld = 'maybe juvenile' union all select record from reviews where family = 'courts' and ended_at is null)
 union all
 select o.gdc_id, 'corrections', o.cid, coalesce(case when o.withheld in ('maybe juvenile', 'vanished') then o.withheld end,
   (select reason from reviews r where r.family = 'corrections' and r.record = o.cid and r.ended_at is null order by id desc limit 1)), o.source_id, o.name, o.birth_year, null, null, false, o.last_seen, o.withheld
  from corrections_records o
  where o.cid in (select cid from corrections_records where withheld in ('maybe juvenile', 'vanished') union all select record from reviews where family = 'corrections' and ended_at is null)
 ) w left join reviews r on r.family = w.family and r.record = w.record and r.reason = w.reason and r.ended_at is null`

// Reviews lists the records that wait for a review, oldest first, or with decided those that were reviewed,
// newest decision first; and how many there are. sourceID narrows it, empty: all sources.
func (s *Store) Reviews(ctx context.Context, decided bool, sourceID string, limit int) (list []*Pending, total int, err error) {
	order := `last_seen, family, record`
	if decided {
		order = `decided_at desc, family, record`
	}
	keys := map[Family][]int64{}
	of := map[Family]map[int64][]*Pending{}
	rows, err := s.pool.Query(ctx, `select id, family, record, reason, source_id, name, birth_year, at, because, taken_back, last_seen, decision, actor, note, decided_at, review, count(*) over () from (`+reviewed+`) x
 where (decision is not null) = $1 and ($1 or withheld = reason) and ($2 = '' or source_id = $2) order by `+order+` limit $3`, decided, sourceID, limit)
	if err != nil {
		return nil, 0, fmt.Errorf("list reviews: %w", err)
	}
	list, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (*Pending, error) {
		p := &Pending{}
		var key int64
		err := r.Scan(&p.ID, &p.Family, &key, &p.Reason, &p.SourceID, &p.Name, &p.BirthYear, &p.At, &p.Because, &p.TakenBack, &p.LastSeen, &p.Decision, &p.Actor, &p.Note, &p.DecidedAt, &p.review, &total)
		if of[p.Family] == nil {
			of[p.Family] = map[int64][]*Pending{}
		}
		keys[p.Family], of[p.Family][key] = append(keys[p.Family], key), append(of[p.Family][key], p)
		return p, err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list reviews: %w", err)
	}
	for f, records := range keys {
		seen, err := s.LastSeenOf(ctx, f, records)
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
var familyTable = map[Family][2]string{Roster: {"bookings", "rid"}, Courts: {"court_cases", "id"}, Corrections: {"corrections_records", "cid"}}

// Review decides about a withheld record: one that is lifted is published, and stays so whatever the
// source sends, until it says more of the birth or lists a vanished record again; one that is kept stays
// hidden. A booking that is published while the person is in jail is a booking to watchers, and the court
// cases that were withheld on its account are published with it. The error is
// a not-found Error for a record that waits for no review and none was decided about.
func (s *Store) Review(ctx context.Context, id string, decision ReviewDecision, actor, note string) error {
	_, err := s.ReviewAsSeen(ctx, id, "", decision, actor, note)
	return err
}

// ReviewAsSeen is Review on the strength of a version, empty: of whichever; ErrChanged when it is not the present one. It
// gives what was decided about as it was before.
func (s *Store) ReviewAsSeen(ctx context.Context, id, version string, decision ReviewDecision, actor, note string) (*Pending, error) {
	note, err := nameText("note", note, 500)
	if err != nil {
		return nil, err
	}
	id = strings.TrimSpace(id)
	var p *Pending
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
			return ErrChanged
		}
		now := s.now().UTC()
		if _, err := tx.Exec(ctx, `update reviews set ended_at = $4 where family = $1 and record = $2 and reason = $3 and ended_at is null`, p.Family, key, p.Reason, now); err != nil {
			return fmt.Errorf("end the review before: %w", err)
		}
		_, err = tx.Exec(ctx, `insert into reviews (family, record, reason, decision, actor, note, decided_at) values ($1, $2, $3, $4, $5, $6, $7)`, p.Family, key, p.Reason, decision, actor, note, now)
		if err != nil {
			return fmt.Errorf("note the review: %w", err)
		}
		after := &p.Reason
		if decision == ReviewLifted {
			after = nil
		}
		if (after == nil) == (withheld == nil) {
			return nil
		}
		return s.publish(ctx, tx, p.Family, key, withheld, after, now)
	})
	return p, err
}

// toReview finds a record that waits for a review or was reviewed.
func toReview(ctx context.Context, tx pgx.Tx, id string) (p *Pending, key int64, withheld *string, err error) {
	p = &Pending{ID: id}
	err = tx.QueryRow(ctx, `select family, record, reason, withheld, source_id, because, taken_back, review from (`+reviewed+`) x where id = $1 and (withheld is null or withheld = reason)`, id).
		Scan(&p.Family, &key, &p.Reason, &withheld, &p.SourceID, &p.Because, &p.TakenBack, &p.review)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, 0, nil, notReviewed(ctx, tx, id)
	}
	if err != nil {
		return nil, 0, nil, fmt.Errorf("find what to review: %w", err)
	}
	return p, key, withheld, nil
}

// publish changes why a record is withheld, with a version row, and tells watchers of a booking.
func (s *Store) publish(ctx context.Context, tx pgx.Tx, f Family, key int64, before, after *string, now time.Time) error {
	if f == Courts { // bookings may follow, and who writes both families takes that of the roster first
		if _, err := tx.Exec(ctx, `select from generations where family = 'roster' for update`); err != nil {
			return fmt.Errorf("wait for writers of bookings: %w", err)
		}
	}
	gen, err := nextGeneration(ctx, tx, f)
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
	st := &staging{store: s, tx: tx, Reconciler: Reconciler{Snapshot: Snapshot{SourceID: source, Now: now}}}
	var hidden, shown []int64
	switch f {
	case Corrections:
		return nil
	case Courts: // decided about for itself, whatever it speaks of
		if _, err := tx.Exec(ctx, `update court_cases set sealed_by = null, own_withheld = null where id = $1`, key); err != nil {
			return fmt.Errorf("publish case: %w", err)
		}
		if hidden, shown, err = sealBookingsOf(ctx, tx, nil, []int64{key}, st.sealer()); err != nil {
			return err
		}
	default:
		if _, err := tx.Exec(ctx, `update bookings set sealed_by = null, sealed_case = null where rid = $1`, key); err != nil {
			return fmt.Errorf("publish booking: %w", err)
		}
		if after != nil {
			hidden = []int64{key}
		} else {
			shown = []int64{key}
		}
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
		return NotFound("no record " + id + " waits for a review; rollcall review list shows those that do")
	case err != nil:
		return fmt.Errorf("find what to review: %w", err)
	default:
		return NotFound(fmt.Sprintf("%s is withheld as %q, which is not open to review: only %q and %q are", id, why, MaybeJuvenile, Vanished))
	}
}
