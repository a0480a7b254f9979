package search

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/models"
)

func newPool() *sync.Pool { return &sync.Pool{} }

// benchRecords is the number of records in a benchmark, ROLLCALL_BENCH_RECORDS or a million.
func benchRecords(b *testing.B) int {
	b.Helper()
	s, ok := os.LookupEnv("ROLLCALL_BENCH_RECORDS")
	if !ok {
		return 1_000_000
	}
	n, err := strconv.Atoi(s)
	require.NoError(b, err)
	return n
}

// bench is a snapshot of many records with some changes beside them.
type bench struct {
	corpus *corpus
	rows   []models.IndexRow
	snap   *snapshot
}

var loadBench = sync.OnceValue(func() *bench { return &bench{} })

func setupBench(b *testing.B) *bench {
	b.Helper()
	x := loadBench()
	if x.snap != nil {
		return x
	}
	x.corpus = newCorpus(b, 1)
	x.rows = x.corpus.rows(benchRecords(b))
	compare := sortingOf(models.Roster)
	build := newBuilder(compare)
	for i := range x.rows {
		require.NoError(b, build.add(&x.rows[i]))
	}
	s, err := newSnapshot(build.segment(), nil, 1, compare)
	require.NoError(b, err)
	x.snap = s
	return x
}

// changed lays n changes over the snapshot.
func (x *bench) changed(b *testing.B, n int) *snapshot {
	b.Helper()
	s, err := x.snap.with(x.changes(n), 2)
	require.NoError(b, err)
	return s
}

func (x *bench) changes(n int) []models.IndexRow {
	changes := make([]models.IndexRow, n)
	for i := range changes {
		changes[i] = x.corpus.row(x.corpus.r.Int64N(int64(len(x.rows)*11/10)), 2)
	}
	return changes
}

// BenchmarkFind answers the mix from a snapshot with as many changes beside it as there can be
// before they are merged.
func BenchmarkFind(b *testing.B) {
	x := setupBench(b)
	for _, n := range []int{0, mergeAbove(len(x.rows))} {
		s := x.changed(b, n)
		b.Run(strconv.Itoa(n)+" changes", func(b *testing.B) {
			for _, m := range mix {
				b.Run(m.name, func(b *testing.B) {
					pool, q := newPool(), m.query
					q.Limit = 51
					b.ReportAllocs()
					for b.Loop() {
						s.find(q, pool)
					}
				})
			}
		})
	}
}

// BenchmarkFindByLooking answers a name query by looking at every record, for the ratio.
func BenchmarkFindByLooking(b *testing.B) {
	x := setupBench(b)
	for b.Loop() {
		n := 0
		for i := range x.rows {
			if match.Holds(x.rows[i].Words, []string{"smith"}) {
				n++
			}
		}
		require.Positive(b, n)
	}
}

// BenchmarkDifferentNames answers queries for the surname and given name of many people.
func BenchmarkDifferentNames(b *testing.B) {
	x := setupBench(b)
	var queries [][]string
	for range 2000 {
		queries = append(queries, match.Words(x.corpus.name())[:2])
	}
	pool, i := newPool(), 0
	b.ReportAllocs()
	for b.Loop() {
		x.snap.find(models.IndexQuery{Words: queries[i%len(queries)], Limit: 51}, pool)
		i++
	}
}

// BenchmarkApply lays a thousand changes over a snapshot.
func BenchmarkApply(b *testing.B) {
	x := setupBench(b)
	s, newer := x.changed(b, mergeAbove(len(x.rows))), x.changes(1000)
	for b.Loop() {
		_, err := s.with(slices.Clone(newer), 3)
		require.NoError(b, err)
	}
}

// BenchmarkMerge merges changes into the main segment.
func BenchmarkMerge(b *testing.B) {
	x := setupBench(b)
	s := x.changed(b, mergeAbove(len(x.rows)))
	for b.Loop() {
		_, err := s.merged()
		require.NoError(b, err)
	}
}

// BenchmarkLoad builds a segment and reports the memory that it keeps.
func BenchmarkLoad(b *testing.B) {
	x := setupBench(b)
	var kept uint64
	for b.Loop() {
		before := heap()
		build := newBuilder(sortingOf(models.Roster))
		for i := range x.rows {
			require.NoError(b, build.add(&x.rows[i]))
		}
		g := build.segment()
		kept = heap() - before
		require.Len(b, x.rows, g.len())
	}
	b.ReportMetric(float64(kept)/1e6, "MB")
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
