package search

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// BenchmarkRoster reads pages of a fifth of the records from PostgreSQL, through an index and by
// SQL alone.
func BenchmarkRoster(b *testing.B) {
	c := newCorpus(b, 1)
	db := testdb.New(b)
	rows := c.rows(benchRecords(b) / 5)
	ctx := b.Context()
	_, err := db.Pool.Exec(ctx, `insert into sources (id, title, kind) values ('jail', 'Jail', 'roster')`)
	require.NoError(b, err)
	_, err = db.Pool.Exec(ctx, `update generations set gen = 1`)
	require.NoError(b, err)
	var counties []int16
	require.NoError(b, db.Pool.QueryRow(ctx, `select array_agg(id) from counties`).Scan(&counties))
	now := time.Now()
	_, err = db.Pool.CopyFrom(ctx, pgx.Identifier{"bookings"}, []string{"rid", "id", "county_id", "source_id", "name", "name_key", "booked_at", "first_seen", "last_seen", "last_change", "gen"},
		pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
			r := &rows[i]
			return []any{r.Key, r.Tie, counties[r.Facets[0]-1], "jail", r.Words, r.Words, time.UnixMicro(r.Order), now, now, now, 1}, nil
		}))
	require.NoError(b, err)
	_, err = db.Pool.Exec(ctx, `analyze bookings`)
	require.NoError(b, err)
	for _, with := range []string{"SQL", "index"} {
		s, err := store.Open(ctx, db.URL, store.Options{})
		require.NoError(b, err)
		defer s.Close()
		if with == "index" {
			defer follow(b, s)()
		}
		for name, words := range map[string]string{"newest": "", "smith": "smith", "jo": "jo", "smith john": "john smith"} {
			f := models.RosterFilter{Name: &words}
			b.Run(name+" by "+with, func(b *testing.B) {
				for b.Loop() {
					_, err := s.ListBookings(ctx, f, models.Page{Limit: 50})
					require.NoError(b, err)
				}
			})
		}
	}
}

// follow puts a loaded index on a store, until the function that it gives is called.
func follow(b *testing.B, s *store.Store) (stop func()) {
	b.Helper()
	ix := New(s, models.Roster, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error)
	go func() { done <- ix.Run(ctx) }()
	s.UseIndex(models.Roster, ix)
	for ix.CatchUp(ctx, 1) != nil {
		require.NoError(b, ctx.Err())
	}
	return func() {
		cancel()
		require.NoError(b, <-done)
	}
}
