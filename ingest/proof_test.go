package ingest_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

func TestGuarantee4AFileThatShowsNoEndReleasesNobodyAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "county-a", "{policy: full_roster, absence: released, confirmations: 1}", "{policy: full_roster, absence: released}", "complete: {end_marker: true, ", "complete: {", `, end_marker: "#end"`, "")
	released := func() int { return one[int](b, `select count(*) from bookings where status = 'released'`) }
	cut := func(text string) string { return text[:strings.LastIndex(strings.TrimSuffix(text, "#end\n"), "K")] }
	bare := func(text string) string { return strings.TrimSuffix(text, "#end\n") }

	b.runSource(s, "roster.csv", bare(roster(6)), day)
	b.runSource(s, "roster.csv", cut(roster(6)), day.AddDate(0, 0, 1))
	require.Zero(t, released(), "it may have been cut off at the end of a line")
	b.runSource(s, "roster.csv", cut(roster(6)), day.AddDate(0, 0, 2).Add(-time.Minute))
	require.Zero(t, released(), "the same bytes confirm nothing within a day")
	b.runSource(s, "roster.csv", bare(roster(6)), day.AddDate(0, 0, 3))
	b.runSource(s, "roster.csv", bare(roster(6, 2)), day.AddDate(0, 0, 4))
	require.Zero(t, released())
	b.runSource(s, "roster.csv", bare(roster(7, 2)), day.AddDate(0, 0, 5))
	require.Equal(t, "QUILLFEATHERC, WREN", one[string](b, `select name from bookings where status = 'released'`), "a second file of other bytes confirms it")
	require.Equal(t, day.AddDate(0, 0, 4).UTC(), one[time.Time](b, `select released_at from bookings where status = 'released'`).UTC(), "released when the first missed her")
}

func TestGuarantee4ACopyConfirmsAnAbsenceWhereTheEndIsProven(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "county-a", "confirmations: 1", "confirmations: 2")
	for i, listed := range []string{roster(3), roster(3, 2), roster(3, 2)} {
		b.runSource(s, "roster.csv", listed, day.Add(time.Duration(i)*time.Hour))
	}
	require.Equal(t, day.Add(time.Hour).UTC(), one[time.Time](b, `select released_at from bookings where status = 'released'`).UTC())
}

func TestGuarantee4ARowWithAnOlderStampIsNoAbsenceFromItsList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "county-a", "bond: bond}", "bond: bond, observed_at: {from: booked, layouts: ['2006-01-02 15:04']}}")
	b.runSource(s, "roster.csv", roster(3), day)
	b.runSource(s, "roster.csv", strings.Replace(roster(3), "$500.00", "$900.00", 1), day.AddDate(0, 0, 1))
	require.Zero(t, one[int](b, `select count(*) from bookings where status = 'released'`))
}

func TestGuarantee4TheSameBytesConfirmAnAbsenceADayLater(t *testing.T) {
	t.Parallel()
	unproven := func(id string) *ingest.Source {
		return sourceWith(t, id, "{policy: full_roster, absence: released, confirmations: 1}", "{policy: full_roster, absence: released}", "complete: {end_marker: true, ", "complete: {", `, end_marker: "#end"`, "")
	}
	three, two := strings.TrimSuffix(roster(3), "#end\n"), strings.TrimSuffix(roster(3, 2), "#end\n")
	first := day.AddDate(0, 0, 1)
	for _, c := range []struct {
		name     string
		after    []time.Duration // instants of the same two, in order of their coming
		released bool
	}{
		{"a copy that a server kept for hours", []time.Duration{0, time.Hour, 2 * time.Hour, 23 * time.Hour}, false},
		{"the next day's", []time.Duration{0, 24 * time.Hour}, true},
		{"a quiet week's", []time.Duration{0, 23 * time.Hour, 47 * time.Hour, 71 * time.Hour}, true},
		{"the next day's, which came first", []time.Duration{24 * time.Hour, 0}, true},
		{"one that comes twice", []time.Duration{0, 0, 0}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := unproven("county-a")
			b.runSource(s, "roster.csv", three, day)
			for _, after := range c.after {
				b.runSource(s, "roster.csv", two, first.Add(after))
			}
			require.Equal(t, c.released, one[string](b, `select string_agg(status, ' ' order by name) from bookings`) == "booked booked released")
			if c.released {
				require.Equal(t, first.UTC(), one[time.Time](b, `select released_at from bookings where status = 'released'`).UTC(), "released when the first missed her")
			}
			b.runSource(s, "roster.csv", three, first.AddDate(0, 0, 8))
			require.Equal(t, 3, one[int](b, `select count(*) from bookings where status = 'booked'`))
		})
	}
}

func TestGuarantee4NothingThatProvesAnEndNeedsTwoConfirmations(t *testing.T) {
	t.Parallel()
	text := strings.Replace(fmt.Sprintf(rosterDocument, "county-a", 1), "complete: {end_marker: true, ", "complete: {", 1)
	_, err := ingest.Parse([]byte(text))
	require.ErrorContains(t, err, "publish.confirmations: nothing in a snapshot shows that it is whole: give complete.total or complete.end_marker, or confirmations: 2")
}

func TestGuarantee4EveryFileOfASnapshotShowsItsEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "county-a")
	b.runSource(s, "roster.csv", roster(6), day)
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for name, text := range map[string]string{"a.csv": roster(4), "b.csv": "id,name,booked,bond\n"} {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	r := b.runSource(s, "roster.zip", zipped.String(), day.AddDate(0, 0, 1))
	require.Equal(t, []any{0, []string{"its end is missing"}}, []any{r.Closed, r.Doubts}, r.String())
}

// connect serves cards, 20 a page, as the shipped source asks for them.
func connect(page func(n int) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.FormValue("page"))
		say(w, "%s", page(n))
	})
}

// inmates are the cards of a page that holds those from to before.
func inmates(from, before int) string {
	var b strings.Builder
	for i := from; i < before; i++ {
		fmt.Fprintf(&b, `<div class="card inmate" data-booking="26%04d"><h4 class="name">Quillfeather%c%c, Wren</h4><ul class="details"><li><b>Booked:</b> 03-01-2026/10:%02d:00</li></ul></div>`+"\n",
			i, 'a'+rune(i/26), 'a'+rune(i%26), i)
	}
	return b.String()
}

func TestGuarantee4APageThatLostCardsOrCameAsAnErrorReleasesNobody(t *testing.T) {
	t.Parallel()
	whole := func(n int) string { return []string{inmates(0, 20), inmates(20, 40), inmates(40, 45), ""}[min(n, 4)-1] }
	instead := func(of int, text string) http.Handler {
		return connect(func(n int) string {
			if n == of {
				return text
			}
			return whole(n)
		})
	}
	cases := []struct {
		name string
		sick http.Handler
		says string
	}{
		{"a page cut at the end of a card", instead(2, inmates(20, 35)), "page 2 has fewer rows than a page holds and is not the last"},
		{"an error instead of the last page", instead(3, `<div class="alert alert-danger">An error occurred</div>`), "the source answered with an error"},
		{"a card of another class", instead(1, strings.Replace(inmates(0, 20), `class="card inmate"`, `class="card special inmate"`, 1)), "its pages have 44 rows and 45 could be distinguished"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			require.Equal(t, 45, b.ask("connect", connect(whole)).New)
			for range 3 {
				b.now = b.now.Add(time.Hour)
				r := b.ask("connect", c.sick)
				require.False(t, r.Complete, r.String())
				require.Contains(t, r.String(), c.says)
				require.Zero(t, one[int](b, `select count(*) from bookings where status = 'released'`))
			}
		})
	}
}

// shifting serves a list that moves up by one after its first page was read, when one leaves.
func shifting(names []string, leaves bool) http.Handler {
	first := true
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var ask struct{ Paging struct{ Count, Start int } }
		if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		from, size := ask.Paging.Start, ask.Paging.Count
		rows := make([]string, 0, size)
		for _, name := range names[min(from, len(names)):min(from+size, len(names))] {
			rows = append(rows, fmt.Sprintf(`{"name":%q,"arrest_date":"2026-03-01","hold_reasons":"","is_juvenile":false,"dob":"","release_date":"","race":"","sex":"","cell_block":"","held_for_agency":"","mugshot":""}`, name))
		}
		say(w, `{"total_record_count":%d,"records":[%s]}`, len(names), strings.Join(rows, ","))
		if first && leaves {
			first, names = false, names[1:]
		}
	})
}

func TestGuarantee4RowsThatShiftBetweenPagesReleaseNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	names := make([]string, 150)
	for i := range names {
		names[i] = fmt.Sprintf("QUILLFEATHER%c%c, WREN", 'A'+i/26, 'A'+i%26)
	}
	require.Equal(t, 150, b.ask("zuercher", shifting(names, false)).New)
	b.now = b.now.Add(time.Hour)
	r := b.ask("zuercher", shifting(names, true))
	require.Equal(t, []any{false, 0}, []any{r.Complete, r.Closed}, r.String())
	require.Contains(t, r.Doubts, "rows moved between pages while they were read")

	again, err := b.runner.Replay(t.Context(), must(t, "zuercher"), r.Run)
	require.NoError(t, err)
	require.Equal(t, []any{false, 0}, []any{again.Complete, again.Closed}, "what was doubtful then is so when it is read again")

	b.now = b.now.Add(time.Hour)
	r = b.ask("zuercher", shifting(names[1:], false))
	require.Equal(t, []any{true, 1}, []any{r.Complete, r.Closed}, r.String())
}

func must(t *testing.T, id string) *ingest.Source {
	t.Helper()
	s, err := ingest.Load(id)
	require.NoError(t, err)
	return s
}
