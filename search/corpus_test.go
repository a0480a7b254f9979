package search

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/models"
)

// corpus draws invented roster records with the surnames, given names and counties of the
// performance harness, as often as they occur.
type corpus struct {
	r                              *rand.Rand
	surnames, men, women, counties weighted
}

func newCorpus(tb testing.TB, seed uint64) *corpus {
	tb.Helper()
	return &corpus{
		r:        rand.New(rand.NewPCG(seed, 1)),
		surnames: readWeighted(tb, "surnames.txt"), men: readWeighted(tb, "first_m.txt"),
		women: readWeighted(tb, "first_f.txt"), counties: readWeighted(tb, "counties.txt"),
	}
}

type weighted struct {
	names []string
	sums  []int
}

func readWeighted(tb testing.TB, file string) weighted {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("..", "bench", "peers", "cmd", "gen", "data", file))
	require.NoError(tb, err)
	var w weighted
	sum := 0
	for line := range strings.Lines(string(text)) {
		i := strings.LastIndexByte(line, ' ')
		n, err := strconv.Atoi(strings.TrimSpace(line[i+1:]))
		require.NoError(tb, err)
		sum += n
		w.names, w.sums = append(w.names, line[:i]), append(w.sums, sum)
	}
	return w
}

func (w weighted) draw(r *rand.Rand) int {
	return sort.SearchInts(w.sums, r.IntN(w.sums[len(w.sums)-1])+1)
}

func (c *corpus) name() string {
	given := c.men
	if c.r.IntN(100) < 24 {
		given = c.women
	}
	name := c.surnames.names[c.surnames.draw(c.r)] + ", " + given.names[given.draw(c.r)]
	switch x := c.r.IntN(100); {
	case x < 60:
		name += " " + given.names[given.draw(c.r)]
	case x < 85:
		name += " " + string(rune('A'+c.r.IntN(26)))
	}
	return match.SearchKey(name)
}

// day is a day in microseconds; the records of a corpus spread over fiveYears of them.
const (
	day       = int64(24 * 3600 * 1e6)
	fiveYears = 1826
	firstDay  = int64(18628) // 2021-01-01
)

func (c *corpus) row(key, gen int64) models.IndexRow {
	county := c.counties.draw(c.r)
	status := int16(2)
	if c.r.IntN(20) == 0 {
		status = 1
	}
	order := firstDay*day + c.r.Int64N(fiveYears*24*3600)*1e6
	slug := strings.ToLower(strings.ReplaceAll(c.counties.names[county], " ", "-"))
	return models.IndexRow{
		Key: key, Order: order, Tie: fmt.Sprintf("%s-%d-%06d", slug, 2021+(order/day-firstDay)/366, key), Words: c.name(),
		Facets: [3]int16{int16(county + 1), status, 0}, Gen: gen,
	}
}

// rows draws n records in roster order.
func (c *corpus) rows(n int) []models.IndexRow {
	rows := make([]models.IndexRow, n)
	for i := range rows {
		rows[i] = c.row(int64(i+1), 1)
	}
	compare := sortingOf(models.Roster)
	slices.SortFunc(rows, func(a, b models.IndexRow) int {
		return compare(place{a.Order, a.Tie}, place{b.Order, b.Tie})
	})
	return rows
}

// mix is the list queries of PERFORMANCE: newest, county and status, names, dates, deep offset.
var mix = []struct {
	name  string
	query models.IndexQuery
}{
	{"a newest", models.IndexQuery{}},
	{"b county and status", models.IndexQuery{Facets: [3]int16{60, 1}}},
	{"c1 smith", models.IndexQuery{Words: []string{"smith"}}},
	{"c2 zsch", models.IndexQuery{Words: []string{"zsch"}}},
	{"c3 jo", models.IndexQuery{Words: []string{"jo"}}},
	{"c4 smith, john", models.IndexQuery{Words: []string{"smith", "john"}}},
	{"one letter", models.IndexQuery{Words: []string{"a"}}},
	{"one letter twice", models.IndexQuery{Words: []string{"a", "a"}}},
	{"all but a status", models.IndexQuery{Facets: [3]int16{60, -2}}},
	{"a name and all but a status", models.IndexQuery{Words: []string{"mar"}, Facets: [3]int16{0, -1}}},
	{"two syllables that share words", models.IndexQuery{Words: []string{"jo", "john"}}},
	{"three words", models.IndexQuery{Words: []string{"smith", "john", "w"}}},
	{"name and county", models.IndexQuery{Words: []string{"smith"}, Facets: [3]int16{60}}},
	{"name, status and dates", models.IndexQuery{Words: []string{"wil"}, Facets: [3]int16{0, 1}, From: (firstDay + 400) * day, To: (firstDay + 800) * day}},
	{"d dates", models.IndexQuery{From: (firstDay + 900) * day, To: (firstDay + 907) * day}},
	{"dates and county", models.IndexQuery{Facets: [3]int16{60}, From: (firstDay + 900) * day, To: (firstDay + 1000) * day}},
	{"e deep offset", models.IndexQuery{Offset: 100_000}},
	{"closest to john smith", models.IndexQuery{Words: []string{"john", "smith"}, Closest: true, Ahead: [3]int16{1: 1}}},
	{"closest to john", models.IndexQuery{Words: []string{"john"}, Closest: true, Ahead: [3]int16{1: 1}}},
	{"deep offset in a name", models.IndexQuery{Words: []string{"an"}, Offset: 20_000}},
}

func TestTheMixOverManyRecordsAnswersAsLookingAtEveryRecordDoes(t *testing.T) {
	t.Parallel()
	c := newCorpus(t, 1)
	o := &oracle{rows: map[int64]models.IndexRow{}, compare: sortingOf(models.Roster)}
	for _, r := range c.rows(30_000) {
		o.rows[r.Key] = r
	}
	s, err := newSnapshot(segmentOf(t, o), nil, 1, o.compare)
	require.NoError(t, err)
	var changes []models.IndexRow
	for range 2_000 {
		r := c.row(c.r.Int64N(33_000), 2)
		r.Gone = c.r.IntN(4) == 0
		changes = append(changes, r)
		if o.rows[r.Key] = r; r.Gone {
			delete(o.rows, r.Key)
		}
	}
	s, err = s.with(changes, 2)
	require.NoError(t, err)
	for _, m := range mix {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			q := m.query
			q.Limit, q.Offset = 50, q.Offset/10
			keys, total := o.find(q)
			got := s.find(q, newPool())
			require.Equal(t, total, got.Total)
			require.Equal(t, keys, got.Keys)
		})
	}
}
