package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

// agencies are the agencies of the published bookings, each once.
func (b *bundle) agencies() string {
	b.Helper()
	return one[string](b, `select coalesce(string_agg(distinct coalesce(agency, '-'), ', '), '') from published_bookings`)
}

func TestShippedSourcesReadTheAgencyOfABooking(t *testing.T) {
	t.Parallel()
	for id, c := range map[string]struct{ file, agencies string }{
		"docket":     {"one-row-a-docket.html", "ATHENS-CLARKE PD, GSP, UGA PD"}, // of two rows the first one's
		"docket-48":  {"page1.html", "ATHENS-CLARKE PD, GSP, UGA PD"},
		"eagle":      {"wide.html", "Ben Hill SO, GSP"},
		"common-csv": {"athens-clarke_2017-08-19_06-30-00.csv", "ACCPD"},
		"zuercher":   {"page1.json", "Baldwin SO, GSP"},
		"connect":    {"page1.html", "-, Georgia State Patrol"},
		"citizen":    {"page1.json", "Baldwin County Sheriff's Office, GSP"},
		"roster-xml": {"roster.xml", "-, Fitzgerald Police Department"},
		"new-world":  {"100001.html", "-"}, // its field holds the type of the prisoner, too
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			at := seen
			if id == "common-csv" {
				at = time.Time{} // its rows say of when they are
			}
			r := b.run(id, c.file, b.sample(id, c.file), at)
			require.NotZero(t, r.New, r.String())
			require.Equal(t, c.agencies, b.agencies(), r.String())
		})
	}
}

func TestAnAgencyIsAFactLikeAnyOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(fadingDocument))
	require.NoError(t, err)
	list := func(days int, agency string) *ingest.Report {
		b.now = b.now.Add(time.Hour)
		return b.runSource(s, "a.json", jsonPeople(3, agency), day.AddDate(0, 0, days))
	}
	list(0, `"agency": null`)
	require.Equal(t, "-", b.agencies())

	r := list(1, `"agency": " Georgia  State Patrol "`)
	require.Equal(t, []any{source.RunOK, 3}, []any{r.State, r.Changed}, r.String())
	require.Equal(t, "Georgia State Patrol", b.agencies())
	require.Equal(t, "agency - Georgia State Patrol", one[string](b, `select distinct concat_ws(' ', field, coalesce(before, '-'), after) from record_changes`))
	require.Zero(t, one[int](b, `select count(*) from changes where kind <> 'booking'`), "nobody is notified of it")

	require.Zero(t, list(2, `"agency": "Georgia State Patrol"`).Changed)
	require.Contains(t, list(3, `"org": "Georgia State Patrol"`).Drift, "booking.agency is no longer in any row: what is known of it stays")
	require.Equal(t, "Georgia State Patrol", b.agencies())
	require.Equal(t, 3, list(4, `"agency": ""`).Changed, "taken back")
	require.Equal(t, "-", b.agencies())
}

func TestAnAgencyLosesWhatMayNotBeStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(fadingDocument))
	require.NoError(t, err)
	b.runSource(s, "a.json", jsonPeople(1, `"agency": "GSP 123-45-6789"`), day)
	require.NotContains(t, b.agencies(), "6789")
}
