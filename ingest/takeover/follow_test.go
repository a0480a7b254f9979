package takeover_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/store"
)

// follower is a client that keeps a copy of the roster by updated_since and X-Data-As-Of.
type follower struct {
	copy map[string]string
	asOf *time.Time
	// came is how many records the last look brought.
	came int
}

func booking(b *models.Booking) string {
	return fmt.Sprint(b.Name, b.Status, b.Charges, amount(b), b.BookingDate.UTC())
}

// look asks for what changed since the last look: how current the answer is, then the answer.
func (f *follower) look(t *testing.T, s *store.Store) {
	t.Helper()
	sources, err := s.SourcesNow(t.Context())
	require.NoError(t, err)
	fresh, err := sources.Freshness(models.Roster, nil)
	require.NoError(t, err)
	page, err := s.ListBookings(t.Context(), models.RosterFilter{UpdatedSince: f.asOf}, models.Page{Limit: 200})
	require.NoError(t, err)
	f.came = len(page.Records)
	for _, b := range page.Records {
		f.copy[b.ID] = booking(b)
	}
	if fresh.AsOf != nil {
		at := fresh.AsOf.UTC().Truncate(time.Second)
		f.asOf = &at
	}
}

// TestAClientFollowsARosterThatWasTakenOver reads a county for a day after a takeover. The client's copy is the roster at each
// look, and each look brings what changed and not the roster again.
func TestAClientFollowsARosterThatWasTakenOver(t *testing.T) {
	t.Parallel()
	b := setup(t, files)
	clock := now
	s, err := store.Open(t.Context(), b.db.URL, store.Options{Now: func() time.Time { return clock }})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	b.takes()
	georgia, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	source, err := ingest.Load("common-csv")
	require.NoError(t, err)
	b.runner.Store, b.runner.Now = s, func() time.Time { return clock }
	header := "county_name,timestamp,url,inmate_id,inmate_lastname,inmate_firstname,inmate_middlename,inmate_sex,inmate_race,inmate_age,inmate_dob,inmate_address,booking_timestamp,release_timestamp,processing_numbers,agency,facility,charges,severity,bond_amount,current_status,court_dates,days_jailed,other,notes\n"
	f := &follower{copy: map[string]string{}}
	f.look(t, s)
	require.Equal(t, 3, f.came)
	require.Nil(t, f.asOf, "a takeover is not read again, so it says nothing of what comes")
	const people = 40
	for round := range 12 {
		clock = clock.Add(30 * time.Minute)
		var rows strings.Builder
		for i := range people {
			bond := 1000
			if i == round {
				bond = 2000 + round // of one person a look
			}
			fmt.Fprintf(&rows, "Ben Hill,%s,,A%d,NEWCOME%c,ADA,,F,W,,1990-02-03,,2026-03-08 %02d:30:00 EST,,,,,DUI,,$%d.00 | ,,,,,\n",
				clock.In(georgia).Format("2006-01-02 15:04:05 MST"), 100+i, 'A'+rune(i%26), i%20, bond)
		}
		name := fmt.Sprintf("ben-hill_%s.csv", clock.In(georgia).Format("2006-01-02_15-04-05"))
		b.write(map[string]string{name: header + rows.String()})
		_, err = b.runner.Run(t.Context(), source, ingest.Input{Files: []string{filepath.Join(b.dir, name)}})
		require.NoError(t, err)
		require.NoError(t, s.EnableSource(t.Context(), source.ID, true))
		clock = clock.Add(2 * time.Second)
		f.look(t, s)
		page, err := s.ListBookings(t.Context(), models.RosterFilter{}, models.Page{Limit: 200})
		require.NoError(t, err)
		full := map[string]string{}
		for _, one := range page.Records {
			full[one.ID] = booking(one)
		}
		require.Equal(t, full, f.copy)
		if round > 1 {
			require.LessOrEqual(t, f.came, 4, "two bonds change in each round; those of the last may come again")
			require.NotZero(t, f.came)
		}
	}
}

func amount(b *models.Booking) int64 {
	if b.BondCents == nil {
		return -1
	}
	return *b.BondCents
}
