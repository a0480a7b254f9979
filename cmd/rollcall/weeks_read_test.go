package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// records are the published bookings, a line each.
func (w *weeks) records() []string {
	w.T.Helper()
	rows, err := w.store.Pool().Query(w.T.Context(), `select c.slug, b.name, coalesce(b.dob::text, b.birth_year::text, ''), b.booked_at, b.released_at, b.bond_cents,
 array_to_string(b.charges, '; ') from published_bookings b join counties c on c.id = b.county_id`)
	require.NoError(w.T, err)
	out, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var county, name, born, charges string
		var booked time.Time
		var released *time.Time
		var cents *int64
		if err := row.Scan(&county, &name, &born, &booked, &released, &cents, &charges); err != nil {
			return "", err
		}
		if released == nil {
			released = &time.Time{}
		}
		return recordLine(county, name, born, booked, *released, bondText(cents), charges), nil
	})
	require.NoError(w.T, err)
	return out
}

// events are what watchers were sent since it was asked last. Every person of the story is watched. What no watcher was sent is
// no event, but must not have been noted as one either, if it is not the correction of a name.
func (w *weeks) events() []string {
	w.T.Helper()
	_, err := w.matcher.Drain(w.T.Context())
	require.NoError(w.T, err)
	rows, err := w.store.Pool().Query(w.T.Context(), `select c.slug, g.kind, coalesce(w.name, g.name), g.bond_cents, e.change_id is not null, g.id
 from changes g left join (select distinct on (change_id) change_id, watcher_id from events order by change_id, seq) e on e.change_id = g.id
 left join watchers w on w.id = e.watcher_id join counties c on c.id = g.county_id
 where g.id > $1 and (e.change_id is not null or g.old_name is null) order by g.id`, w.changed)
	require.NoError(w.T, err)
	out, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var county, kind, name string
		var cents *int64
		var sent bool
		if err := row.Scan(&county, &kind, &name, &cents, &sent, &w.changed); err != nil {
			return "", err
		}
		if !sent {
			name += " (nobody was notified)"
		}
		bond := ""
		if kind == "bond_change" {
			bond = bondText(cents)
		}
		return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", county, kind, name, bond)), nil
	})
	require.NoError(w.T, err)
	return out
}

// bondText writes an amount in cents; nil: none.
func bondText(cents *int64) string {
	switch {
	case cents == nil:
		return ""
	case *cents%100 != 0:
		return fmt.Sprintf("$%d.%02d", *cents/100, *cents%100)
	default:
		return fmt.Sprintf("$%d", *cents/100)
	}
}
