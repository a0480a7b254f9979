package source

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Quarantine stores rows that could not be taken, encrypted, until they expire or are resolved. at is the
// instant of the snapshot. A row that is there already, by its fingerprint, is not stored twice: it counts
// how often it came, and belongs to this run from now on, unless this is a replay of a run of before it came last.
//
// It commits at once and not with the run: what was wrong is known even when nothing of the run is applied. It returns how
// many of the rows are in quarantine for the first time.
func (s *Store) Quarantine(ctx context.Context, runID int64, sourceID string, at, expires time.Time, rows []QuarantinedRow) (fresh int, err error) {
	c := columnsOf(rows)
	err = s.Pool().QueryRow(ctx, statements.Get("quarantine_rows"), pgx.NamedArgs{
		"run": runID, "source": sourceID, "at": at, "expires": expires,
		"lines": c.lines, "counties": c.counties, "fields": c.fields, "reasons": c.reasons, "encrypted": c.encrypted, "fingerprints": c.fingerprints, "times": c.times,
	}).Scan(&fresh)
	if err != nil {
		return 0, fmt.Errorf("quarantine rows of run %d: %w", runID, err)
	}
	return fresh, nil
}

// IgnoreRows takes the rows of a source that wait for one reason out of what operators are shown, until they change. Their
// documents are no longer kept for a replay. It returns their number.
func (s *Store) IgnoreRows(ctx context.Context, sourceID, field, reason string) (int, error) {
	q := s.waiting(ctx).Where("source_id = ? and field = ? and reason = ?", sourceID, field, reason).UpdateColumn("ignored_at", s.Now())
	if q.Error != nil {
		return 0, fmt.Errorf("ignore rows in quarantine of %s: %w", sourceID, q.Error)
	}
	return int(q.RowsAffected), nil
}

// UnignoreRows ends what IgnoreRows did: the rows wait again.
func (s *Store) UnignoreRows(ctx context.Context, sourceID, field, reason string) (int, error) {
	q := s.ignored(ctx).Where("source_id = ? and field = ? and reason = ?", sourceID, field, reason).UpdateColumn("ignored_at", nil)
	if q.Error != nil {
		return 0, fmt.Errorf("stop ignoring rows in quarantine of %s: %w", sourceID, q.Error)
	}
	return int(q.RowsAffected), nil
}

// quarantineColumns are rows as lists, one a column, as one statement takes them.
type quarantineColumns struct {
	lines                   []int64
	counties                []*int16
	fields, reasons         []string
	encrypted, fingerprints [][]byte
	times                   []int32
}

// columnsOf converts rows to columns. Rows with the same fingerprint are counted as one, because one
// statement cannot update a row twice. Rows without a fingerprint each stand for themselves.
func columnsOf(rows []QuarantinedRow) *quarantineColumns {
	c := &quarantineColumns{}
	place := map[string]int{}
	for _, q := range rows {
		i, again := place[string(q.Fingerprint)]
		if again && q.Fingerprint != nil {
			c.times[i]++
			continue
		}
		place[string(q.Fingerprint)] = len(c.lines)
		c.lines, c.fields, c.reasons = append(c.lines, q.Line), append(c.fields, q.Field), append(c.reasons, q.Reason)
		c.counties = append(c.counties, nilIfZero(q.County))
		c.encrypted, c.fingerprints, c.times = append(c.encrypted, q.Encrypted), append(c.fingerprints, q.Fingerprint), append(c.times, 1)
	}
	return c
}

// nilIfZero returns the number of a county, or nil for none.
func nilIfZero(county int16) *int16 {
	if county == 0 {
		return nil
	}
	return &county
}

// ResolveQuarantine marks rows as resolved: those that the run runID, or any replay of its documents, sent to
// the quarantine, except the ones that the run as, which read the documents again, sent there too. It returns
// their number.
func (s *Store) ResolveQuarantine(ctx context.Context, runID, as int64, now time.Time) (int, error) {
	tag, err := s.Pool().Exec(ctx, statements.Get("resolve_quarantine"), pgx.NamedArgs{"run": runID, "as": as, "now": now})
	if err != nil {
		return 0, fmt.Errorf("resolve quarantine of run %d: %w", runID, err)
	}
	return int(tag.RowsAffected()), nil
}
