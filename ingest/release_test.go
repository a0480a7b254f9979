package ingest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

// messages are the samples of F20: a booking, and a release that names it by its number alone.
func messages(t *testing.T) (s *ingest.Source, booking, release string) {
	t.Helper()
	dir := filepath.Join("testdata", "shapes", "niem-keys")
	s, err := ingest.Load(filepath.Join(dir, "source.yaml"))
	require.NoError(t, err)
	texts := make([]string, 2)
	for i, name := range []string{"booking.xml", "release.xml"} {
		text, err := os.ReadFile(filepath.Join(dir, "samples", name))
		require.NoError(t, err)
		texts[i] = string(text)
	}
	return s, texts[0], texts[1]
}

// released is how the one booking stands, with what a release must not touch.
const released = `select concat_ws(' | ', b.name, b.bond_cents, array_to_string(b.charges, ';'), c.statute, b.status, to_char(b.released_at at time zone 'America/New_York', 'DD HH24:MI'), b.release_inferred)
 from bookings b join booking_charges c using (rid)`

func TestAReleaseThatNamesOnlyAKeyReleasesWhomItMeansAndTouchesNothingElse(t *testing.T) {
	t.Parallel()
	const whole = "QUILLFEATHER, MARLOWE T | 150000 | SIMPLE BATTERY | 16-5-23 | "
	s, booking, release := messages(t)
	b := setup(t)
	b.now = b.now.Add(4 * time.Hour) // past what the messages tell
	r := b.runSource(s, "release.xml", release, time.Time{})
	require.Equal(t, map[string]int{"release.number: the booking is not known": 1}, r.Reasons, "it waits in the quarantine until he is known")
	b.runSource(s, "booking.xml", booking, time.Time{})
	require.Equal(t, whole+"booked | f", one[string](b, released))
	replayed, err := b.runner.Replay(t.Context(), s, r.Run)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 1}, []int{replayed.Changed, replayed.Closed, replayed.Resolved}, replayed.String())
	require.Equal(t, whole+"released | 09 10:30 | f", one[string](b, released))
	r = b.runSource(s, "release.xml", release, time.Time{})
	require.Equal(t, []any{models.RunOK, 1, 0}, []any{r.State, r.Unchanged, r.Changed}, "the same again changes nothing: %s", r)
	require.Equal(t, "release_inferred:false released_at:-", one[string](b, `select 'release_inferred:' || bool_or(field = 'release_inferred') || ' ' || string_agg(field || ':' || coalesce(before, '-'), ' ') from record_changes`))

	t.Log("both messages in one run, in any order; a release without its time takes the time that it was seen")
	other := setup(t)
	other.now = other.now.Add(4 * time.Hour)
	files := make([]string, 2)
	untimed := strings.NewReplacer("<ActivityDate><DateTime>2026-03-09T10:30:00</DateTime></ActivityDate>", "").Replace(release)
	for i, text := range []string{untimed, booking} {
		files[i] = filepath.Join(other.dir, []string{"1.xml", "2.xml"}[i])
		require.NoError(t, os.WriteFile(files[i], []byte(text), 0o600))
	}
	r, err = other.runner.Run(t.Context(), s, ingest.Input{Files: files})
	require.NoError(t, err)
	require.Equal(t, []int{1, 0}, []int{r.New, r.Quarantined}, r.String())
	require.Equal(t, whole+"released | 09 11:00 | t", one[string](other, released))

	t.Log("a release from before the booking is none")
	third := setup(t)
	third.now = third.now.Add(4 * time.Hour)
	third.runSource(s, "booking.xml", booking, time.Time{})
	r = third.runSource(s, "release.xml", strings.ReplaceAll(release, "2026-03-09T10:30", "2026-03-07T10:30"), time.Time{})
	require.Equal(t, map[string]int{"release.released_at: lies before the booking": 1}, r.Reasons)
}

func TestReleasesByKeyNeedBookingsWithThatKey(t *testing.T) {
	t.Parallel()
	_, err := ingest.Parse([]byte(strings.NewReplacer("%s", "county-a", "%d", "1", "person: {name: name}", "person: {name: name}\n  release: {number: id}", "of: [booking.number]", "of: [person.name, booking.booked_at]").Replace(rosterDocument)))
	require.ErrorContains(t, err, "identity.booking[0]: fields.release names bookings by their number alone")
}
