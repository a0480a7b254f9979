package models

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// QuarantinedRow is a row that could not become a fact; Sealed is its raw text, encrypted.
type QuarantinedRow struct {
	Line   int64
	Field  string
	Reason string
	Sealed []byte
	Print  []byte // keyed fingerprint of reason and text: the same again is counted; nil: kept each time
}

// Quarantine keeps rows of a run until they expire or are resolved. A row that is there already, by
// its print, is not kept twice: it counts how often it came, and speaks of this run from now on. It
// commits at once: what was wrong with a run is known even when nothing of it is applied.
func (s *Store) Quarantine(ctx context.Context, runID int64, sourceID string, at, expires time.Time, rows []QuarantinedRow) error {
	var c struct {
		lines           []int64
		fields, reasons []string
		sealed, prints  [][]byte
		times           []int32
	}
	place := map[string]int{}
	for _, q := range rows {
		if i, again := place[string(q.Print)]; again && q.Print != nil {
			c.times[i]++
			continue
		}
		place[string(q.Print)] = len(c.lines)
		c.lines, c.fields, c.reasons = append(c.lines, q.Line), append(c.fields, q.Field), append(c.reasons, q.Reason)
		c.sealed, c.prints, c.times = append(c.sealed, q.Sealed), append(c.prints, q.Print), append(c.times, 1)
	}
	_, err := s.pool.Exec(ctx, `insert into quarantine as q (run_id, source_id, line, field, reason, sealed, print, times, at, last_at, expires_at)
 select $1, $2, u.line, u.field, u.reason, u.sealed, u.print, u.times, $3, $3, $4
 from unnest($5::bigint[], $6::text[], $7::text[], $8::bytea[], $9::bytea[], $10::int[]) u (line, field, reason, sealed, print, times)
 on conflict (source_id, print) where resolved_at is null and print is not null do update set run_id = excluded.run_id, line = excluded.line, sealed = excluded.sealed,
  times = q.times + excluded.times, last_at = excluded.last_at, expires_at = excluded.expires_at`,
		runID, sourceID, at, expires, c.lines, c.fields, c.reasons, c.sealed, c.prints, c.times)
	if err != nil {
		return fmt.Errorf("quarantine rows of run %d: %w", runID, err)
	}
	return nil
}

// ResolveQuarantine notes that the rows which a run sent to the quarantine were read again and became
// facts, all but those that a later run sent there again. It gives their number.
func (s *Store) ResolveQuarantine(ctx context.Context, runID int64, now time.Time) (int, error) {
	tag, err := s.pool.Exec(ctx, `update quarantine set resolved_at = $2 where run_id = $1 and resolved_at is null`, runID, now)
	if err != nil {
		return 0, fmt.Errorf("resolve quarantine of run %d: %w", runID, err)
	}
	return int(tag.RowsAffected()), nil
}

// QuarantinedRuns gives the runs of a source that have rows in quarantine and whose documents are
// still there, oldest snapshot first: what is worth a replay after its document was corrected.
func (s *Store) QuarantinedRuns(ctx context.Context, sourceID string) ([]int64, error) {
	rows, err := s.pool.Query(ctx, `with recursive open (id) as (select distinct run_id from quarantine where source_id = $1 and resolved_at is null),
 chain (id, run) as (select id, id from open union select r.replay_of, c.run from runs r join chain c on c.id = r.id where r.replay_of is not null)
 select c.run from chain c join archives a on a.run_id = c.id group by c.run order by max(a.observed_at), c.run`, sourceID)
	if err != nil {
		return nil, fmt.Errorf("list quarantined runs of %s: %w", sourceID, err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
