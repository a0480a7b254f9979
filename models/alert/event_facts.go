package alert

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// FactsOfEvents gives the facts of an account's events by their ids. Those of notices about sources, and of records that
// are not published any more, are left out.
func (s *Store) FactsOfEvents(ctx context.Context, accountID string, ids []string) (map[string]*models.EventFacts, error) {
	rows, err := s.Pool().Query(ctx, `select e.id, c.name, c.county_id, c.booked_at, c.released_at, c.charges, c.bond_cents, c.old_bond_cents
 from events e join changes c on c.id = e.change_id join bookings b on b.rid = e.rid and b.withheld is null where e.id = any($1) and e.account_id = $2`, ids, accountID)
	if err != nil {
		return nil, fmt.Errorf("read facts of events: %w", err)
	}
	out := make(map[string]*models.EventFacts, len(ids))
	for rows.Next() {
		var (
			id     string
			f      models.EventFacts
			county int16
		)
		if err := rows.Scan(&id, &f.Name, &county, &f.BookingDate, &f.ReleaseDate, &f.Charges, &f.BondCents, &f.BeforeCents); err != nil {
			rows.Close()
			return nil, fmt.Errorf("read facts of events: %w", err)
		}
		f.County, f.BookingDate = s.Counties().ByID(county), f.BookingDate.In(models.Georgia)
		if f.ReleaseDate != nil {
			f.ReleaseDate = new(f.ReleaseDate.In(models.Georgia))
		}
		out[id] = &f
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read facts of events: %w", err)
	}
	return out, nil
}

// EventsOfHits gives what an account's watchers told of hits, by the hits' ids, oldest first.
func (s *Store) EventsOfHits(ctx context.Context, accountID string, ids []string) (map[string][]*models.AlertEvent, error) {
	rows, err := s.Pool().Query(ctx, `select `+eventColumns+` from hits h join events e on e.rid = h.rid and e.watcher_id = h.watcher_id and e.hit_id = h.id
 join bookings b on b.rid = h.rid and b.withheld is null
 where h.id = any($1) and h.account_id = $2 and e.kind in ('booking', 'release', 'bond_change') order by e.seq`, ids, accountID)
	if err != nil {
		return nil, fmt.Errorf("read events of hits: %w", err)
	}
	found, err := pgx.CollectRows(rows, scanEvent)
	if err != nil {
		return nil, fmt.Errorf("read events of hits: %w", err)
	}
	out := make(map[string][]*models.AlertEvent, len(ids))
	for _, e := range found {
		out[*e.HitID] = append(out[*e.HitID], e)
	}
	return out, nil
}
