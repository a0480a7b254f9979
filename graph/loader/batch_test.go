package loader

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// reads counts what a Batch asks for.
type reads struct {
	mu    sync.Mutex
	lists [][]int
}

func (r *reads) fetch(_ context.Context, keys []int) (map[int]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lists = append(r.lists, keys)
	found := map[int]string{}
	for _, k := range keys {
		if k > 0 {
			found[k] = strconv.Itoa(k)
		}
	}
	return found, nil
}

func TestAnAnnouncedListIsReadAtOnce(t *testing.T) {
	t.Parallel()
	var r reads
	b := newBatch(r.fetch)
	b.expect([]int{1, 2, -3, 2})
	b.expect([]int{3, 4})
	b.expect([]int{2, 1})
	b.expect(nil)
	var wg sync.WaitGroup
	for _, k := range []int{2, 1, -3, 2, 1} {
		wg.Go(func() {
			v, err := b.Load(t.Context(), k)
			want := ""
			if k > 0 {
				want = strconv.Itoa(k)
			}
			if err != nil || v != want {
				t.Errorf("load of %d: %q, %v", k, v, err)
			}
		})
	}
	wg.Wait()
	require.Equal(t, [][]int{{1, 2, -3}}, r.lists, "what nobody asks for is not read")
	v, err := b.Load(t.Context(), 9)
	require.NoError(t, err)
	require.Equal(t, "9", v, "a key that nobody announced is read alone")
	_, err = b.Load(t.Context(), 4)
	require.NoError(t, err)
	require.Equal(t, [][]int{{1, 2, -3}, {9}, {3, 4}}, r.lists)
}

func TestAFailedReadIsTheErrorOfEveryKey(t *testing.T) {
	t.Parallel()
	for name, fetch := range map[string]func(context.Context, []int) (map[int]string, error){
		"an error": func(context.Context, []int) (map[int]string, error) { return nil, errors.New("timed out") },
		"a panic":  func(context.Context, []int) (map[int]string, error) { panic("timed out") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBatch(fetch)
			b.expect([]int{1, 2})
			for _, k := range []int{1, 2, 7, 7} {
				_, err := b.Load(t.Context(), k)
				require.ErrorContains(t, err, "timed out", "an empty value would be a link that is silently missing")
			}
		})
	}
}
