package db

import "iter"

// A handful is how many rows change hands at once: one channel operation a row costs more than most
// rows do. lead is how many handfuls may wait, which bounds the memory of a slow writer.
const (
	handful = 64
	lead    = 4
)

// Ahead reads rows on a goroutine of its own, a few handfuls ahead of next. next returns nil after
// the last row and after an error of the rows; it must be called by one goroutine only. stop must
// be called once and returns when nothing of rows runs any more, so what rows read from may then be
// closed. A row must not be changed after it was yielded.
func Ahead(rows iter.Seq2[[]any, error]) (next func() ([]any, error), stop func()) {
	full, stopped := make(chan [][]any, lead), make(chan struct{})
	var broken error // written before full is closed
	go func() {
		defer close(full)
		var some [][]any
		hand := func() bool {
			select {
			case full <- some:
				some = make([][]any, 0, handful)
				return true
			case <-stopped:
				return false
			}
		}
		for row, err := range rows {
			if err != nil {
				broken = err
				break
			}
			if some = append(some, row); len(some) == handful && !hand() {
				return
			}
		}
		hand()
	}()
	var some [][]any
	next = func() ([]any, error) {
		for len(some) == 0 {
			var more bool
			if some, more = <-full; !more {
				return nil, broken
			}
		}
		row := some[0]
		some = some[1:]
		return row, nil
	}
	return next, func() {
		close(stopped)
		for range full {
		}
	}
}
