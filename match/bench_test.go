package match_test

import (
	"strings"
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

// BenchmarkClosest ranks as many names as are ranked at most, for the first page.
func BenchmarkClosest(b *testing.B) {
	query := match.Words("john smith")
	names := [][]string{
		strings.Fields(match.SearchKey("SMITH, JOHN")), strings.Fields(match.SearchKey("SMITH, COREY JOHN")), strings.Fields(match.SearchKey("Smith-Johnson, Maria De La Luz")),
	}
	for b.Loop() {
		c := match.NewClosest(query)
		for i := range match.MostRanked {
			c.Add(names[i%len(names)], i%2 == 0)
		}
		c.Page(0, 50)
	}
}
