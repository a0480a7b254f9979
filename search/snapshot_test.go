package search

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/match"
	"rollcall/models"
)

// oracle is what an index must say, by looking at every record.
type oracle struct {
	rows    map[int64]models.IndexRow
	compare sorting
}

func (o *oracle) sorted() []models.IndexRow {
	return slices.SortedFunc(maps.Values(o.rows), func(a, b models.IndexRow) int {
		return o.compare(place{a.Order, a.Tie}, place{b.Order, b.Tie})
	})
}

func (o *oracle) find(q models.IndexQuery) (keys []int64, total int) {
	rows := o.sorted()
	if q.Closest {
		slices.SortStableFunc(rows, func(a, b models.IndexRow) int {
			return cmp.Or(cmp.Compare(distance(a, q), distance(b, q)), cmp.Compare(b2i(ahead(b.Facets, q.Ahead)), b2i(ahead(a.Facets, q.Ahead))))
		})
	}
	for _, r := range rows {
		ok := len(q.Words) == 0 || match.Holds(r.Words, q.Words)
		for i, want := range q.Facets {
			ok = ok && (want == 0 || want == r.Facets[i] || want < 0 && -want != r.Facets[i])
		}
		if !ok || q.Since > r.Changed || (q.From != 0 || q.To != 0) && (r.Order < q.From || r.Order >= q.To) {
			continue
		}
		if total >= q.Offset && len(keys) < q.Limit {
			keys = append(keys, r.Key)
		}
		total++
	}
	return keys, total
}

func distance(r models.IndexRow, q models.IndexQuery) int {
	return match.Distance(strings.Fields(r.Words), q.Words)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// drawRow draws a record; its order and tie may move with each change.
func drawRow(t *rapid.T, key, gen int64) models.IndexRow {
	return models.IndexRow{
		Key: key, Gen: gen, Changed: rapid.Int64Range(0, 4).Draw(t, "changed"), Order: rapid.Int64Range(-2, 4).Draw(t, "order"),
		Tie:    rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "tie") + strconv.FormatInt(key, 10),
		Words:  strings.Join(rapid.SliceOfN(drawWord, 0, 4).Draw(t, "words"), " "),
		Facets: [3]int16{rapid.Int16Range(1, 3).Draw(t, "f0"), rapid.Int16Range(1, 2).Draw(t, "f1"), rapid.Int16Range(0, 2).Draw(t, "f2")},
	}
}

var drawWord = rapid.StringMatching(`[abñ]{1,3}`)

func drawQuery(t *rapid.T) models.IndexQuery {
	q := models.IndexQuery{
		Words:  rapid.SliceOfN(drawWord, 0, 3).Draw(t, "query"),
		Facets: [3]int16{rapid.Int16Range(0, 3).Draw(t, "want0"), rapid.Int16Range(-1, 2).Draw(t, "want1"), rapid.Int16Range(-2, 2).Draw(t, "want2")},
		Offset: rapid.IntRange(0, 8).Draw(t, "offset"), Limit: rapid.IntRange(1, 5).Draw(t, "limit"),
	}
	if len(q.Words) > 0 && rapid.Bool().Draw(t, "closest") {
		q.Closest, q.Ahead = true, [3]int16{1: rapid.Int16Range(0, 2).Draw(t, "ahead")}
	}
	if rapid.Bool().Draw(t, "since") {
		q.Since = rapid.Int64Range(1, 5).Draw(t, "instant")
	}
	if rapid.Bool().Draw(t, "ranged") {
		q.From, q.To = rapid.Int64Range(-3, 3).Draw(t, "from"), rapid.Int64Range(-3, 5).Draw(t, "to")
	}
	return q
}

func (o *oracle) check(t *rapid.T, s *snapshot, pool *sync.Pool) {
	for range 4 {
		q := drawQuery(t)
		keys, total := o.find(q)
		got := s.find(q, pool)
		require.Equal(t, total, got.Total, "%+v", q)
		require.Equal(t, keys, got.Keys, "%+v", q)
		require.Equal(t, s.gen, got.Gen)
	}
}

// change draws a batch of new, changed and gone records.
func (o *oracle) change(t *rapid.T, gen int64) []models.IndexRow {
	var batch []models.IndexRow
	for _, key := range rapid.SliceOfN(rapid.Int64Range(1, 150), 1, 20).Draw(t, "changed keys") {
		r := drawRow(t, key, gen)
		r.Gone = rapid.IntRange(0, 3).Draw(t, "gone") == 0
		batch = append(batch, r)
		if o.rows[key] = r; r.Gone {
			delete(o.rows, key)
		}
	}
	return batch
}

func TestSnapshotsAnswerAsLookingAtEveryRecordDoes(t *testing.T) {
	t.Parallel()
	for _, family := range []models.Family{models.Roster, models.Courts} {
		t.Run(string(family), func(t *testing.T) {
			t.Parallel()
			property.Check(t, 25, func(t *rapid.T) {
				o := &oracle{rows: map[int64]models.IndexRow{}, compare: sortingOf(family)}
				for key := range rapid.Int64Range(0, 120).Draw(t, "records") {
					o.rows[key+1] = drawRow(t, key+1, 1)
				}
				s, err := newSnapshot(segmentOf(t, o), nil, 1, o.compare)
				require.NoError(t, err)
				var (
					merging *snapshot
					pool    sync.Pool
				)
				o.check(t, s, &pool)
				for gen := int64(2); gen < 7; gen++ {
					switch rapid.IntRange(0, 3).Draw(t, "step") {
					case 0:
						merging = s
					case 1:
						if merging != nil && merging.main == s.main {
							main, err := merging.merged()
							require.NoError(t, err)
							s, err = s.rebased(main, merging.gen)
							require.NoError(t, err)
							o.check(t, s, &pool)
						}
					}
					s, err = s.with(o.change(t, gen), gen)
					require.NoError(t, err)
					o.check(t, s, &pool)
				}
			})
		})
	}
}

func segmentOf(t require.TestingT, o *oracle) *segment {
	b := newBuilder(o.compare)
	for _, r := range o.sorted() {
		require.NoError(t, b.add(&r))
	}
	return b.segment()
}

func TestRowsOutOfOrderAreRefused(t *testing.T) {
	t.Parallel()
	b := newBuilder(sortingOf(models.Roster))
	require.NoError(t, b.add(&models.IndexRow{Key: 1, Order: 5, Tie: "b"}))
	require.NoError(t, b.add(&models.IndexRow{Key: 2, Order: 5, Tie: "a"}))
	require.ErrorIs(t, b.add(&models.IndexRow{Key: 3, Order: 6, Tie: "a"}), errOrder)
}

func TestNamesAndQueriesOfManyWords(t *testing.T) {
	t.Parallel()
	many := strings.TrimSpace(strings.Repeat("x ", 40))
	o := &oracle{rows: map[int64]models.IndexRow{}, compare: sortingOf(models.Courts)}
	for i, words := range []string{"", "x", many, many + " y", many + " " + many, "x y " + many} {
		o.rows[int64(i)] = models.IndexRow{Key: int64(i), Tie: strconv.Itoa(i), Words: words}
	}
	s, err := newSnapshot(segmentOf(t, o), nil, 1, o.compare)
	require.NoError(t, err)
	for name, q := range map[string]string{
		"more words than any name":               many + " " + many + " x",
		"more words than fit a mask":             many,
		"so many that one word is left for y":    many + " y",
		"one word too many":                      many + " x y",
		"few words of names with very many":      "x y",
		"the empty word":                         "",
		"a word that contains another":           "x xx",
		"no name holds the first word, all do x": "z x",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			query := models.IndexQuery{Words: strings.Split(q, " "), Limit: 9}
			keys, total := o.find(query)
			if q == "" {
				keys, total = nil, 0
			}
			got := s.find(query, &sync.Pool{})
			require.Equal(t, keys, got.Keys)
			require.Equal(t, total, got.Total)
		})
	}
}
