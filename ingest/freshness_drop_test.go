package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// states reads how current the one source is at the bundle's clock.
func (d *spool) states() *models.Source {
	d.Helper()
	sources, err := d.store.Sources(d.Context())
	require.NoError(d, err)
	require.Len(d, sources, 1)
	return sources[0]
}

// unscheduled is a spool that nobody asks by the clock; schedule is a line of its document or nothing.
func unscheduled(t *testing.T, schedule string) *spool {
	t.Helper()
	d := newSpool(t)
	d.source = sourceWith(t, "county-a", "decode:", schedule+"\ntransport: {kind: folder, folder: '"+d.dir+"'}\ndecode:")
	return d
}

func TestFEEDS13AFolderWithoutAScheduleIsLateAndDownWhenNoFileComes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, schedule string
		every          time.Duration
	}{
		{"a file a day, unless the document says otherwise", "", 24 * time.Hour},
		{"a file a week, as the document says", "schedule: {data: 168h}", 7 * 24 * time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := unscheduled(t, c.schedule)
			d.drops("a.csv", roster(5), d.now)
			require.Equal(t, source.RunOK, d.read().State)
			require.NoError(t, d.store.EnableSource(t.Context(), d.source.ID, true))
			came := *d.states().DataAt
			for _, s := range []struct {
				age   time.Duration
				state models.SourceState
			}{{2*c.every - time.Minute, models.SourceOK}, {2 * c.every, models.SourceLate}, {3*c.every - time.Minute, models.SourceLate}, {3 * c.every, models.SourceDown}} {
				d.now = came.Add(s.age)
				require.Equal(t, s.state, d.states().State(), "after %s without a file", s.age)
			}
			require.Contains(t, *d.states().Note, "its newest data is of Mar ")
			require.Equal(t, "county-a: no file is new\n", d.read().String())
			require.Equal(t, models.SourceDown, d.states().State(), "looking at the folder brings no news")

			d.drops("a.csv", roster(6), d.now)
			require.Equal(t, 1, d.read().New)
			require.Equal(t, models.SourceOK, d.states().State())
		})
	}
}

func TestFEEDS13AFilesComingLateToAFolderWithoutAScheduleAreNoOutage(t *testing.T) {
	t.Parallel()
	d := unscheduled(t, "")
	d.drops("a.csv", roster(5), d.now)
	d.read()
	d.now = d.now.Add(5 * 24 * time.Hour)
	before := one[int](d.bundle, `select count(*) from changes where kind = 'booking'`)
	d.drops("a.csv", roster(6), d.now)
	require.Equal(t, 1, d.read().New)
	require.Equal(t, before+1, one[int](d.bundle, `select count(*) from changes where kind = 'booking'`), "a source without a schedule has no outage, so an older booking is told")
}

func TestFEEDS13AFolderThatNeverHeldAFileIsDownAndItsFirstFileIsABaseline(t *testing.T) {
	t.Parallel()
	d := newSpool(t)
	require.Equal(t, "county-a: no file is new\n", d.read().String())
	require.NoError(t, d.store.EnableSource(t.Context(), d.source.ID, true))
	src, why := d.states(), "nothing was taken from a file yet"
	require.Equal(t, []any{models.SourceDown, &why}, []any{src.State(), src.Note})

	d.now = d.now.Add(20 * 24 * time.Hour)
	d.drops("a_"+d.now.In(models.Georgia).Format("2006-01-02_15-04")+".csv", roster(5), d.now)
	require.Equal(t, 5, d.read().New)
	require.Zero(t, one[int](d.bundle, `select count(*) from changes where kind = 'booking'`), "who was in jail long before the first file is no news")
	src = d.states()
	require.Equal(t, models.SourceOK, src.State())
	require.Nil(t, src.Note)
	require.Zero(t, d.read().Run)
	require.Equal(t, d.now, d.states().LastSuccess.UTC(), "an answer without news is a success once there was a file")
}

func TestHowOftenASourceHasNewerDataIsKnownOrSaid(t *testing.T) {
	t.Parallel()
	require.Zero(t, sourceWith(t, "county-a").Schedule, "nobody knows how often files are brought by hand")
	_, err := ingest.Parse([]byte("schedule: {data: 5ms}\n"))
	require.ErrorContains(t, err, "schedule.data: is 5ms; it must be 1s or more")
}
