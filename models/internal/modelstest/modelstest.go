// Package modelstest sets up a database with a few sources for tests of the packages below models,
// and has short ways to store records, events and deliveries and to read what became of them.
// Test-only.
//
// It is not for other tests: those of ingest, notifier and the interfaces use package testdb and go
// through the public methods.
package modelstest

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
	"rollcall/models/store"
)

// Bundle is what a test works with. Each test has a database of its own, so tests run in parallel.
type Bundle struct {
	Ctx   context.Context
	Store *store.Store
	Pool  *pgxpool.Pool
	// Now is the store's clock, the 10th of March 2026, 15:00 UTC, until a test sets it.
	Now time.Time
	db  *testdb.DB
}

// Setup opens a store on a database of its own, with the sources jail, court and prison.
func Setup(t *testing.T) *Bundle {
	t.Helper()
	db := testdb.New(t)
	b := &Bundle{Ctx: t.Context(), Pool: db.Pool, db: db, Now: time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)}
	var err error
	b.Store, err = store.Open(t.Context(), db.URL, store.Options{Secret: []byte("test"), Now: func() time.Time { return b.Now }})
	require.NoError(t, err)
	t.Cleanup(b.Store.Close)
	b.Exec(t, `insert into sources (id, title, kind, enabled)
 values ('jail', 'Jail', 'roster', true), ('court', 'Court', 'courts', true), ('prison', 'Prison', 'corrections', true)`)
	return b
}

// Exec runs a statement, for states that no method of the store makes.
func (b *Bundle) Exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := b.Pool.Exec(b.Ctx, sql, args...)
	require.NoError(t, err)
}

// Add stores records of package testdb: Booking, Case, Offender, Link and CourtLink, with their
// claims.
func (b *Bundle) Add(t *testing.T, records ...any) {
	t.Helper()
	b.db.Add(t, records...)
}

// Booking is a row to store; fields left zero get plain values.
type Booking struct {
	// ID is made of county and place in the list if empty. County is a slug, fulton if empty.
	ID, Name, County string
	// At is the booking time in RFC 3339; the 1st of March 2026 if empty.
	At string
	// Released is a time too; empty while booked.
	Released string
	// Withheld is the reason why the booking is not published; empty if it is.
	Withheld string
}

// Book stores bookings of the source jail, each with its claim.
func (b *Bundle) Book(t *testing.T, rows ...Booking) {
	t.Helper()
	batch := &pgx.Batch{}
	for i, r := range rows {
		if r.County == "" {
			r.County = "fulton"
		}
		if r.At == "" {
			r.At = "2026-03-01T12:00:00Z"
		}
		if r.ID == "" {
			r.ID = fmt.Sprintf("%s-2026-%06d", r.County, i+1)
		}
		c, err := b.Store.Counties().BySlug(r.County)
		require.NoError(t, err)
		batch.Queue(`insert into bookings (id, county_id, source_id, name, name_key, booked_at, released_at, withheld, first_seen, last_seen, last_change, gen)
 values ($1, $2, 'jail', $3, $4, $5::text::timestamptz, nullif($6::text, '')::timestamptz, nullif($7::text, '')::withheld_reason, $8, $8, $8, 1)`,
			r.ID, c.ID, r.Name, match.SearchKey(r.Name), r.At, r.Released, r.Withheld, b.Now)
		batch.Queue(testdb.ClaimOfBooking, r.ID)
	}
	require.NoError(t, b.Pool.SendBatch(b.Ctx, batch).Close())
}

// Roster lists bookings as callers see them; a page without a limit gets the usual one.
func (b *Bundle) Roster(t *testing.T, f models.RosterFilter, p models.Page) *models.RosterPage {
	t.Helper()
	if p.Limit == 0 {
		p.Limit = models.DefaultLimit
	}
	page, err := b.Store.ListBookings(b.Ctx, f, p)
	require.NoError(t, err)
	return page
}

// IDs are the ids of the bookings of a page, in its order.
func IDs(page *models.RosterPage) []string {
	out := []string{}
	for _, r := range page.Records {
		out = append(out, r.ID)
	}
	return out
}

// Day reads a date such as 2026-03-10. It is a pointer, as filters take it.
func Day(t *testing.T, s string) *models.Date {
	t.Helper()
	d, err := models.ParseDate(s)
	require.NoError(t, err)
	return &d
}
