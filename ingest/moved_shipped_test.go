package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

// eaglePage is a page of the shipped source eagle; rows are name, time of booking and charges.
func eaglePage(rows ...[3]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html><body><h1>County Inmate Roster</h1>\n<p>Total inmates: %d</p>\n<table><thead><tr><th>Name</th><th>Age</th><th>Booking Date</th><th>Charges</th><th>Bond</th></tr></thead><tbody>\n", len(rows))
	for _, r := range rows {
		fmt.Fprintf(&b, "<tr><td>%s</td><td>30</td><td>%s</td><td>%s</td><td>$500.00</td></tr>\n", r[0], r[1], r[2])
	}
	return b.String() + "</tbody></table></body></html>\n"
}

func TestGuarantee6TheShippedEagleCorrectsNamesAndMinutes(t *testing.T) {
	t.Parallel()
	b := newCounty(t)
	eagle, err := ingest.Load("eagle")
	require.NoError(t, err)
	page := func(first, second, minute string) string {
		return eaglePage([3]string{first, "01/01/2026 11:10PM", "DUI"}, [3]string{second, "01/02/2026 11:11PM", "DUI"}, [3]string{"Thistledown, Pip", "01/03/2026 11:" + minute + "PM", "DUI"})
	}
	states := `select string_agg(concat_ws(' ', id, name, status), '; ' order by id) from bookings`
	r := b.load(eagle, page("Quillfeather, Marlowe", "Moonsail, Orla", "12"), day)
	require.Equal(t, []any{source.RunOK, true, 3}, []any{r.State, r.Complete, r.New}, r.String())
	b.events()
	b.load(eagle, page("Quillfeather, Marlowe Teagan", "Moonsaile, Orla", "12"), day.AddDate(0, 0, 1))
	r = b.load(eagle, page("Quillfeather, Marlowe Teagan", "Moonsaile, Orla", "13"), day.AddDate(0, 0, 2))
	require.Equal(t, []any{source.RunOK, true}, []any{r.State, r.Complete}, r.String())
	require.Equal(t, "ben-hill-2026-000001 Quillfeather, Marlowe Teagan booked; ben-hill-2026-000002 Moonsaile, Orla booked; ben-hill-2026-000003 Thistledown, Pip booked", one[string](b.bundle, states))
	require.Equal(t, 3, one[int](b.bundle, `select count(*) from record_changes`), "two names and a minute")
	require.NotContains(t, b.events(), "release")
	require.Zero(t, one[int](b.bundle, `select count(*) from changes where kind = 'release'`))
}

func TestGuarantee4SwappedColumnsOfASmallJailAreHeld(t *testing.T) {
	t.Parallel()
	eagle, err := ingest.Load("eagle")
	require.NoError(t, err)
	for _, booked := range []string{"01", "31"} { // long ago, yesterday
		for n := 1; n <= 4; n++ {
			t.Run(fmt.Sprintf("%d people booked on the %s", n, booked), func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				var before, after [][3]string
				for i := range n {
					minute := fmt.Sprintf("01/%s/2026 03:1%dAM", booked, i)
					before = append(before, [3]string{people[i], minute, "DUI"})
					after = append(after, [3]string{"DUI", minute, people[i]})
				}
				b.runSource(eagle, "page.html", eaglePage(before...), day)
				r := b.runSource(eagle, "page.html", eaglePage(after...), day.Add(time.Hour))
				require.Equal(t, []any{source.RunHeld, 0, 0}, []any{r.State, r.New, r.Closed}, r.String())
				require.Equal(t, n, one[int](b, `select count(*) from bookings where status = 'booked'`))
			})
		}
	}
}

const commonHeader = "county_name,timestamp,url,inmate_id,inmate_lastname,inmate_firstname,inmate_middlename,inmate_sex,inmate_race,inmate_age,inmate_dob,inmate_address,booking_timestamp,release_timestamp,processing_numbers,agency,facility,charges,severity,bond_amount,current_status,court_dates,days_jailed,other,notes\n"

// common is a row of the shipped common CSV.
func common(seen, number, last, first, born, booked, released string) string {
	return fmt.Sprintf("Floyd,%s EST,,%s,%s,%s,,F,W,,%s,,%s EST,%s,,,,DUI,,$500,,,,,\n", seen, number, last, first, born, booked, released)
}

func TestGuarantee6TheCommonCSVCorrectsTheTimeOfABooking(t *testing.T) {
	t.Parallel()
	const seen, then = "2026-02-01 10:00:00", "2026-02-02 10:00:00"
	known := common(seen, "77", "MOONSAIL", "ORLA", "1986-05-05", "2026-01-30 10:00:00", "")
	over := common(seen, "77", "MOONSAIL", "ORLA", "1986-05-05", "2026-01-30 10:00:00", "2026-01-30 10:20:00 EST")
	cases := []struct {
		name, known, then string
		bookings          string // minute of booking and status
		events            string
	}{
		{"five minutes later, released", known, common(then, "77", "MOONSAIL", "ORLA", "1986-05-05", "2026-01-30 10:05:00", "2026-02-02 08:00:00 EST"), "10:05 released", "release 0"},
		{"five minutes later", known, common(then, "77", "MOONSAIL", "ORLA", "", "2026-01-30 10:05:00", ""), "10:05 booked", ""},
		{"told before and after in one file", known, common("2026-02-01 22:00:00", "77", "MOONSAIL", "ORLA", "1986-05-05", "2026-01-30 10:00:00", "") + common(then, "77", "MOONSAIL", "ORLA", "", "2026-01-30 10:05:00", ""), "10:05 booked", ""},
		{"both told together", known, common(then, "77", "MOONSAIL", "ORLA", "1986-05-05", "2026-01-30 10:00:00", "") + common(then, "77", "MOONSAIL", "ORLA", "", "2026-01-30 10:05:00", ""), "10:00 booked; 10:05 booked", "booking 0"},
		{"hours later is booked again", known, common(then, "77", "MOONSAIL", "ORLA", "1986-05-05", "2026-01-30 16:00:00", ""), "10:00 booked; 16:00 booked", "booking 0"},
		{"another number of the same name", known, common(then, "78", "MOONSAIL", "ORLA", "1986-05-05", "2026-01-30 10:01:00", ""), "10:00 booked; 10:01 booked", "booking 0"},
		{"booked again after a release within the hour", over, common(then, "77", "MOONSAIL", "ORLA", "1986-05-05", "2026-01-30 10:40:00", ""), "10:00 released; 10:40 booked", "booking 0"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newCounty(t)
			shipped, err := ingest.Load("common-csv")
			require.NoError(t, err)
			states := `select string_agg(to_char(georgia_clock(booked_at), 'HH24:MI') || ' ' || status, '; ' order by booked_at) from bookings where name like '%MOONSAIL%'`
			b.load(shipped, commonHeader+c.known, day.Add(3*time.Hour))
			b.events()
			r := b.load(shipped, commonHeader+c.then, day.AddDate(0, 0, 1).Add(3*time.Hour))
			require.Equal(t, c.bookings, one[string](b.bundle, states), r.String())
			require.Equal(t, c.events, b.events())
			for _, again := range []string{c.known, c.then, c.known + c.then} {
				b.load(shipped, commonHeader+again, day.AddDate(0, 0, 1).Add(3*time.Hour))
				require.Equal(t, c.bookings, one[string](b.bundle, states), "files that come again")
				require.Empty(t, b.events())
			}
		})
	}
}
