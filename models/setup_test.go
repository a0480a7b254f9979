package models_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/match"
	"rollcall/models"
)

// bundle is what a test of the store works with.
type bundle struct {
	ctx   context.Context
	store *models.Store
	pool  *pgxpool.Pool
	now   time.Time
}

func setup(t *testing.T) *bundle {
	t.Helper()
	db := testdb.New(t)
	b := &bundle{ctx: t.Context(), pool: db.Pool, now: time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)}
	var err error
	b.store, err = models.Open(t.Context(), db.URL, models.Options{Secret: []byte("test"), Now: func() time.Time { return b.now }})
	require.NoError(t, err)
	t.Cleanup(b.store.Close)
	b.exec(t, `insert into sources (id, title, kind, enabled) values ('jail', 'Jail', 'roster', true), ('court', 'Court', 'courts', true), ('prison', 'Prison', 'corrections', true)`)
	return b
}

func (b *bundle) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := b.pool.Exec(b.ctx, sql, args...)
	require.NoError(t, err)
}

// booking is a row to store; zero fields get plain values.
type booking struct {
	id, name, county string
	at               string // RFC 3339
	released         string
	withheld         string
}

func (b *bundle) book(t *testing.T, rows ...booking) {
	t.Helper()
	batch := &pgx.Batch{}
	for i, r := range rows {
		if r.county == "" {
			r.county = "fulton"
		}
		if r.at == "" {
			r.at = "2026-03-01T12:00:00Z"
		}
		if r.id == "" {
			r.id = fmt.Sprintf("%s-2026-%06d", r.county, i+1)
		}
		c, err := b.store.Counties().BySlug(r.county)
		require.NoError(t, err)
		batch.Queue(`insert into bookings (id, county_id, source_id, name, name_key, booked_at, released_at, withheld, first_seen, last_seen, last_change, gen)
 values ($1, $2, 'jail', $3, $4, $5::text::timestamptz, nullif($6::text, '')::timestamptz, nullif($7::text, ''), $8, $8, $8, 1)`,
			r.id, c.ID, r.name, match.SearchKey(r.name), r.at, r.released, r.withheld, b.now)
	}
	require.NoError(t, b.pool.SendBatch(b.ctx, batch).Close())
}

func (b *bundle) roster(t *testing.T, f models.RosterFilter, p models.Page) *models.RosterPage {
	t.Helper()
	if p.Limit == 0 {
		p.Limit = models.DefaultLimit
	}
	page, err := b.store.ListBookings(b.ctx, f, p)
	require.NoError(t, err)
	return page
}

func ids(page *models.RosterPage) []string {
	out := []string{}
	for _, r := range page.Records {
		out = append(out, r.ID)
	}
	return out
}

func day(t *testing.T, s string) *models.Date {
	t.Helper()
	d, err := models.ParseDate(s)
	require.NoError(t, err)
	return &d
}
