package record_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/match"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

func TestListBookings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Book(t,
		modelstest.Booking{ID: "a", Name: "SMITH, JOHN ALLEN", At: "2026-03-01T12:00:00Z"},
		modelstest.Booking{ID: "b", Name: "John Allen Smith", At: "2026-03-01T12:00:00Z", Released: "2026-03-02T12:00:00Z"},
		modelstest.Booking{ID: "c", Name: "O'BRIEN-JONES, ZOË", At: "2026-03-02T12:00:00Z", County: "ben-hill"},
		modelstest.Booking{ID: "hidden", Name: "SMITH, JUNIOR", At: "2026-03-03T12:00:00Z", Withheld: "juvenile"},
		modelstest.Booking{ID: "late", Name: "NIGHT, OWL", At: "2026-03-09T03:59:59Z"}, // still 8 March in Georgia (EDT)
	)
	for name, c := range map[string]struct {
		filter models.RosterFilter
		page   models.Page
		want   []string
		total  int
	}{
		"newest first, ties by id descending, withheld records left out": {want: []string{"late", "c", "b", "a"}, total: 4},
		"last-comma-first finds both forms":                              {filter: models.RosterFilter{Name: new("smith, john")}, want: []string{"b", "a"}, total: 2},
		"first-last finds both forms":                                    {filter: models.RosterFilter{Name: new("john smith")}, want: []string{"b", "a"}, total: 2},
		"parts of words in any order":                                    {filter: models.RosterFilter{Name: new("llen mit oh")}, want: []string{"b", "a"}, total: 2},
		"four words in any order":                                        {filter: models.RosterFilter{Name: new("jo br zo x")}, want: []string{}, total: 0},
		"two words cannot share one word of the name":                    {filter: models.RosterFilter{Name: new("jo john")}, want: []string{}, total: 0},
		"accents, apostrophes and hyphens do not matter":                 {filter: models.RosterFilter{Name: new("OBRIEN jones zoe")}, want: []string{"c"}, total: 1},
		"per cent and underscore mean nothing":                           {filter: models.RosterFilter{Name: new("%_%")}, want: []string{}, total: 0},
		"one letter":                                                     {filter: models.RosterFilter{Name: new("z")}, want: []string{"c"}, total: 1},
		"an empty name does not narrow":                                  {filter: models.RosterFilter{Name: new("")}, want: []string{"late", "c", "b", "a"}, total: 4},
		"a name of blanks matches nothing":                               {filter: models.RosterFilter{Name: new("  ")}, want: []string{}, total: 0},
		"county by slug in any case":                                     {filter: models.RosterFilter{County: new("Ben-Hill")}, want: []string{"c"}, total: 1},
		"status":                                                         {filter: models.RosterFilter{Status: new(models.Released)}, want: []string{"b"}, total: 1},
		"whole local days, both inclusive":                               {filter: models.RosterFilter{FromDate: modelstest.Day(t, "2026-03-08"), ToDate: modelstest.Day(t, "2026-03-08")}, want: []string{"late"}, total: 1},
		"the day after is empty":                                         {filter: models.RosterFilter{FromDate: modelstest.Day(t, "2026-03-09")}, want: []string{}, total: 0},
		"past the end keeps the total":                                   {page: models.Page{Limit: 50, Offset: 50}, want: []string{}, total: 4},
		"a page in the middle":                                           {page: models.Page{Limit: 2, Offset: 1}, want: []string{"c", "b"}, total: 4},
		"a named page past the end keeps the total":                      {filter: models.RosterFilter{Name: new("smith")}, page: models.Page{Limit: 50, Offset: 7}, want: []string{}, total: 2},
		"everything at once": {filter: models.RosterFilter{
			Name: new("smith"), County: new("fulton"), Status: new(models.Booked),
			FromDate: modelstest.Day(t, "2026-03-01"), ToDate: modelstest.Day(t, "2026-03-01"),
		}, want: []string{"a"}, total: 1},
		"changed since": {filter: models.RosterFilter{UpdatedSince: new(b.Now.Add(time.Second))}, want: []string{}, total: 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := b.Roster(t, c.filter, c.page)
			require.Equal(t, c.want, modelstest.IDs(page))
			require.Equal(t, c.total, page.Total)
		})
	}
}

func TestListBookingsRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, f := range map[string]models.RosterFilter{
		"an unknown county":       {County: new("fultn")},
		"days in the wrong order": {FromDate: modelstest.Day(t, "2026-03-02"), ToDate: modelstest.Day(t, "2026-03-01")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := b.Store.ListBookings(b.Ctx, f, models.Page{Limit: 1})
			require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err))
		})
	}
	_, err := b.Store.ListBookings(b.Ctx, models.RosterFilter{}, models.Page{Limit: 1, After: "bm9uc2Vuc2Vub25zZW5zZQ"})
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err))
	_, err = b.Store.BookingByID(b.Ctx, "a\x00b")
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err))
	_, err = b.Store.BookingByID(b.Ctx, "none")
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

// Names of few distinct letters make words contain one another, where the rule is hardest.
func TestNameSearchFollowsTheRule(t *testing.T) {
	t.Parallel()
	b := setup(t)
	word := rapid.StringMatching(`[ab]{1,3}`)
	property.Check(t, 40, func(rt *rapid.T) {
		names := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) string {
			return strings.Join(rapid.SliceOfN(word, 1, 5).Draw(rt, "words"), " ")
		}), 1, 8).Draw(rt, "names")
		query := strings.Join(rapid.SliceOfN(word, 1, 5).Draw(rt, "query"), " ")
		b.Exec(t, `delete from bookings`)
		rows := make([]modelstest.Booking, len(names))
		want := 0
		for i, n := range names {
			rows[i] = modelstest.Booking{ID: fmt.Sprintf("x-%d", i), Name: n}
			if match.Holds(match.SearchKey(n), match.Words(query)) {
				want++
			}
		}
		b.Book(t, rows...)
		page := b.Roster(t, models.RosterFilter{Name: &query}, models.Page{})
		require.Equal(t, want, page.Total, "%q in %q", query, names)
		require.Len(t, page.Records, want)
	})
}

// Whatever is written, deleted or withheld, in whatever statement, totals equal a count.
func TestTotalsEqualCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	counties := []string{"fulton", "ben-hill"}
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		switch rapid.IntRange(0, 4).Draw(rt, "step") {
		case 0, 1:
			n++
			at := time.Date(2026, 3, rapid.IntRange(7, 9).Draw(rt, "day"), rapid.IntRange(0, 23).Draw(rt, "hour"), 0, 0, 0, time.UTC)
			b.Book(t, modelstest.Booking{ID: strconv.Itoa(n), Name: "A B", County: rapid.SampledFrom(counties).Draw(rt, "county"), At: at.Format(time.RFC3339)})
		case 2:
			b.Exec(t, `update bookings set released_at = case when released_at is null then now() end where rid % 2 = 0`)
		case 3:
			b.Exec(t, `update bookings set withheld = case when withheld is null then 'restricted'::withheld_reason end where rid % 3 = 0`)
		case 4:
			b.Exec(t, `delete from bookings where rid % 5 = 0`)
		}
		f := models.RosterFilter{}
		if rapid.Bool().Draw(rt, "by county") {
			f.County = new(rapid.SampledFrom(counties).Draw(rt, "of"))
		}
		if rapid.Bool().Draw(rt, "by status") {
			f.Status = new(rapid.SampledFrom([]models.RosterStatus{models.Booked, models.Released}).Draw(rt, "status"))
		}
		if rapid.Bool().Draw(rt, "by day") {
			f.FromDate = modelstest.Day(t, "2026-03-08")
		}
		if rapid.Bool().Draw(rt, "to day") {
			f.ToDate = modelstest.Day(t, "2026-03-08")
		}
		page := b.Roster(t, f, models.Page{Limit: models.MaxLimit})
		if page.Total <= models.MaxLimit {
			require.Len(t, page.Records, page.Total)
		}
	})
}

func TestCursorsWalkTheWholeList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var rows []modelstest.Booking
	for i := range 23 { // many ties
		rows = append(rows, modelstest.Booking{ID: fmt.Sprintf("t-%02d", i), Name: "TIE, A", At: fmt.Sprintf("2026-03-01T12:00:0%dZ", i%3)})
	}
	b.Book(t, rows...)
	all := modelstest.IDs(b.Roster(t, models.RosterFilter{}, models.Page{Limit: 200}))
	for _, f := range []models.RosterFilter{{}, {Name: new("tie")}} {
		var walked []string
		p := models.Page{Limit: 4}
		for {
			page := b.Roster(t, f, p)
			require.Equal(t, 23, page.Total)
			walked = append(walked, modelstest.IDs(page)...)
			if !page.PageInfo.HasNextPage {
				break
			}
			end, err := page.PageInfo.EndCursor()
			require.NoError(t, err)
			p.After = *end
		}
		require.Equal(t, all, walked)
	}
}

func TestRelevanceRanksNamesAndItsCursorsWalkThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Book(t,
		modelstest.Booking{ID: "middle", Name: "SMITH, COREY JOHN", At: "2026-03-05T12:00:00Z"},
		modelstest.Booking{ID: "left", Name: "SMITH, JOHN", At: "2026-03-04T12:00:00Z", Released: "2026-03-05T12:00:00Z"},
		modelstest.Booking{ID: "held", Name: "SMITH, JOHN ALLEN", At: "2026-03-01T12:00:00Z"},
		modelstest.Booking{ID: "begins", Name: "SMITH, JOHNNY", At: "2026-03-03T12:00:00Z"},
		modelstest.Booking{ID: "hidden", Name: "SMITH, JOHN", At: "2026-03-03T12:00:00Z", Withheld: "juvenile"},
	)
	want := []string{"held", "left", "begins", "middle"}
	for _, name := range []string{"john smith", "Smith, John"} {
		f := models.RosterFilter{Name: &name}
		p := models.Page{Limit: 50, Order: models.OrderRelevance}
		require.Equal(t, want, modelstest.IDs(b.Roster(t, f, p)), name)

		var walked []string
		for p.Limit = 3; ; {
			page := b.Roster(t, f, p)
			require.Equal(t, 4, page.Total)
			walked = append(walked, modelstest.IDs(page)...)
			if !page.PageInfo.HasNextPage {
				break
			}
			end, err := page.PageInfo.EndCursor()
			require.NoError(t, err)
			p.After = *end
		}
		require.Equal(t, want, walked)

		p.Order = models.OrderOwn
		_, err := b.Store.ListBookings(t.Context(), f, p)
		require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err), "a cursor belongs to one order")
	}
	unnamed := b.Roster(t, models.RosterFilter{}, models.Page{Limit: 50, Order: models.OrderRelevance})
	require.Equal(t, []string{"middle", "left", "begins", "held"}, modelstest.IDs(unnamed), "without a name the newest is first")
}
