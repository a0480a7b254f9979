package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

// An operator publishes a booking on the ground that was looked at. What comes after that is reviewed by itself.
func TestAJuvenilesCauseThatComesAfterALiftHidesAgain(t *testing.T) {
	t.Parallel()
	court, err := ingest.Load("court-delta")
	require.NoError(t, err)
	lift := func(b *bundle, id string) {
		b.now = b.now.Add(time.Hour)
		require.NoError(b, b.store.Review(b.Context(), id, "lifted", "desk", "looked at"))
		b.now = b.now.Add(time.Hour)
	}
	t.Run("a doubt of its own, and then a court's case", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		tells, _ := twoFeeds(t)
		b.runSource(tells, "a.csv", bornList(`A1,"MOONSAIL, CARL",2026-01-05 23:50,$1.00,2009`), day)
		id := one[string](b, `select id from bookings`)
		lift(b, id)
		require.Equal(t, []string{"MOONSAIL, CARL public"}, b.hiding())
		b.runSource(court, "delta.txt", caseLine("J-1", "MOONSAIL, CARL", "01/06/2026", "03/05/2010", "A1"), day.Add(time.Hour))
		require.Equal(t, []string{"MOONSAIL, CARL maybe juvenile"}, b.hiding(), "the court names the number of somebody aged 15")
		lift(b, id)
		require.Equal(t, []string{"MOONSAIL, CARL public"}, b.hiding(), "both grounds are reviewed now")
		b.runSource(tells, "a.csv", bornList(`A1,"MOONSAIL, CARL",2026-01-05 23:50,$2.00,2009`), day.Add(2*time.Hour))
		require.Equal(t, []string{"MOONSAIL, CARL public"}, b.hiding(), "and stay so when a fact changes")
	})
	t.Run("more is known of the other booking", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		tells, silent := twoFeeds(t)
		b.runSource(tells, "a.csv", bornList(strings.Replace(carl, "03/05/2010", "2009", 1)), day)
		b.runSource(silent, "b.csv", bornList(`B1,"MOONSAIL, CARL",2026-01-05 23:55,$1.00,`), day.Add(time.Hour))
		state := `select coalesce(b.withheld::text, 'public') from bookings b join roster_claims c on c.record = b.rid where c.key = 'B1'`
		require.Equal(t, "maybe juvenile", one[string](b, state))
		lift(b, one[string](b, `select b.id from bookings b join roster_claims c on c.record = b.rid where c.key = 'B1'`))
		require.Equal(t, "public", one[string](b, state))
		b.runSource(tells, "a.csv", bornList(carl), day.Add(2*time.Hour))
		require.Equal(t, "maybe juvenile", one[string](b, state), "the other is known to be a juvenile now")
	})
}
