package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// SourceEntry is what the tables know of a source document.
type SourceEntry struct {
	ID           string
	Title        string
	Kind         string
	CountyID     *int16
	Interval     time.Duration // zero: no schedule
	Enabled      bool
	LastSuccess  *time.Time
	LastComplete *time.Time
	LastRows     *int
	HeaderPrint  *string
	HeldSince    *time.Time
}

// PutSource notes a source document, so that runs and records can refer to it, and gives what is
// known of it. It changes neither whether the source is enabled nor its state.
func (s *Store) PutSource(ctx context.Context, e SourceEntry) (*SourceEntry, error) {
	var seconds *int
	if e.Interval > 0 {
		n := int(e.Interval / time.Second)
		seconds = &n
	}
	out := e
	err := s.pool.QueryRow(ctx, `insert into sources (id, title, kind, county_id, interval_seconds) values ($1, $2, $3, $4, $5)
 on conflict (id) do update set title = excluded.title, county_id = excluded.county_id, interval_seconds = excluded.interval_seconds where sources.kind = excluded.kind
 returning enabled, last_success, last_complete, last_rows, header_print, held_since`, e.ID, e.Title, e.Kind, e.CountyID, seconds).
		Scan(&out.Enabled, &out.LastSuccess, &out.LastComplete, &out.LastRows, &out.HeaderPrint, &out.HeldSince)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, Invalid("kind", fmt.Sprintf("source %s is known with another kind; give the document another id", e.ID))
	}
	if err != nil {
		return nil, fmt.Errorf("note source %s: %w", e.ID, err)
	}
	return &out, nil
}

// EnableSource switches the schedule of a source on or off.
func (s *Store) EnableSource(ctx context.Context, id string, on bool) error {
	tag, err := s.pool.Exec(ctx, `update sources set enabled = $2 where id = $1`, id, on)
	if err != nil {
		return fmt.Errorf("enable source %s: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return NotFound("there is no source " + id)
	}
	return nil
}

// EnabledSources gives the ids of the sources whose schedule is on.
func (s *Store) EnabledSources(ctx context.Context) ([]string, error) {
	rows, err := s.pool.Query(ctx, `select id from sources where enabled order by id`)
	if err != nil {
		return nil, fmt.Errorf("read enabled sources: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// RunState is how a run of a source ended.
type RunState string

// The states of runs.
const (
	RunOK      RunState = "ok"      // everything was read and applied
	RunPartial RunState = "partial" // applied, but rows went to quarantine or the snapshot is not complete
	RunHeld    RunState = "held"    // nothing applied: waits for an operator
	RunRefused RunState = "refused" // a captcha or login wall
	RunFailed  RunState = "failed"  // nothing applied
)

// BeginRun notes that a source is being read, and gives the number of the run.
func (s *Store) BeginRun(ctx context.Context, sourceID string, now time.Time) (int64, error) {
	var id int64
	err := s.pool.QueryRow(ctx, `with attempt as (update sources set last_attempt = $2 where id = $1)
 insert into runs (source_id, state, started_at) values ($1, 'running', $2) returning id`, sourceID, now).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("begin run of %s: %w", sourceID, err)
	}
	return id, nil
}

// RunEnd is the outcome of a run.
type RunEnd struct {
	State       RunState
	At          time.Time
	Report      []byte // JSON
	Note        string // why it did not go well; no personal data
	HeaderPrint string // of this run, to become the known one
}

// FinishRun notes how a run ended, and what that means for its source.
func (s *Store) FinishRun(ctx context.Context, runID int64, sourceID string, end RunEnd) error {
	batch := &pgx.Batch{}
	batch.Queue(`update runs set state = $2, finished_at = $3, report = $4, error = nullif($5, '') where id = $1`, runID, end.State, end.At, string(end.Report), end.Note)
	batch.Queue(`update sources set note = nullif($3, ''),
  last_success = case when $2 in ('ok', 'partial') then $4 else last_success end,
  header_print = case when $2 in ('ok', 'partial') then coalesce(nullif($5, ''), header_print) else header_print end,
  held_since = case $2 when 'held' then coalesce(held_since, $4) when 'ok' then null when 'partial' then null else held_since end,
  refused_since = case $2 when 'refused' then coalesce(refused_since, $4) when 'ok' then null when 'partial' then null else refused_since end
 where id = $1`, sourceID, string(end.State), end.Note, end.At, end.HeaderPrint)
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("finish run %d: %w", runID, err)
	}
	return nil
}

// QuarantinedRow is a row that could not become a fact; Sealed is its raw text, encrypted.
type QuarantinedRow struct {
	Line   int64
	Field  string
	Reason string
	Sealed []byte
}

// Quarantine keeps rows of a run until they expire or are resolved. It commits at once: what was
// wrong with a run is known even when nothing of it is applied.
func (s *Store) Quarantine(ctx context.Context, runID int64, sourceID string, at, expires time.Time, rows []QuarantinedRow) error {
	_, err := s.pool.CopyFrom(ctx, pgx.Identifier{"quarantine"}, []string{"run_id", "source_id", "line", "field", "reason", "sealed", "at", "expires_at"},
		pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
			q := rows[i]
			return []any{runID, sourceID, q.Line, q.Field, q.Reason, q.Sealed, at, expires}, nil
		}))
	if err != nil {
		return fmt.Errorf("quarantine rows of run %d: %w", runID, err)
	}
	return nil
}

// Archive is one document as it was received.
type Archive struct {
	Seq     int
	Name    string
	SHA256  []byte
	Bytes   int64
	Fetched time.Time
	Expires time.Time
}

// BeginArchive makes room for the sealed chunks of a document and gives its number.
func (s *Store) BeginArchive(ctx context.Context, runID int64, a Archive) (int64, error) {
	var id int64
	err := s.pool.QueryRow(ctx, `insert into archives (run_id, seq, name, sha256, bytes, fetched_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7) returning id`,
		runID, a.Seq, a.Name, a.SHA256, a.Bytes, a.Fetched, a.Expires).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("archive document of run %d: %w", runID, err)
	}
	return id, nil
}

// AddArchiveChunk keeps one sealed chunk of a document.
func (s *Store) AddArchiveChunk(ctx context.Context, archiveID int64, seq int, sealed []byte) error {
	if _, err := s.pool.Exec(ctx, `insert into archive_chunks (archive_id, seq, sealed) values ($1, $2, $3)`, archiveID, seq, sealed); err != nil {
		return fmt.Errorf("archive chunk %d: %w", seq, err)
	}
	return nil
}

// ArchiveChunks yields the sealed chunks of a document in order.
func (s *Store) ArchiveChunks(ctx context.Context, archiveID int64, yield func(sealed []byte) error) error {
	rows, err := s.pool.Query(ctx, `select sealed from archive_chunks where archive_id = $1 order by seq`, archiveID)
	if err != nil {
		return fmt.Errorf("read archive: %w", err)
	}
	var sealed []byte
	if _, err := pgx.ForEachRow(rows, []any{&sealed}, func() error { return yield(sealed) }); err != nil {
		return fmt.Errorf("read archive: %w", err)
	}
	return nil
}

// ReleaseSource lets a held or refused source go on: its next snapshot is taken without looking at how
// many rows the last one had.
func (s *Store) ReleaseSource(ctx context.Context, id string) error {
	tag, err := s.pool.Exec(ctx, `update sources set held_since = null, refused_since = null, last_rows = null, note = null where id = $1`, id)
	if err != nil {
		return fmt.Errorf("release source %s: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return NotFound("there is no source " + id)
	}
	return nil
}
