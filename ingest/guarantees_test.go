package ingest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// sourceWith is the source of rosterSource, its document changed by pairs of old and new texts.
func sourceWith(t *testing.T, id string, pairs ...string) *ingest.Source {
	t.Helper()
	text := fmt.Sprintf(rosterDocument, id, 1)
	for i := 0; i < len(pairs); i += 2 {
		changed := strings.Replace(text, pairs[i], pairs[i+1], 1)
		require.NotEqual(t, text, changed, pairs[i])
		text = changed
	}
	s, err := ingest.Parse([]byte(text))
	require.NoError(t, err)
	return s
}

func TestGuarantee3AbsenceMeansWhatThePolicySays(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name    string
		publish string
		want    []int // released after each of three whole files that lack one person
	}{
		{"a full roster releases whom a whole file lacks", "{policy: full_roster, absence: released}", []int{1, 1, 1}},
		{"two confirmations wait for the second file", "{policy: full_roster, absence: released, confirmations: 2}", []int{0, 1, 1}},
		{"absence that means nothing known releases nobody", "{policy: full_roster, absence: unknown}", []int{0, 0, 0}},
		{"a window releases only those who were booked within it", "{policy: window, window_days: 60, absence: released}", []int{1, 1, 1}},
		{"whoever the window has moved past leaves without a release", "{policy: window, window_days: 7, absence: released}", []int{0, 0, 0}},
		{"a delta says nothing of those it does not name", "{policy: delta, absence: nothing}", []int{0, 0, 0}},
		{"a list of releases says nothing of those it does not name", "{policy: releases, absence: nothing}", []int{0, 0, 0}},
		{"a look-up says nothing of those it does not name", "{policy: lookup, absence: nothing}", []int{0, 0, 0}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := sourceWith(t, "county-a", "{policy: full_roster, absence: released, confirmations: 1}", c.publish)
			b.runSource(s, "roster.csv", roster(5), day)
			for i, want := range c.want {
				b.runSource(s, "roster.csv", roster(5+i, 2), day.AddDate(0, 0, i+1))
				require.Equal(t, want, one[int](b, `select count(*) from bookings where status = 'released'`), "after file %d", i+1)
			}
		})
	}
}

// TestGuarantee3WhoeverFallsOutOfAWindowOfDaysIsNotReleased holds that a list of the last two days, from a publisher who
// counts days, releases nobody at its edge.
func TestGuarantee3WhoeverFallsOutOfAWindowOfDaysIsNotReleased(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "county-a", "{policy: full_roster, absence: released, confirmations: 1}", "{policy: window, window_days: 2, absence: released}")
	file := func(rows ...string) string { return "id,name,booked,bond\n" + strings.Join(rows, "\n") + "\n#end\n" }
	row := func(key, name, booked string) string { return key + ",\"" + name + "\"," + booked + ",$5.00" }
	old, edge, within, stays := row("A", "MOONSAIL, ORLA", "2026-03-03 23:00"), row("B", "THISTLEDOWN, PIP", "2026-03-04 23:00"), row("C", "BRACKENRIDGE, TOLLIVER", "2026-03-05 00:10"), row("D", "QUILLFEATHER, WREN", "2026-03-05 09:00")
	at := time.Date(2026, 3, 5, 9, 30, 0, 0, models.Georgia)
	b.now = at.AddDate(0, 0, 2)
	b.runSource(s, "a.csv", file(old, edge, within, stays), at)
	// On the sixth at half past nine the edge lies 35 hours back, and the page begins with the fifth.
	r := b.runSource(s, "b.csv", file(stays), at.AddDate(0, 0, 1))
	require.Equal(t, "BRACKENRIDGE, TOLLIVER", one[string](b, `select coalesce(string_agg(name, ' ' order by name), '') from bookings where status = 'released'`), r.String())
}

func TestGuarantee8NothingIsDroppedSilently(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	r := b.runSource(s, "roster.csv", strings.Replace(soon(), "K5,", "K5,too,many,", 1), day)
	require.Equal(t, []any{source.RunPartial, 6, 4, 2}, []any{r.State, r.Fetched, r.Parsed, r.Quarantined}, r.String())
	require.Equal(t, "5 booking.booked_at,7 ", one[string](b, `select string_agg(line || ' ' || field, ',' order by line) from quarantine`))
	require.Equal(t, "6 2", one[string](b, `select (report->>'fetched') || ' ' || (report->>'quarantined') from runs`), "the report stays with the run")
	sealed := one[[]byte](b, `select encrypted from quarantine where line = 5`)
	raw, err := b.runner.Seal.Open(sealed, "quarantine of county-a")
	require.NoError(t, err)
	require.Equal(t, `K3,"QUILLFEATHERD, WREN",noon,$500.00`, string(raw))
}

func TestGuarantee9WhatIsNotKnownIsCountedOrHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	more := strings.NewReplacer("bond\n", "bond,shoe size\n", "$500.00", "$500.00,9")
	warn, hold := rosterSource(t, "county-a", 1), sourceWith(t, "county-b", "kind: roster", "kind: roster\ndrift: hold")
	for _, s := range []*ingest.Source{warn, hold} {
		b.runSource(s, "roster.csv", roster(5), day)
	}
	r := b.runSource(warn, "roster.csv", more.Replace(roster(5, 1)), day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunPartial, false, 0, []string{`column "shoe size" is not known`}}, []any{r.State, r.Complete, r.Closed, r.Drift}, r.String())
	r = b.runSource(hold, "roster.csv", more.Replace(roster(5, 1)), day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.Closed}, r.String())
	r = b.release(hold)
	require.Equal(t, []any{source.RunOK, true}, []any{r.State, r.Complete}, "the operator looked: "+r.String())
	r = b.runSource(hold, "roster.csv", more.Replace(roster(5, 1)), day.AddDate(0, 0, 2))
	require.Equal(t, []any{source.RunOK, 1}, []any{r.State, r.Closed}, "its columns are the known ones now: "+r.String())

	r = b.run("corrections-fixed", "offenders.txt", strings.ReplaceAll(offenders(3), "NOPLACE I", "NOPLACE Q"), day)
	require.Equal(t, map[string]map[string]int{"offender.status": {"Q": 3}}, r.Unknown)
	require.Equal(t, "unknown Q", one[string](b, `select distinct status || ' ' || status_text from corrections_records`))
}

func TestGuarantee10EachChangeIsAVersionRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	b.runSource(s, "roster.csv", roster(3), day)
	require.Zero(t, one[int](b, `select count(*) from record_changes`), "a new record is no change")
	b.now = b.now.Add(time.Hour)
	r := b.runSource(s, "roster.csv", strings.Replace(roster(3), "$500.00", "$900.00", 1), day.AddDate(0, 0, 1))
	require.Equal(t, fmt.Sprintf("roster county-a %d bond_cents 50000 90000", r.Run), one[string](b, `select concat_ws(' ', family, source_id, run_id, field, before, after) from record_changes`))
	require.True(t, one[bool](b, `select at = $1 from record_changes`, b.now), "when we learned it")

	t.Log("each charge with all that is told of it, too")
	charged := sourceWith(t, "county-b", "bond]", "bond, charge, law]", "person: {name: name}", "person: {name: name}\n  charge: {description: charge, statute: law}")
	for i, law := range []string{"16-8-2", "16-8-3"} {
		b.now = b.now.Add(time.Hour)
		b.runSource(charged, "b.csv", "id,name,booked,bond,charge,law\nZ1,\"MOONSAIL, ORLA\",2026-01-07 10:00,$1.00,THEFT,"+law+"\n#end\n", day.AddDate(0, 0, i))
	}
	require.Regexp(t, `THEFT.*16-8-2.*>.*THEFT.*16-8-3`, one[string](b, `select before || ' > ' || after from record_changes where source_id = 'county-b' and field = 'charge_details'`))
}

func TestGuarantee11JuvenilesAndAddressesNeverShow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	header := "county_name,timestamp,url,inmate_id,inmate_lastname,inmate_firstname,inmate_middlename,inmate_sex,inmate_race,inmate_age,inmate_dob,inmate_address,booking_timestamp,release_timestamp,processing_numbers,agency,facility,charges,severity,bond_amount,current_status,court_dates,days_jailed,other,notes\n"
	row := func(id, last, dob string) string {
		return "Clarke,2026-01-06 10:00:00 EST,," + id + "," + last + ",ORLA,,F,W,," + dob + ",12 NOWHERE LN,2026-01-05 10:00:00 EST,,,,,DUI 123-45-6789,,$500.00,,,,,123-45-6789\n"
	}
	r := b.run("common-csv", "a.csv", header+row("1", "MOONSAIL", "1987-05-05")+row("2", "THISTLEDOWN", "2010-05-05")+row("3", "QUILLFEATHER", "2009")+row("4", "BRACKENRIDGE", "2008"), b.now)
	require.Equal(t, []int{2, 0}, []int{r.Withheld, r.Quarantined}, r.String())
	require.Equal(t, "BRACKENRIDGE, ORLA -|MOONSAIL, ORLA -|QUILLFEATHER, ORLA maybe juvenile|THISTLEDOWN, ORLA juvenile",
		one[string](b, `select string_agg(name || ' ' || coalesce(withheld::text, '-'), '|' order by name) from bookings`))
	require.Equal(t, 2, one[int](b, `select n from roster_totals where county_id = 0 and status = 'booked'`), "nor are they counted")
	bad := b.run("common-csv", "b.csv", header+strings.Replace(row("5", "STORMCROW", "1987-05-05"), "2026-01-05 10:00:00 EST,", "soon,", 1), b.now)
	require.Equal(t, 1, bad.Quarantined, bad.String())
	require.False(t, one[bool](b, `select position(convert_to('STORMCROW', 'UTF8') in encrypted) > 0 or position(convert_to('NOWHERE', 'UTF8') in encrypted) > 0 from quarantine`), "the raw text is encrypted")
	require.False(t, one[bool](b, `select bool_or(position(convert_to('NOWHERE', 'UTF8') in encrypted) > 0) from archive_chunks`), "as is the archive")
	for table := range strings.SplitSeq("bookings booking_charges roster_claims runs record_changes quarantine archives archive_chunks", " ") {
		all := one[*string](b, `select string_agg(t::text, ' ') from `+table+` t`)
		if all != nil {
			require.NotRegexp(t, `NOWHERE|123-45-6789`, *all, table)
		}
	}
}

func TestGuarantee12LimitsEndAFetchAndNothingOfItIsApplied(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(roster(5))) }))
	t.Cleanup(elsewhere.Close)
	cases := []struct {
		name, answer, limits string
		move                 bool
		state                source.RunState
		note                 string
	}{
		{"a document beyond its bytes", roster(20), "bytes: 100", false, source.RunFailed, "bytes"},
		{"rows beyond their number", roster(20), "rows: 10", false, source.RunFailed, "more than 10 rows"},
		{"a page that wants a human being", "<h1>Captcha</h1>", "pages: 1", false, source.RunRefused, "captcha"},
		{"a redirect to another host", "", "pages: 1", true, source.RunFailed, "not allowed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			var agent string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if agent = r.UserAgent(); c.move {
					http.Redirect(w, r, elsewhere.URL, http.StatusFound)
					return
				}
				_, _ = w.Write([]byte(c.answer))
			}))
			t.Cleanup(server.Close)
			s := sourceWith(t, "county-a", "decode:", "limits: {"+c.limits+"}\ntransport: {kind: http, pause: 1ms, refusals: [captcha], steps: [{url: '"+server.URL+"', keep: true}]}\ndecode:")
			r, err := b.runner.Run(t.Context(), s, ingest.Input{})
			require.NoError(t, err)
			require.Equal(t, c.state, r.State, r.String())
			require.Contains(t, r.Note, c.note)
			require.Contains(t, agent, "rollcall/")
			require.Zero(t, one[int](b, `select count(*) from bookings`))
		})
	}
}

func TestGuarantee13EachSourceTellsHowFreshItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := newPortal(t, roster(5))
	s := p.source(t, "county-a")
	b.work(s)
	require.NoError(t, b.store.EnableSource(t.Context(), s.ID, true))
	for _, step := range []struct {
		after time.Duration
		want  models.SourceState
		lag   int
	}{{0, models.SourceOK, 0}, {59 * time.Minute, models.SourceOK, 3540}, {time.Minute, models.SourceLate, 3600}, {30 * time.Minute, models.SourceDown, 5400}} {
		b.now = b.now.Add(step.after)
		sources, err := b.store.Sources(t.Context())
		require.NoError(t, err)
		require.Equal(t, []any{step.want, step.lag}, []any{sources[0].State(), *sources[0].LagSeconds()})
	}
	p.says("captcha")
	b.work(s)
	require.Equal(t, models.SourceRefused, b.state(s.ID))
	p.says(roster(5))
	b.now = b.now.Add(time.Hour)
	b.work(s)
	require.Equal(t, models.SourceOK, b.state(s.ID))
	require.NoError(t, b.store.HoldSource(t.Context(), s.ID, "look at it", b.now))
	require.Equal(t, models.SourceHeld, b.state(s.ID))
}

// The table in docs/architecture.md names a test for each guarantee, and each that it names exists.
func TestEveryGuaranteeHasTestsNamedAfterIt(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		code.Write(text)
	}
	doc, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	for n := 1; n <= 13; n++ {
		named := regexp.MustCompile(fmt.Sprintf(`TestGuarantee%d[A-Z]\w+`, n)).FindAllString(string(doc), -1)
		require.NotEmpty(t, named, "guarantee %d", n)
		for _, name := range named {
			require.Contains(t, code.String(), "func "+name+"(")
		}
	}
}
