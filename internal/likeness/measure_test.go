package likeness

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/faces"
)

// said is what a comparison of two files says: the second file names it.
func said(_, second string) (faces.Result, error) {
	results := map[string]faces.Result{
		"near": {State: faces.Match, Distance: 0.2}, "far": {State: faces.Different, Distance: 0.9},
		"between": {State: faces.Inconclusive, Distance: 0.5}, "none": {State: faces.Inconclusive, Distance: math.NaN()},
	}
	r, ok := results[second]
	if !ok {
		return r, errors.New("no such file")
	}
	return r, nil
}

func TestPairsAreCountedByGroup(t *testing.T) {
	t.Parallel()
	got, err := measure(t.Context(), strings.NewReader("group,first,second,same\nmen,a,near,true\nmen,a,none,true\nmen,a,far,false\nwomen,a,between,true\n,a,near,false\n"), said)
	require.NoError(t, err)
	require.Equal(t, []tally{
		{Group: "all", Pairs: 1, Match: 1},
		{Group: "men", Same: true, Pairs: 2, Match: 1, Inconclusive: 1, NotCompared: 1},
		{Group: "men", Pairs: 1, Different: 1},
		{Group: "women", Same: true, Pairs: 1, Inconclusive: 1},
	}, got)
}

func TestAListThatCannotBeReadSaysWhereAndWhy(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		"":                                     "the list has no header",
		"first,second\n":                       "the list has no column same: its header is first,second,same and if you like group",
		"first,second,same\na,near,yes\n":      `line 2: same is "yes": write true or false`,
		"first,second,same\na,near\n":          "wrong number of fields",
		"first,second,same\na,gone.jpg,true\n": "line 2: no such file",
	} {
		_, err := measure(t.Context(), strings.NewReader(list), said)
		require.ErrorContains(t, err, want)
	}
}
