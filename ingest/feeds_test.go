package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

// at is a time of one morning.
func at(clock string) time.Time {
	moment, err := time.Parse(time.RFC3339, "2026-02-08T"+clock+":00Z")
	if err != nil {
		panic(err)
	}
	return moment
}

const (
	both = "0:500 1:500 2:500 3:500"
	two  = "0:500 1:500"
)

func TestStoryOfTwoFeedsInLiveOrder(t *testing.T) {
	t.Parallel()
	c := newCounty(t)
	c.source.Complete.Shrink, c.second.Complete.Shrink = 1, 1
	c.load(c.source, file(both), at("07:00"))
	c.load(c.second, file(both), at("07:30"))
	open := c.facts()
	for _, hour := range []string{"08", "09", "10"} {
		r := c.load(c.source, file(two), at(hour+":00"))
		require.Equal(t, 0, r.Closed, "the other feed lists them in its newest whole file: %s", r)
		r = c.load(c.second, file(both), at(hour+":30"))
		require.Equal(t, []int{4, 0, 0}, []int{r.Unchanged, r.Reopened, r.Closed}, r.String())
	}
	require.Equal(t, open, c.facts())
	require.Empty(t, c.events())

	t.Log("until it lacks one of them too")
	c.load(c.source, file(two), at("11:00"))
	r := c.load(c.second, file(two+" 3:500"), at("11:30"))
	require.Equal(t, 1, r.Closed, r.String())
	require.Equal(t, strings.Replace(open, "2:500", "2:500~08", 1), c.facts())
	require.Equal(t, []time.Time{at("10:30"), at("11:30")}, []time.Time{
		one[time.Time](c.bundle, `select release_after from bookings where release_inferred`).UTC(), one[time.Time](c.bundle, `select released_at from bookings where release_inferred`).UTC(),
	})
	require.Equal(t, "release 2", c.events())

	t.Log("a feed that fell silent keeps nobody: its files come daily, and two days passed")
	r = c.load(c.source, file(two), at("11:00").AddDate(0, 0, 2))
	require.Zero(t, r.Closed, r.String())
	r = c.load(c.source, file(two), at("12:00").AddDate(0, 0, 2))
	require.Equal(t, 1, r.Closed, r.String())
	require.Equal(t, "release 3", c.events())
	var since int64
	c.history(&since)

	t.Log("and when it speaks again, and lists him with the row of before, he is back")
	r = c.load(c.second, file(two+" 3:500"), at("12:30").AddDate(0, 0, 2))
	require.Equal(t, []int{2, 1}, []int{r.Unchanged, r.Reopened}, r.String())
	require.Equal(t, strings.Replace(open, "2:500", "2:500~08", 1), c.facts())
	require.Equal(t, "retraction 3", c.events())
	require.Contains(t, c.history(&since), "O'BRANNIGAN release_inferred true>false")
	r = c.load(c.source, file(two), at("13:00").AddDate(0, 0, 2))
	require.Zero(t, r.Closed, r.String())
}

// A row that a source repeats is no news of anything but that the person is there.
func TestStoryOfARowThatReopensAndTakesNothingBack(t *testing.T) {
	t.Parallel()
	c := newCounty(t)
	c.source.Complete.Shrink, c.second.Complete.Shrink = 1, 1
	c.load(c.second, file(both), at("07:00"))
	c.load(c.source, file(both), at("07:30"))
	c.load(c.source, file("0:500 1:500 2:500 3:900"), at("08:00"))
	c.load(c.source, file(two), at("08:00").AddDate(0, 0, 3))
	r := c.load(c.second, file(both), at("09:00").AddDate(0, 0, 3))
	require.Equal(t, 2, r.Reopened, r.String())
	require.Equal(t, "0:500 1:500 2:500 3:900", c.facts())
}

func TestAMergedBookingStaysWhileOneOfItsKeysIsListed(t *testing.T) {
	t.Parallel()
	c := newCounty(t)
	c.source.Complete.Shrink = 1
	c.load(c.source, file(both), at("07:00"))
	id := func(n string) string {
		return one[string](c.bundle, `select b.id from bookings b join roster_claims g on g.record = b.rid where g.stay = 0 and g.key = $1`, n)
	}
	require.NoError(t, c.store.MergeBookings(t.Context(), id("K2"), id("K3")))
	r := c.load(c.source, file(two+" 2:500"), at("08:00"))
	require.Zero(t, r.Closed, "his other key is listed: %s", r)
	r = c.load(c.source, file(two+" 2:500"), at("09:00"))
	require.Zero(t, r.Closed, r.String())
	r = c.load(c.source, file(two), at("10:00"))
	require.Equal(t, 1, r.Closed, r.String())
	require.Equal(t, at("10:00"), one[time.Time](c.bundle, `select released_at from published_bookings where released_at is not null`).UTC())

	t.Log("both keys leave at once: one release, with one version")
	other := newCounty(t)
	other.source.Complete.Shrink = 1
	other.load(other.source, file(both), at("07:00"))
	c = other
	require.NoError(t, c.store.MergeBookings(t.Context(), id("K2"), id("K3")))
	r = c.load(c.source, file(two), at("08:00"))
	require.Equal(t, 1, r.Closed, r.String())
	require.Equal(t, 1, one[int](c.bundle, `select count(*) from record_changes where field = 'released_at'`))
}

func TestASnapshotOfTheFutureIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	b.runSource(s, "roster.csv", roster(5), b.now)
	b.now = b.now.Add(time.Hour)
	r := b.runSource(s, "roster.csv", roster(5, 1), b.now.Add(ingest.Ahead+time.Second))
	require.Equal(t, []any{source.RunFailed, 0}, []any{r.State, r.Closed}, r.String())
	require.Contains(t, r.Note, "lies in the future")
	require.Equal(t, 1, one[int](b, `select count(*) from archives`), "nothing of it is kept")
	r = b.runSource(s, "roster.csv", roster(5, 2), b.now.Add(ingest.Ahead))
	require.Equal(t, []any{source.RunOK, 1, 0}, []any{r.State, r.Closed, r.Older}, "a clock that runs a little ahead is none: %s", r)

	t.Log("a name of the future is refused by itself: the files before it are read")
	b = setup(t)
	named := sourceWith(t, "county-b", "decode:", "transport: {kind: folder, folder: "+b.dir+", observed: {regex: '(\\d{4}-\\d{2}-\\d{2})', layout: '2006-01-02'}}\ndecode:")
	r = b.runSource(named, "roster_2099-01-01.csv", roster(5), time.Time{})
	require.Equal(t, source.RunFailed, r.State, r.String())
	r = b.runSource(named, "roster_2026-03-09.csv", roster(5), time.Time{})
	require.Equal(t, []any{source.RunOK, 0}, []any{r.State, r.Older}, r.String())
}
