package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/bench/labelled"
	"rollcall/match"
)

// BenchmarkCompare scores warm pairs of the labelled set, hard ones all.
func BenchmarkCompare(b *testing.B) {
	g, err := labelled.New("tables", 3, labelled.Whole)
	require.NoError(b, err)
	pairs := g.Pairs(100)
	names := make([]match.Name, 0, 2*len(pairs))
	for _, p := range pairs {
		names = append(names, match.Parse(p.Watched), match.Parse(p.Seen))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		k := i % len(pairs)
		match.Compare(&names[2*k], &names[2*k+1])
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		match.Parse("DE LA CRUZ-SMITH, JOHN ALLEN JR")
	}
}
