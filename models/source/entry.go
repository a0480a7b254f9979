package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// PutSource notes a source document, so that runs and records can refer to it, and gives what is
// known of it. It changes neither whether the source is enabled nor its state.
func (s *Store) PutSource(ctx context.Context, e models.SourceEntry) (*models.SourceEntry, error) {
	var seconds, data *int
	if e.Interval > 0 {
		n := int(e.Interval / time.Second)
		seconds = &n
	}
	if every := max(e.Interval, e.DataInterval); every > 0 {
		n := int(every / time.Second)
		data = &n
	}
	out := e
	err := s.Pool().QueryRow(ctx, `insert into sources (id, title, kind, county_id, interval_seconds, data_seconds, whole_since) values ($1, $2, $3, $4, $5, $6, case when $7 then $8::timestamptz end)
 on conflict (id) do update set title = excluded.title, county_id = excluded.county_id, interval_seconds = excluded.interval_seconds, data_seconds = excluded.data_seconds,
  whole_since = case when excluded.whole_since is not null then coalesce(sources.whole_since, excluded.whole_since) end where sources.kind = excluded.kind
 returning enabled, last_success, last_complete, last_rows, header_print, held_since, renumbered, case when waived then waived_run end, told, keys, failures, not_before`, e.ID, e.Title, e.Kind, e.CountyID, seconds, data, e.Lists, s.Now()).
		Scan(&out.Enabled, &out.LastSuccess, &out.LastComplete, &out.LastRows, &out.HeaderPrint, &out.HeldSince, &out.Renumbered, &out.WaivedRun, &out.Told, &out.Keys, &out.Failures, &out.NotBefore)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, models.Invalid("kind", fmt.Sprintf("source %s is known with another kind; give the document another id", e.ID))
	}
	if err != nil {
		return nil, fmt.Errorf("note source %s: %w", e.ID, err)
	}
	return &out, nil
}

// EnableSource switches the schedule of a source on or off.
func (s *Store) EnableSource(ctx context.Context, id string, on bool) error {
	tag, err := s.Pool().Exec(ctx, `update sources set enabled = $2 where id = $1`, id, on)
	if err != nil {
		return fmt.Errorf("enable source %s: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return models.NoSource(id)
	}
	return nil
}

// EnabledSources gives the ids of the sources whose schedule is on.
func (s *Store) EnabledSources(ctx context.Context) ([]string, error) {
	rows, err := s.Pool().Query(ctx, `select id from sources where enabled order by id`)
	if err != nil {
		return nil, fmt.Errorf("read enabled sources: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
