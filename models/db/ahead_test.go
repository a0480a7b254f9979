package db

import (
	"errors"
	"iter"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRowsThatAreReadAheadComeInTheirOrder(t *testing.T) {
	t.Parallel()
	broken := errors.New("the file ends in the middle")
	for name, c := range map[string]struct {
		rows int
		err  error
	}{
		"none":                       {},
		"less than a handful":        {rows: 3},
		"whole handfuls":             {rows: 2 * handful},
		"more than may wait":         {rows: 3*lead*handful + 5},
		"an error before any":        {err: broken},
		"an error after many":        {rows: 3*lead*handful + 5, err: broken},
		"an error after one handful": {rows: handful, err: broken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next, stop := Ahead(counted(c.rows, c.err))
			defer stop()
			for i := range c.rows {
				row, err := next()
				require.NoError(t, err)
				require.Equal(t, []any{i}, row)
			}
			row, err := next()
			require.Nil(t, row)
			require.ErrorIs(t, err, c.err)
		})
	}
}

// Who reads no more may take the next step of the run: nothing of the rows is at work then.
func TestReadingAheadHasEndedWhenItIsStopped(t *testing.T) {
	t.Parallel()
	var reading atomic.Bool
	reading.Store(true)
	next, stop := Ahead(func(yield func([]any, error) bool) {
		defer reading.Store(false)
		for i := 0; yield([]any{i}, nil); i++ {
		}
	})
	row, err := next()
	require.NoError(t, err)
	require.Equal(t, []any{0}, row)
	stop()
	require.False(t, reading.Load())
}

func counted(n int, err error) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for i := range n {
			if !yield([]any{i}, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}
