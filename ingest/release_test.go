package ingest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
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
	require.Equal(t, []any{source.RunOK, 1, 0, "1 release waits for its booking, which no file has shown yet"}, []any{r.State, r.Pending, r.Quarantined, r.Note}, r.String())
	r = b.runSource(s, "booking.xml", booking, time.Time{})
	require.Equal(t, []int{1, 1}, []int{r.New, r.Resolved}, r.String())
	require.Equal(t, whole+"released | 09 10:30 | f", one[string](b, released))
	r = b.runSource(s, "release.xml", release, time.Time{})
	require.Equal(t, []any{source.RunOK, 1, 0}, []any{r.State, r.Unchanged, r.Changed}, "the same again changes nothing: %s", r)
	require.Zero(t, one[int](b, `select count(*) from record_changes`), "nobody saw the person as booked")

	t.Log("both messages in one run, in any order; a release without its time takes the time that it was seen")
	other := setup(t)
	other.now = other.now.Add(4 * time.Hour)
	files := make([]string, 2)
	untimed := strings.NewReplacer("<ActivityDate><DateTime>2026-03-09T10:30:00</DateTime></ActivityDate>", "").Replace(release)
	for i, text := range []string{untimed, booking} {
		files[i] = filepath.Join(other.dir, []string{"1.xml", "2.xml"}[i])
		require.NoError(t, os.WriteFile(files[i], []byte(text), 0o600))
	}
	r, err := other.runner.Run(t.Context(), s, ingest.Input{Files: files})
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

func TestGuarantee5AReleaseThatCameBeforeItsBookingIsTakenWhenTheBookingComes(t *testing.T) {
	t.Parallel()
	s, booking, release := messages(t)
	other := strings.NewReplacer("QUILLFEATHER", "MOONSAIL", "MARLOWE", "ORLA", "26-00101", "26-00999").Replace(booking)
	require.NotEqual(t, booking, other)
	b := setup(t)
	b.now = b.now.Add(4 * time.Hour)
	b.runSource(s, "other.xml", other, time.Time{}) // the source is known: what follows is told to watchers
	r := b.runSource(s, "release.xml", release, time.Time{})
	require.Equal(t, 1, r.Pending, r.String())
	require.Len(t, b.pending(s.ID), 1)
	require.Zero(t, one[int](b, `select count(*) from quarantine`), "nobody has to look at it")
	r = b.runSource(s, "release.xml", release, time.Time{})
	require.Equal(t, 1, r.Pending, r.String())
	require.Equal(t, 1, b.pending(s.ID)[0].Claims, "the same again waits once")

	r = b.runSource(s, "booking.xml", booking, time.Time{})
	require.Equal(t, []int{1, 1}, []int{r.New, r.Resolved}, r.String())
	require.Equal(t, "released 10:30 f", one[string](b, `select concat_ws(' ', status, to_char(released_at at time zone 'America/New_York', 'HH24:MI'), release_inferred) from bookings where name like 'QUILL%'`))
	require.Equal(t, "booking release", one[string](b, `select string_agg(c.kind, ' ' order by c.id) from changes c join bookings b using (rid) where b.name like 'QUILL%'`))
	require.Empty(t, b.pending(s.ID))
	runs := one[int](b, `select count(*) from runs`)
	b.runSource(s, "other.xml", other, time.Time{})
	require.Equal(t, runs+1, one[int](b, `select count(*) from runs`), "nothing waits any more")
}

func TestAReleaseThatCameBeforeItsBookingMayBeOfABookingOfAnotherSource(t *testing.T) {
	t.Parallel()
	s, booking, release := messages(t)
	b := setup(t)
	b.now = b.now.Add(4 * time.Hour)
	other, _, _ := messages(t)
	other.ID = "other-jail"
	b.runSource(other, "booking.xml", strings.ReplaceAll(booking, "26-00101", "77"), time.Time{})
	b.runSource(s, "release.xml", release, time.Time{})
	require.Equal(t, "booked", one[string](b, `select string_agg(status, ' ') from bookings`), "the number says nothing to the other source")
	r := b.runSource(s, "booking.xml", booking, time.Time{})
	require.Equal(t, []int{0, 1, 1}, []int{r.New, r.Adopted, r.Resolved}, r.String())
	require.Equal(t, "released", one[string](b, `select string_agg(status, ' ') from bookings`))
	require.Equal(t, "matched", one[string](b, `select string_agg(rule, ' ') from claim_moves where source_id = $1`, s.ID))
	require.Equal(t, "release", one[string](b, `select string_agg(kind, ' ' order by id) from changes`), "the other source's first file is a baseline")
}

func TestAReleaseOfATimeBeforeTheBookingThatComesLaterIsOfAnEarlierOne(t *testing.T) {
	t.Parallel()
	s, booking, release := messages(t)
	b := setup(t)
	b.now = b.now.Add(4 * time.Hour)
	b.runSource(s, "release.xml", strings.ReplaceAll(release, "2026-03-09T10:30", "2026-03-07T10:30"), time.Time{})
	r := b.runSource(s, "booking.xml", booking, time.Time{})
	require.Equal(t, []int{1, 0, 1, 0}, []int{r.New, r.Resolved, r.Older, r.Quarantined}, r.String())
	require.Equal(t, "booked", one[string](b, `select status from bookings`))
}

// together reads messages as the files of one run.
func (b *bundle) together(s *ingest.Source, texts ...string) *ingest.Report {
	b.Helper()
	files := make([]string, len(texts))
	for i, text := range texts {
		files[i] = filepath.Join(b.dir, string(rune('1'+i))+".xml")
		require.NoError(b, os.WriteFile(files[i], []byte(text), 0o600))
	}
	r, err := b.runner.Run(b.Context(), s, ingest.Input{Files: files})
	require.NoError(b, err)
	return r
}

func TestAReleaseOfATimeBeforeTheBookingIsRefusedByItself(t *testing.T) {
	t.Parallel()
	s, booking, release := messages(t)
	early := strings.ReplaceAll(release, "2026-03-09T10:30", "2026-03-07T10:30")
	b := setup(t)
	b.now = b.now.Add(8 * time.Hour)
	r := b.together(s, booking, early)
	require.Equal(t, []int{1, 1}, []int{r.New, r.Quarantined}, r.String())
	later := strings.NewReplacer("T10:00:00-04:00", "T10:30:00-04:00", "1986-02-03", "2010-02-03").Replace(booking)
	require.NotEqual(t, booking, later)
	r = b.together(s, later, early)
	require.Positive(t, r.Quarantined, r.String())
	require.Equal(t, "juvenile", one[string](b, `select coalesce(withheld::text, 'public') from bookings`), "what stands beside it counts")
}

func TestABookingMessageAfterItsReleaseSaysNothingOfIt(t *testing.T) {
	t.Parallel()
	s, booking, release := messages(t)
	again := strings.NewReplacer("2026-03-09T10:00:00", "2026-03-09T11:30:00", "1500.00", "9000.00").Replace(booking)
	require.NotEqual(t, booking, again)
	for name, order := range map[string][]string{"in order": {booking, release, again}, "the release first": {release, again}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.now = b.now.Add(8 * time.Hour)
			for _, text := range order {
				b.runSource(s, "message.xml", text, time.Time{})
			}
			require.Equal(t, "released 900000", one[string](b, `select concat_ws(' ', status, bond_cents) from bookings`))
			require.Zero(t, one[int](b, `select count(*) from changes where kind = 'retraction'`))
		})
	}
}

func TestReleasesByKeyNeedBookingsWithThatKey(t *testing.T) {
	t.Parallel()
	_, err := ingest.Parse([]byte(strings.NewReplacer("%s", "county-a", "%d", "1", "person: {name: name}", "person: {name: name}\n  release: {number: id}", "of: [booking.number]", "of: [person.name, booking.booked_at]").Replace(rosterDocument)))
	require.ErrorContains(t, err, "identity.booking[0]: fields.release names bookings by their number alone")
	_, err = ingest.Parse([]byte(strings.NewReplacer("%s", "county-a", "%d", "1", "county: ben-hill\n", "", "person: {name: name}", "person: {name: name}\n  release: {number: id}").Replace(rosterDocument)))
	require.ErrorContains(t, err, "county: is missing: fields.release names bookings by their number alone, and two counties may use the same")
}

func TestAFileOfReleasesSaysNothingOfWhichFieldsThereAre(t *testing.T) {
	t.Parallel()
	s, booking, release := messages(t)
	b := setup(t)
	b.now = b.now.Add(4 * time.Hour)
	for _, text := range []string{booking, release, strings.ReplaceAll(booking, "2026-03-09T10:00:00", "2026-03-09T11:30:00")} {
		r := b.runSource(s, "message.xml", text, time.Time{})
		require.Empty(t, r.Drift, r.String())
	}
}

func TestAReleaseThatWaitsForItsBookingListsNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "county-a", "columns: [id, name, booked, bond]", "columns: [id, name, booked, bond, rel, out]",
		"person: {name: name}", "person: {name: name}\n  release: {number: rel, released_at: {from: out, layouts: ['2006-01-02 15:04']}}")
	for i, rows := range []string{",,,,K9,2026-01-30 10:00\n", "", ",,,,K9,2026-01-31 10:00\n"} {
		b.runSource(s, "a.csv", "id,name,booked,bond,rel,out\nK2,\"THISTLEDOWN, PIP\",2026-01-05 11:00,$1.00,,\n"+rows+"#end\n", day.AddDate(0, 0, i))
		require.Equal(t, []string{"K2 true", "K9 false"}, one[[]string](b, `select array_agg(key || ' ' || present order by key) from roster_claims`))
	}
}
