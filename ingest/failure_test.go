package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

func TestAFileOfAnotherLayoutFailsAndHarmsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "relaid", 1)
	day := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	b.runSource(s, "roster.csv", roster(5), day)
	r := b.runSource(s, "roster.csv", "id,name,when,bond\n1,\"MOONSAIL, ORLA\",2026-01-05 10:00,$1\n#end\n", day.AddDate(0, 0, 1))
	require.Equal(t, source.RunFailed, r.State)
	require.Equal(t, "read roster.csv: the header lacks the columns booked", r.Note)
	require.False(t, r.OK())
	require.Equal(t, 5, one[int](b, `select count(*) from bookings where status = 'booked'`))
	require.Equal(t, "failed read roster.csv: the header lacks the columns booked", one[string](b, `select state || ' ' || error from runs order by id desc limit 1`))
}

func TestTwoFeedsOfOneCountyTellOfTheSameBookings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	day := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	one1, two := rosterSource(t, "feed-one", 1), rosterSource(t, "feed-two", 1)
	b.runSource(one1, "roster.csv", roster(5), day)
	r := b.runSource(two, "roster.csv", roster(5), day.Add(time.Hour))
	require.Equal(t, []int{0, 5, 0}, []int{r.New, r.Adopted, r.Changed}, r.String())
	require.Equal(t, 5, one[int](b, `select count(*) from bookings`))

	r = b.runSource(one1, "roster.csv", roster(5, 2), day.AddDate(0, 0, 1))
	require.Zero(t, r.Closed, "the other feed lists the person in its newest snapshot: "+r.String())
	r = b.runSource(two, "roster.csv", roster(5, 2), day.AddDate(0, 0, 1).Add(time.Hour))
	require.Equal(t, []int{1, 0}, []int{r.Closed, r.Reopened}, r.String())
	require.Equal(t, "2026-02-02 13:00", one[string](b, `select to_char(released_at, 'YYYY-MM-DD HH24:MI') from bookings where status = 'released'`))
}

func TestOrdinaryReleaseIsStatedNotInferred(t *testing.T) {
	t.Parallel()
	b := setup(t)
	header := "county_name,timestamp,url,inmate_id,inmate_lastname,inmate_firstname,inmate_middlename,inmate_sex,inmate_race,inmate_age,inmate_dob,inmate_address,booking_timestamp,release_timestamp,processing_numbers,agency,facility,charges,severity,bond_amount,current_status,court_dates,days_jailed,other,notes\n"
	row := func(at, released, bond string) string {
		return header + "Clarke," + at + " EST,,A1,MOONSAIL,ORLA,,F,W,,1987-05-05,12 NOWHERE LN,2026-01-05 10:00:00 EST," + released + ",,,,DUI,," + bond + ",,,,,\n"
	}
	b.run("common-csv", "a.csv", row("2026-01-06 10:00:00", "", "$500.00"), b.now)
	r := b.run("common-csv", "b.csv", row("2026-01-07 10:00:00", "2026-01-07 09:00:00 EST", "$900.00"), b.now)
	require.Equal(t, []int{1, 1}, []int{r.Changed, r.Closed}, r.String())
	r = b.run("common-csv", "c.csv", row("2026-01-06 22:00:00", "", "$700.00"), b.now)
	require.Equal(t, []int{0, 1}, []int{r.Changed, r.Older}, "a late row takes nothing back: "+r.String())
	require.Equal(t, "released f 90000", one[string](b, `select concat_ws(' ', status, release_inferred, bond_cents) from bookings`))
	require.Equal(t, `bond_cents:50000>90000 charge_details:[{"description":"DUI","bondAmount":"500.00"}]>[{"description":"DUI","bondAmount":"900.00"}] released_at:>2026-01-07T14:00:00.000000Z`, one[string](b, `select string_agg(field || ':' || coalesce(before, '') || '>' || after, ' ' order by field) from record_changes`))
	r = b.run("common-csv", "d.csv", row("2026-01-06 23:00:00", "2026-01-06 12:00:00 EST", "$900.00"), b.now)
	require.Equal(t, []int{0, 1}, []int{r.Changed, r.Older}, "nor does a late row state an older release: "+r.String())
	require.Equal(t, "2026-01-07 14:00", one[string](b, `select to_char(released_at at time zone 'utc', 'YYYY-MM-DD HH24:MI') from bookings`))
	for _, column := range []string{`select string_agg(b::text, '') from bookings b`, `select string_agg(r.report::text, '') from runs r`} {
		require.NotContains(t, one[string](b, column), "NOWHERE", "addresses never rest in the clear")
	}
}
