package record_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/record"
	"rollcall/models/store"
)

// BenchmarkPage measures the reads of a page of fifty bookings: what it costs to build the statement from its query of GORM,
// and to run and scan it by GORM and by pgx.
func BenchmarkPage(b *testing.B) {
	db := testdb.New(b)
	keys, rows := make([]int64, 50), make([]any, 60)
	for i := range rows {
		rows[i] = testdb.Booking{ID: fmt.Sprintf("fulton-2026-%06d", i), Name: "DOE, JANE", Charges: []string{"BURGLARY", "THEFT"}}
	}
	for i := range keys {
		keys[i] = int64(i + 1)
	}
	db.Add(b, rows...)
	s, err := store.Open(b.Context(), db.URL, store.Options{})
	require.NoError(b, err)
	b.Cleanup(s.Close)
	records, page := record.New(s.DB, 0), models.Page{Limit: len(keys)}
	list := func(f models.RosterFilter) record.Read[models.Booking] {
		read, err := record.BookingList(b.Context(), records, f, page)
		require.NoError(b, err)
		return read
	}
	for _, c := range []struct {
		name string
		read record.Read[models.Booking]
	}{
		{"list", list(models.RosterFilter{County: new("fulton"), Status: new(models.Booked)})},
		{"counted", list(models.RosterFilter{County: new("fulton"), Name: new("jane doe")})},
		{"by keys", record.BookingsByKeys(b.Context(), records, keys)},
	} {
		b.Run(c.name+"/build", func(b *testing.B) {
			for b.Loop() {
				_, _, err := c.read.Build()
				require.NoError(b, err)
			}
		})
		for name, run := range map[string]func() ([]*models.Booking, int64, error){"gorm": c.read.Gorm, "pgx": c.read.Pgx} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					found, _, err := run()
					require.NoError(b, err)
					require.GreaterOrEqual(b, len(found), len(keys))
				}
			})
		}
	}
}
