package claim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/models/snapshot"
)

// A number is used again for a new stay. A file of the earlier stay that comes late, or once more, says nothing of the new one.
func TestAFileOfAnEarlierStaySaysNothingOfTheNewOne(t *testing.T) {
	t.Parallel()
	for name, person := range map[string]string{"of the same person": orla, "of another person": tolliver} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("the earlier stay comes late", func(t *testing.T) {
				t.Parallel()
				j := withJailFiles(t)
				j.reads(changed, 240, j.row("K", person, 230, 0, 100))
				j.reads(changed, 100, j.row("K", orla, 2, 96, 500))
				require.Equal(t, person+" 230 booked 100", j.bookings())
			})
			t.Run("the earlier stay is read again", func(t *testing.T) {
				t.Parallel()
				j := withJailFiles(t)
				j.reads(changed, 100, j.row("K", orla, 2, 96, 500))
				j.reads(changed, 240, j.row("K", person, 230, 0, 100))
				j.reads(changed, 100, j.row("K", orla, 2, 96, 500))
				require.Equal(t, orla+" 2 released 96 500; "+person+" 230 booked 100", j.bookings())
			})
		})
	}
}

// Files of a number that is used again are read in order, and then some of them once more: that changes nothing.
func TestAnyFileOfANumberUsedAgainIsReadTwice(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	trial := 0
	property.Check(t, 30, func(r *rapid.T) {
		trial++
		begin := time.Date(1990, 1, 1, 15, 0, 0, 0, time.UTC).AddDate(0, 0, 20*trial)
		source := fmt.Sprintf("s%d", trial)
		b.changing(r, source)
		series := append(drawStay(r, fulton.ID, orla, begin, 0), drawStay(r, fulton.ID, rapid.SampledFrom([]string{orla, tolliver}).Draw(r, "who"), begin, 5)...)
		b.reports(r, source, begin, series...)
		want := b.told(r, source)
		b.reports(r, source, begin, rapid.SliceOfN(rapid.SampledFrom(series), 1, 3).Draw(r, "again")...)
		require.Equal(r, want, b.told(r, source))
	})
}

// drawStay draws what a jail reports of a stay under the number K that begins after some days: its booking, perhaps with a
// changed bond, and the release, by key or with the booking. The first stay always ends.
func drawStay(r *rapid.T, county int16, name string, begin time.Time, days int) (series []message) {
	booked := begin.AddDate(0, 0, days)
	row := func() snapshot.RosterRow {
		bond := int64(rapid.IntRange(1, 3).Draw(r, "bond")) * 10000
		agency := rapid.SampledFrom([]string{"GSP", "GBI"}).Draw(r, "agency")
		return snapshot.RosterRow{
			Key: "K", CountyID: county, Name: name, BookedAt: booked, BondCents: &bond, Agency: agency,
			Changes: true, Line: 1, Fingerprint: fmt.Append(nil, days, bond, agency),
		}
	}
	for i := range rapid.IntRange(1, 2).Draw(r, "rows") {
		series = append(series, message{24*days + 1 + i, row()})
	}
	if days > 0 && rapid.Bool().Draw(r, "stays") {
		return series
	}
	at := booked.Add(30 * time.Hour)
	out := snapshot.RosterRow{Key: "K", KeyOnly: true, Line: 1}
	if rapid.Bool().Draw(r, "with the booking") {
		out = row()
	}
	out.ReleasedAt, out.Fingerprint = &at, fmt.Append(nil, "out", days, out.KeyOnly)
	return append(series, message{24*days + 30, out})
}
