package models

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Merged is why a record is withheld that was found to be another one.
const Merged = "merged"

// MergeBookings makes two bookings of one county one: gone is published no more, its id resolves to
// kept from now on, and what its sources say next is said of kept. Earlier merges into gone follow.
func (s *Store) MergeBookings(ctx context.Context, kept, gone string) error {
	return s.merge(ctx, Roster, kept, gone, `select rid, county_id::text from bookings where id = $1 and withheld is null for update`,
		// By an operator's word no key goes apart again, whatever is told together.
		`update sightings set rid = @kept, joined = null where rid = @gone or rid = @kept and joined is not null`,
		`update gdc_links set rid = @kept where rid = @gone and not exists (select from gdc_links where rid = @kept)`,
		`delete from gdc_links where rid = @gone`,
		`update court_links g set rid = @kept where rid = @gone and not exists (select from court_links k where k.rid = @kept and k.case_id = g.case_id)`,
		`delete from court_links where rid = @gone`,
		`update bookings k set first_seen = least(k.first_seen, g.first_seen), last_seen = greatest(k.last_seen, g.last_seen), last_change = @now, gen = @gen
 from bookings g where k.rid = @kept and g.rid = @gone`,
		`insert into record_changes (family, record, at, source_id, field, before, after) select 'roster', rid, @now, source_id, 'withheld', withheld, 'merged' from bookings where rid = @gone`,
		`update bookings set withheld = 'merged', last_change = @now, gen = @gen where rid = @gone`)
}

// MergeCorrections makes two records of the corrections department one, like MergeBookings. A record
// that the department lists again under the id that went is its own again.
func (s *Store) MergeCorrections(ctx context.Context, kept, gone string) error {
	return s.merge(ctx, Corrections, kept, gone, `select cid, '' from corrections_records where gdc_id = $1 and (withheld is null or withheld = 'vanished') for update`,
		`update gdc_links set cid = @kept where cid = @gone`,
		`update court_links set cid = @kept where cid = @gone`,
		`update corrections_records k set first_seen = least(k.first_seen, g.first_seen), last_seen = greatest(k.last_seen, g.last_seen), last_change = @now, gen = @gen
 from corrections_records g where k.cid = @kept and g.cid = @gone`,
		`insert into record_changes (family, record, at, source_id, field, before, after) select 'corrections', cid, @now, source_id, 'withheld', withheld, 'merged' from corrections_records where cid = @gone`,
		`update corrections_records set withheld = 'merged', last_change = @now, gen = @gen where cid = @gone`)
}

// MergeCases makes two cases of one county, by their ids in GraphQL, one, like MergeBookings: hearings,
// dispositions, links and calendars of gone are those of kept from now on. A case that its court tells
// of again under the number that went, changed, is its own again.
func (s *Store) MergeCases(ctx context.Context, kept, gone string) error {
	return s.merge(ctx, Courts, kept, gone, `select c.id, c.county_id::text from court_cases c join counties k on k.id = c.county_id
 where c.id = substring($1::text from '-([0-9]{1,18})$')::bigint and $1 = 'case-' || k.slug || '-' || c.id and c.withheld is null for update of c`,
		`update hearings h set case_id = @kept where case_id = @gone and not exists (select from hearings k where k.case_id = @kept and (k.event = h.event or k.starts_at = h.starts_at))`,
		`insert into dispositions (case_id, seq, date, outcome, sentence)
 select @kept, (select coalesce(max(seq), 0) from dispositions where case_id = @kept) + row_number() over (order by g.date, g.seq), g.date, g.outcome, g.sentence
 from dispositions g where g.case_id = @gone and not exists (select from dispositions k where k.case_id = @kept and (k.date, k.outcome) = (g.date, g.outcome))`,
		`update court_links g set case_id = @kept where case_id = @gone and not exists (select from court_links k where k.case_id = @kept and (k.rid = g.rid or k.cid is not null and g.cid is not null))`,
		`delete from court_links where case_id = @gone`,
		`update calendar_feeds set case_id = @kept where case_id = @gone`,
		`update court_cases k set first_seen = least(k.first_seen, g.first_seen), last_seen = greatest(k.last_seen, g.last_seen), last_change = @now, gen = @gen
 from court_cases g where k.id = @kept and g.id = @gone`,
		`insert into record_changes (family, record, at, source_id, field, before, after) select 'courts', id, @now, source_id, 'withheld', withheld, 'merged' from court_cases where id = @gone`,
		`update court_cases set withheld = 'merged', last_change = @now, gen = @gen where id = @gone`)
}

// merge finds both records and runs steps in one transaction, with the arguments kept, gone (keys),
// now and gen.
func (s *Store) merge(ctx context.Context, f Family, kept, gone, find string, steps ...string) error {
	if kept == gone {
		return Invalid("id", "the two ids are the same")
	}
	return s.InTx(ctx, func(tx pgx.Tx) error {
		gen, err := nextGeneration(ctx, tx, f)
		if err != nil {
			return err
		}
		var keys [2]int64
		var places [2]string
		for i, id := range []string{kept, gone} {
			err := tx.QueryRow(ctx, find, id).Scan(&keys[i], &places[i])
			if errors.Is(err, pgx.ErrNoRows) {
				return NotFound("there is no record " + id + " to merge")
			}
			if err != nil {
				return fmt.Errorf("find %s to merge: %w", id, err)
			}
		}
		if places[0] != places[1] {
			return Invalid("id", "the two records are of different counties")
		}
		now := s.now().UTC()
		args := pgx.NamedArgs{"kept": keys[0], "gone": keys[1], "now": now, "gen": gen}
		for _, sql := range steps {
			if _, err := tx.Exec(ctx, sql, args); err != nil {
				return fmt.Errorf("merge %s into %s: %w", gone, kept, err)
			}
		}
		_, err = tx.Exec(ctx, `update merged_records set record = $2 where family = $1 and record = $3`, f, keys[0], keys[1])
		if err != nil {
			return fmt.Errorf("redirect earlier merges: %w", err)
		}
		_, err = tx.Exec(ctx, `insert into merged_records (family, id, record, merged_at) values ($1, $2, $3, $4)
 on conflict (family, id) do update set record = excluded.record, merged_at = excluded.merged_at`, f, gone, keys[0], now)
		if err != nil {
			return fmt.Errorf("note the merge: %w", err)
		}
		return nil
	})
}

// mergedInto gives the key of the record that the one with this public id was merged into.
func (s *Store) mergedInto(ctx context.Context, f Family, id string) (key int64, ok bool, err error) {
	err = s.pool.QueryRow(ctx, `select record from merged_records where family = $1 and id = $2`, f, id).Scan(&key)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("look for a merged record: %w", err)
	}
	return key, true, nil
}
