package record_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// statements counts what a store asks.
type statements struct{ n atomic.Int64 }

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	s.n.Add(1)
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// asked is how many statements fn makes.
func (s *statements) asked(t *testing.T, fn func() error) int64 {
	t.Helper()
	before := s.n.Load()
	require.NoError(t, fn())
	return s.n.Load() - before
}

func TestRecordsAreKeptUntilTheyChange(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Add(
		t, testdb.Booking{ID: "fulton-2026-000001", Name: "Quentin Abernethy"}, testdb.Offender{GdcID: "G1", Name: "ABERNETHY, QUENTIN"},
		testdb.Case{Number: "26/CR 1", Defendant: "ABERNETHY, QUENTIN"}, testdb.Link{Booking: "fulton-2026-000001", Offender: "G1"},
	)
	seen := &statements{}
	ctx := t.Context()
	store, err := store.Open(ctx, db.URL, store.Options{KeepRecords: 1 << 20, Tracer: seen})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	var (
		booking *models.Booking
		links   map[int64]*models.GdcLink
		back    map[int64][]*models.CountyRecord
	)
	one := int64(0)
	reads := map[string]func() error{
		"a booking": func() (err error) { booking, err = store.BookingByID(ctx, "fulton-2026-000001"); return err },
		"a corrections record": func() error {
			o, err := store.CorrectionsByGdcID(ctx, "G1")
			if err == nil {
				one = o.CID
			}
			return err
		},
		"cases with a number":      func() error { _, err := store.CourtCasesByNumber(ctx, " 26/CR 1 ", nil, nil); return err },
		"the link of a booking":    func() (err error) { links, err = store.GdcLinksOf(ctx, []int64{booking.RID, -1}); return err },
		"the bookings of a record": func() (err error) { back, err = store.CountyRecordsOf(ctx, []int64{one}); return err },
		"hearings":                 func() error { _, err := store.HearingsOf(ctx, []int64{1}); return err },
		"dispositions":             func() error { _, err := store.DispositionsOf(ctx, []int64{1}); return err },
	}
	order := []string{"a booking", "a corrections record", "cases with a number", "the link of a booking", "the bookings of a record", "hearings", "dispositions"}
	for _, name := range order {
		require.EqualValues(t, 2, seen.asked(t, reads[name])+seen.asked(t, reads[name]), "%s: nobody follows changes, so each read asks", name)
	}

	_, leave := store.Changes(ctx, models.Roster, slog.New(slog.DiscardHandler))
	t.Cleanup(leave)
	await := func(holds func(models.View) bool) {
		require.Eventually(t, func() bool { v, ok := store.View(); return ok && holds(v) }, time.Minute, time.Millisecond)
	}
	await(func(models.View) bool { return true })
	for _, name := range order {
		require.NoError(t, reads[name]())
	}
	quiet := func() (n int64) { // the feed's own statements, once a second, are not of the pool but traced as well
		for _, name := range order {
			n += min(seen.asked(t, reads[name]), 1)
		}
		return n
	}
	require.Eventually(t, func() bool { return quiet() == 0 }, time.Minute, time.Millisecond, "everything is kept")
	require.Equal(t, models.High, links[booking.RID].Confidence)
	require.NotContains(t, links, int64(-1))
	require.Len(t, back[one], 1)

	before, _ := store.View()
	_, err = db.Pool.Exec(ctx, `with g as (update generations set gen = gen + 1 where family = 'roster' returning gen)
 update bookings set bond_cents = 123400, gen = g.gen from g`)
	require.NoError(t, err)
	await(func(v models.View) bool { return v.Roster > before.Roster })
	require.NoError(t, reads["a booking"]())
	require.EqualValues(t, 123400, *booking.BondCents)
	require.NoError(t, reads["the bookings of a record"]())
	require.EqualValues(t, 123400, *back[one][0].Record.BondCents)

	_, err = db.Pool.Exec(ctx, `insert into record_changes (family, record, at, field, before, after, source_id)
 select 'roster', rid, now(), 'bond_cents', null, '123400', 'jail' from bookings`)
	require.NoError(t, err)
	then, err := store.BookingAsOf(ctx, booking.ID, booking.FirstSeen)
	require.NoError(t, err)
	require.Nil(t, then.BondCents)
	require.NoError(t, reads["a booking"]())
	require.EqualValues(t, 123400, *booking.BondCents, "looking at the past does not change what is kept of today")

	_, err = db.Pool.Exec(ctx, `with g as (update generations set gen = gen + 1 where family = 'roster' returning gen)
 update bookings set withheld = 'restricted', gen = g.gen from g`)
	require.NoError(t, err)
	await(func(v models.View) bool { return v.Roster > before.Roster+1 })
	var missing *models.Error
	require.ErrorAs(t, reads["a booking"](), &missing, "a sealed record does not come back from memory")
	require.Equal(t, models.CodeNotFound, missing.Code)
	require.NoError(t, reads["the bookings of a record"]())
	require.Empty(t, back[one])
}
