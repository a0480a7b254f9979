package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

const runColumns = `id, source_id, state, started_at, finished_at, replay_of, error, report`

// Run gives a run by its number.
func (s *Store) Run(ctx context.Context, id int64) (*models.Run, error) {
	rows, err := s.Pool().Query(ctx, `select `+runColumns+` from runs where id = $1`, id)
	if err != nil {
		return nil, fmt.Errorf("read run %d: %w", id, err)
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToAddrOfStructByPos[models.Run])
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, models.NotFound(fmt.Sprintf("there is no run %d", id))
	}
	return r, err
}

// Runs gives the last runs of a source, newest first.
func (s *Store) Runs(ctx context.Context, sourceID string, limit int) ([]*models.Run, error) {
	rows, err := s.Pool().Query(ctx, `select `+runColumns+` from runs where source_id = $1 order by id desc limit $2`, sourceID, limit)
	if err != nil {
		return nil, fmt.Errorf("list runs of %s: %w", sourceID, err)
	}
	return pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[models.Run])
}

// BeginRun notes that a source is being read, and gives the number of the run.
func (s *Store) BeginRun(ctx context.Context, sourceID string, now time.Time) (int64, error) {
	var id int64
	err := s.Pool().QueryRow(ctx, `with attempt as (update sources set last_attempt = $2 where id = $1)
 insert into runs (source_id, state, started_at) values ($1, 'running', $2) returning id`, sourceID, now).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("begin run of %s: %w", sourceID, err)
	}
	return id, nil
}

// BeginReplay notes that the documents of an earlier run are read again. Nobody asks the source.
func (s *Store) BeginReplay(ctx context.Context, sourceID string, of int64, now time.Time) (int64, error) {
	var id int64
	err := s.Pool().QueryRow(ctx, `insert into runs (source_id, state, started_at, replay_of) values ($1, 'running', $2, $3) returning id`, sourceID, now, of).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("begin replay of run %d: %w", of, err)
	}
	return id, nil
}

// MostRows is how many rows the largest complete snapshot of a source had within the day before at; nil: there was none.
// What an operator let go is no measure any more: those before the held snapshot that he cleared last do not count.
func (s *Store) MostRows(ctx context.Context, sourceID string, at time.Time) (rows *int, err error) {
	err = s.Pool().QueryRow(ctx, `select max((r.report->>'fetched')::int) from runs r join sources src on src.id = r.source_id
 where r.source_id = $1 and r.complete and r.snapshot_at > $2::timestamptz - interval '24 hours' and r.snapshot_at <= $2 and r.id > coalesce(src.waived_run, 0)`, sourceID, at).Scan(&rows)
	if err != nil {
		return nil, fmt.Errorf("count rows of a day of %s: %w", sourceID, err)
	}
	return rows, nil
}

// FinishRun notes how a run ended, and what that means for its source. The first header is the known one
// until an operator accepts another (AcceptColumns); a late snapshot does not make its own so, and no run ends a hold or changes what it is for: that is an operator's to do.
// A replay that is held holds the source too, unless a newer complete snapshot is known: then what is held is the
// past, and the source goes on.
func (s *Store) FinishRun(ctx context.Context, runID int64, sourceID string, end models.RunEnd) error {
	batch := &pgx.Batch{}
	batch.Queue(`update runs set state = $2, finished_at = $3, report = $4, error = nullif($5, ''), would = $6 where id = $1`, runID, end.State, end.At, string(end.Report), end.Note, end.Would)
	if !end.Replay {
		batch.Queue(`update sources set note = case when held_since is null and not $10 then nullif($3, '') else note end,
  last_success = case when $2 in ('ok', 'partial') then $4 else last_success end,
  header_print = case when $2 in ('ok', 'partial') and (last_complete is null or last_complete <= $6) then coalesce(header_print, nullif($5, '')) else header_print end,
  held_since = case when $2 = 'held' and not $10 then coalesce(held_since, $4) else held_since end,
  refused_since = case $2 when 'refused' then coalesce(refused_since, $4) when 'ok' then null when 'partial' then null else refused_since end,
  data_at = case when $2 in ('ok', 'partial') then greatest(data_at, least($9::timestamptz, $4)) else data_at end,
  failures = $7, not_before = $8
 where id = $1`, sourceID, string(end.State), end.Note, end.At, end.HeaderPrint, end.SnapshotAt, end.Failures, end.NotBefore, end.DataAt, end.Standing)
	} else if end.State == models.RunHeld && !end.Standing {
		batch.Queue(`update sources set note = case when held_since is null then nullif($2, '') else note end, held_since = coalesce(held_since, $3)
 where id = $1 and (last_complete is null or last_complete <= $4)`, sourceID, end.Note, end.At, end.SnapshotAt)
	}
	if err := s.Pool().SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("finish run %d: %w", runID, err)
	}
	return nil
}
