package alert

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// Blind gives the accounts that a change of a source concerns. A recovery concerns those that were told
// of the failure.
func (m *Matching) Blind(ctx context.Context, c *models.Change) ([]models.BlindAccount, error) {
	rows, err := m.tx.Query(ctx, `with fed as (select array_agg(k.id) as ids, array_agg(k.name order by k.name) as names from counties k
  where k.id in (select county_id from source_counties where source_id = $1 union select county_id from sources where id = $1))
 select w.account_id, count(*), s.title, coalesce(f.names, '{}'), greatest(s.last_success, s.last_applied)
 from sources s cross join fed f join watchers w on w.deleted_at is null and not w.paused and (w.county_id is null or f.ids is null or w.county_id = any(f.ids))
 where s.id = $1 and exists (select from webhooks h where h.account_id = w.account_id and h.deleted_at is null and 'source_stale' = any(h.notices))
  and ($2 <> 'source_recovered' or exists (select from events e join changes o on o.id = e.change_id where e.account_id = w.account_id and e.kind = 'source_stale' and o.source_id = $1))
 group by w.account_id, s.title, f.names, s.last_success, s.last_applied order by w.account_id`, c.SourceID, string(c.Kind))
	if err != nil {
		return nil, fmt.Errorf("read blind accounts: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.BlindAccount])
	if err != nil {
		return nil, fmt.Errorf("read blind accounts: %w", err)
	}
	return found, nil
}

// NoteSources notes, as changes, which roster sources are stale since the last call and which have
// recovered, and asks for them to be matched. Stale is an enabled source that had no success, or no newer
// data, for three of its intervals, or that is held or refused: one with a schedule, or of a place where files are
// dropped. One that never succeeded is not: nobody has seen anything by it yet. It gives the number of changes.
func (s *Store) NoteSources(ctx context.Context) (int, error) {
	now := s.Now().UTC()
	noted := 0
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		// One at a time, so that a change is noted once.
		rows, err := tx.Query(ctx, `with held as materialized (select pg_advisory_xact_lock(1919904884)),
 state as (select s.id, s.held_since is not null or s.refused_since is not null or coalesce($1 - greatest(s.last_success, s.last_applied) > make_interval(secs => s.interval_seconds) * $2, false)
   or coalesce($1 - s.data_at > make_interval(secs => s.data_seconds) * $2, false) as stale
  from held, sources s where s.enabled and s.kind = 'roster' and (s.interval_seconds is not null or s.data_seconds is not null) and greatest(s.last_success, s.last_applied) is not null)
 select id, case when stale then 'source_stale' else 'source_recovered' end from state
 where stale is distinct from coalesce((select c.kind = 'source_stale' from changes c where c.source_id = state.id and c.rid is null order by c.id desc limit 1), false) order by id`, now, models.OutageIntervals)
		if err != nil {
			return err
		}
		type turn struct{ Source, Kind string }
		turns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[turn])
		if err != nil {
			return err
		}
		for _, t := range turns {
			_, err := tx.Exec(ctx, `with b as (insert into change_batches (source_id, detected_at, watcher_rev) values ($1, $2, 0) returning id)
 insert into changes (batch_id, kind, detected_at, source_id) select id, $3, $2, $1 from b`, t.Source, now, t.Kind)
			if err != nil {
				return err
			}
		}
		noted = len(turns)
		if noted == 0 {
			return nil
		}
		return s.AskMatch(ctx, tx)
	})
	if err != nil {
		return 0, fmt.Errorf("note stale sources: %w", err)
	}
	return noted, nil
}
