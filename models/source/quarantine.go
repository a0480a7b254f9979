package source

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// Quarantine keeps rows of a run until they expire or are resolved. A row that is there already, by
// its print, is not kept twice: it counts how often it came, and speaks of this run from now on; one that
// waits for its case or booking, of the run that tells of the latest instant. It commits at once: what was wrong with a run is known even when nothing of it is applied.
func (s *Store) Quarantine(ctx context.Context, runID int64, sourceID string, at, expires time.Time, rows []models.QuarantinedRow) error {
	c := columnsOf(rows)
	const later = `(q.seen_at > excluded.seen_at) is not true`
	_, err := s.Pool().Exec(ctx, `insert into quarantine as q (run_id, source_id, line, field, reason, sealed, print, times, at, last_at, expires_at, awaits_county, awaits_court, awaits_number, awaits_party, seen_at)
 select $1, $2, u.line, u.field, u.reason, u.sealed, u.print, u.times, $3, $3, $4, u.county, u.court, u.number, u.party, u.seen
 from unnest($5::bigint[], $6::text[], $7::text[], $8::bytea[], $9::bytea[], $10::int[], $11::smallint[], $12::text[], $13::text[], $14::text[], $15::timestamptz[])
  u (line, field, reason, sealed, print, times, county, court, number, party, seen)
 on conflict (source_id, print) where resolved_at is null and print is not null do update set times = q.times + excluded.times, last_at = excluded.last_at,
  run_id = case when `+later+` then excluded.run_id else q.run_id end, line = case when `+later+` then excluded.line else q.line end, sealed = case when `+later+` then excluded.sealed else q.sealed end,
  expires_at = case when `+later+` then excluded.expires_at else q.expires_at end, seen_at = greatest(q.seen_at, excluded.seen_at)`,
		runID, sourceID, at, expires, c.lines, c.fields, c.reasons, c.sealed, c.prints, c.times, c.counties, c.courts, c.numbers, c.parties, c.seen)
	if err != nil {
		return fmt.Errorf("quarantine rows of run %d: %w", runID, err)
	}
	return nil
}

// quarantineColumns are rows as lists, one a column.
type quarantineColumns struct {
	lines                    []int64
	fields, reasons          []string
	sealed, prints           [][]byte
	times                    []int32
	counties                 []*int16
	courts, numbers, parties []*string
	seen                     []*time.Time
}

// columnsOf folds rows that are the same by their prints.
func columnsOf(rows []models.QuarantinedRow) *quarantineColumns {
	c := &quarantineColumns{}
	place := map[string]int{}
	for _, q := range rows {
		i, again := place[string(q.Print)]
		if again && q.Print != nil {
			c.times[i]++
			if q.Awaits != nil && q.Awaits.SeenAt.After(*c.seen[i]) {
				c.lines[i], c.sealed[i], c.seen[i] = q.Line, q.Sealed, &q.Awaits.SeenAt
			}
			continue
		}
		place[string(q.Print)] = len(c.lines)
		c.lines, c.fields, c.reasons = append(c.lines, q.Line), append(c.fields, q.Field), append(c.reasons, q.Reason)
		c.sealed, c.prints, c.times = append(c.sealed, q.Sealed), append(c.prints, q.Print), append(c.times, 1)
		var county *int16
		var court, number, party *string
		var seen *time.Time
		switch a := q.Awaits; {
		case a == nil:
		case a.Booking != "":
			number, seen = &a.Booking, &a.SeenAt
		default:
			county, court, number, party, seen = &a.CountyID, &a.CourtType, &a.Number, models.NilIfEmpty(a.Party), &a.SeenAt
		}
		c.counties, c.courts, c.numbers = append(c.counties, county), append(c.courts, court), append(c.numbers, number)
		c.parties, c.seen = append(c.parties, party), append(c.seen, seen)
	}
	return c
}

// ResolveQuarantine notes that the rows which a run, or a replay of its documents, sent to the quarantine were
// read again by the run as and became facts: all but those that as sent there again. It gives their number.
func (s *Store) ResolveQuarantine(ctx context.Context, runID, as int64, now time.Time) (int, error) {
	tag, err := s.Pool().Exec(ctx, `with recursive up (id) as (select $1::bigint union select r.replay_of from runs r join up on up.id = r.id where r.replay_of is not null),
 same (id) as (select id from up union select r.id from runs r join same on r.replay_of = same.id)
 update quarantine set resolved_at = $3 where run_id in (select id from same) and run_id <> $2 and resolved_at is null`, runID, as, now)
	if err != nil {
		return 0, fmt.Errorf("resolve quarantine of run %d: %w", runID, err)
	}
	return int(tag.RowsAffected()), nil
}

// openChain leads from the runs of open rows (open) to those whose documents are kept.
const openChain = ` chain (id, run) as (select id, id from open union select r.replay_of, c.run from runs r join chain c on c.id = r.id where r.replay_of is not null)
 select c.run from chain c join archives a on a.run_id = c.id group by c.run order by max(a.observed_at), c.run`

// QuarantinedRuns gives the runs of a source that have rows in quarantine and whose documents are
// still there, oldest snapshot first: what is worth a replay after its document was corrected.
func (s *Store) QuarantinedRuns(ctx context.Context, sourceID string) ([]int64, error) {
	return s.openRuns(ctx, sourceID, `with recursive open (id) as (select distinct run_id from quarantine where source_id = $1 and resolved_at is null),`+openChain, sourceID)
}

// awaitedCame tells whether what a row q waits for is there: a case, or without a county the booking that awaits_number names.
const awaitedCame = `case when q.awaits_county is null then exists (select from sightings g where g.source_id = q.source_id and g.booking_key = q.awaits_number)
 else exists (select from court_cases c where c.county_id = q.awaits_county and c.court_type = q.awaits_court and c.case_number = q.awaits_number
 and (q.awaits_party is null or c.party = q.awaits_party)) end`

// AwaitingRuns gives the runs of a source of which rows waited for a case or booking that is there now, like QuarantinedRuns;
// none of a source that is held, as nothing of it may be applied.
func (s *Store) AwaitingRuns(ctx context.Context, sourceID string) ([]int64, error) {
	return s.openRuns(ctx, sourceID, `with recursive open (id) as (select distinct q.run_id from quarantine q where q.source_id = $1 and q.resolved_at is null and q.awaits_number is not null and q.expires_at > $2
  and `+awaitedCame+` and exists (select from sources where id = $1 and held_since is null)),`+openChain, sourceID, s.Now())
}

// AwaitingSources gives the sources of which rows waited for a case or booking that is there now.
func (s *Store) AwaitingSources(ctx context.Context) ([]string, error) {
	rows, err := s.Pool().Query(ctx, `select distinct q.source_id from quarantine q where q.resolved_at is null and q.awaits_number is not null and q.expires_at > $1 and `+awaitedCame+` order by 1`, s.Now())
	if err != nil {
		return nil, fmt.Errorf("list sources that wait for cases: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func (s *Store) openRuns(ctx context.Context, sourceID, query string, args ...any) ([]int64, error) {
	rows, err := s.Pool().Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("list quarantined runs of %s: %w", sourceID, err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
