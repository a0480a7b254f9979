package operate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestJobsThatFailedAlikeAreOneEntry(t *testing.T) {
	t.Parallel()
	at := func(minute int) *time.Time {
		when := time.Date(2026, 3, 9, 12, minute, 0, 0, time.UTC)
		return &when
	}
	job := func(id int64, kind, state, err string, minute int) models.Job {
		return models.Job{ID: id, Kind: kind, State: state, Error: err, Attempted: at(minute)}
	}
	jobs := []models.Job{
		job(1, "feed", "retryable", "the jail hung up", 3), job(2, "feed", "retryable", "no route", 2), job(3, "feed", "retryable", "the jail hung up", 5),
		job(4, "feed", "discarded", "the jail hung up", 1), job(5, "match", "retryable", "the jail hung up", 1), job(6, "feed", "retryable", "the jail hung up", 1),
		job(7, "feed", "cancelled", "", 1), job(8, "feed", "cancelled", "", 2),
		{ID: 9, Kind: "link", State: "available", Created: *at(4)},
	}
	var got [][]int64
	groups := grouped(jobs)
	for _, g := range groups {
		var ids []int64
		for _, j := range g.All {
			ids = append(ids, j.ID)
		}
		got = append(got, ids)
	}
	require.Equal(t, [][]int64{{1, 3, 6}, {2}, {4}, {5}, {7}, {8}, {9}}, got)
	require.Equal(t, []time.Time{*at(1), *at(5)}, []time.Time{groups[0].First, groups[0].Last})
	require.EqualValues(t, 3, groups[0].ID, "the one that was tried last")
	require.Equal(t, *at(4), groups[6].Last, "it was never tried")
	require.Equal(t, []bool{true, false}, []bool{groups[0].Several(), groups[1].Several()})
}
