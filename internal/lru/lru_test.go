package lru_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/lru"
)

func TestCacheForgetsWhatWasUsedLongestAgo(t *testing.T) {
	t.Parallel()
	c := lru.New(10, 6, func(_, v string) int { return len(v) })
	c.Add("a", "1234")
	c.Add("b", "1234")
	_, used := c.Get("a")
	require.True(t, used)
	c.Add("c", "1234")
	c.Add("huge", "1234567")
	for key, want := range map[string]bool{"a": true, "b": false, "c": true, "huge": false} {
		_, kept := c.Get(key)
		require.Equal(t, want, kept, key)
	}
	require.Equal(t, 8, c.Weight())
}

func TestEachGivesAllKeysInTurn(t *testing.T) {
	t.Parallel()
	c := lru.New(100, 10, func(int, string) int { return 1 })
	c.Add(1, "one")
	c.Add(3, "three")
	got := map[int]string{}
	c.Each([]int{1, 2, 3}, func(key int, value string, ok bool) {
		require.Equal(t, key != 2, ok)
		got[key] = value
	})
	require.Equal(t, map[int]string{1: "one", 2: "", 3: "three"}, got)
}

func TestAValueTakesThePlaceOfTheOneBefore(t *testing.T) {
	t.Parallel()
	c := lru.New(10, 6, func(_, v string) int { return len(v) })
	c.Add("a", "1234")
	c.Add("a", "12")
	v, _ := c.Get("a")
	require.Equal(t, "12", v)
	require.Equal(t, 2, c.Weight())
	c.Add("a", "1234567")
	_, kept := c.Get("a")
	require.False(t, kept, "the old value is not given for one that is too heavy")
	require.Zero(t, c.Weight())
}
