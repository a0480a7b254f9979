package photograph_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/photo"
)

func TestPhotographsOfEachKindAreTaken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	web, dropped := b.source("web", false), b.source("dropped", true)
	b.says("/photos/1.jpg", drawn(10))
	b.reads(web, row("1", "QUILLFEATHER, WREN", "/photos/1.jpg"), row("2", "MOONSAIL, ORLA", base64.StdEncoding.EncodeToString(drawn(20))),
		row("3", "TOLLIVER, ASH", "data:image/jpeg;base64,"+base64.StdEncoding.EncodeToString(drawn(30))), row("4", "FERN, ELM", ""))
	require.NoError(t, os.WriteFile(filepath.Join(b.files, "d1.jpg"), drawn(40), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(b.files, "D4.JPG"), drawn(50), 0o600))
	b.reads(dropped, row("D4", "ELDER, ROWAN", "d4.jpg"), row("D1", "OAK, BIRCH", "d1.jpg"), row("D2", "YEW, HOLLY", "../secret.jpg"), row("D3", "PINE, LARCH", "gone.jpg"))
	b.pass()
	shown, references := b.photographs()
	require.Equal(t, "ELDER, ROWAN; MOONSAIL, ORLA; OAK, BIRCH; QUILLFEATHER, WREN; TOLLIVER, ASH", shown)
	require.Equal(t, "D1 kept; D2 refused other_host; D3 wanted not_found; D4 kept; 1 kept; 2 kept; 3 kept", references)
	require.Equal(t, 5, b.pictures())
	require.NotContains(t, b.text(`select string_agg(p::text, ' ') from photographs p`), base64.StdEncoding.EncodeToString(drawn(20))[:40], "no bytes of a picture are in the tables")
	require.NotContains(t, b.text(`select string_agg(facts::text, ' ') from roster_claims`), "jpg")

	t.Log("the next pass asks for nothing that is kept")
	b.pass()
	require.Equal(t, 1, b.timesAsked("/photos/1.jpg"))

	t.Log("a change is a change of the booking for clients that follow")
	before := b.text(`select gen::text from bookings where name like 'FERN%'`)
	b.reads(web, row("1", "QUILLFEATHER, WREN", ""), row("2", "MOONSAIL, ORLA", base64.StdEncoding.EncodeToString(drawn(21))),
		row("3", "TOLLIVER, ASH", "data:image/jpeg;base64,"+base64.StdEncoding.EncodeToString(drawn(30))), row("4", "FERN, ELM", "/photos/1.jpg"))
	b.pass()
	shown, _ = b.photographs()
	require.Equal(t, "ELDER, ROWAN; FERN, ELM; MOONSAIL, ORLA; OAK, BIRCH; TOLLIVER, ASH", shown, "a list that names a photograph no more took it away")
	require.NotEqual(t, before, b.text(`select gen::text from bookings where name like 'FERN%'`))

	t.Log("pictures that nobody has go after an hour")
	b.now = b.now.Add(2 * time.Hour)
	b.pass()
	require.Equal(t, 5, b.pictures())
}

func TestWithoutAReasonNothingIsTaken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.source("web", false)
	b.says("/photos/1.jpg", drawn(10))
	b.reads(s, row("1", "QUILLFEATHER, WREN", "/photos/1.jpg"))
	s.Privacy.Photographs = "none"
	b.pass()
	shown, references := b.photographs()
	require.Empty(t, shown+references)
	require.Zero(t, b.timesAsked("/photos/1.jpg"))

	t.Log("a reason counts from the next run on")
	s.Privacy.Photographs = basis
	b.pass()
	shown, references = b.photographs()
	require.Empty(t, shown+references)
	b.reads(s, row("1", "QUILLFEATHER, WREN", "/photos/1.jpg"))
	b.pass()
	shown, _ = b.photographs()
	require.Equal(t, "QUILLFEATHER, WREN", shown)

	t.Log("a reason that is taken back takes the photographs back")
	s.Privacy.Photographs = ""
	b.pass()
	shown, references = b.photographs()
	require.Empty(t, shown+references)
}

func TestWhatIsWithheldHasNoPhotograph(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.source("web", false)
	for i := range 4 {
		b.says(fmt.Sprintf("/photos/%d.jpg", i), drawn(uint8(i)))
	}
	juvenile := strings.Replace(row("0", "YOUNG, PERSON", "/photos/0.jpg"), "1980", "2012", 1)
	rows := []string{juvenile, row("1", "QUILLFEATHER, WREN", "/photos/1.jpg"), row("2", "MOONSAIL, ORLA", "/photos/2.jpg"), row("3", "TOLLIVER, ASH", "/photos/3.jpg")}
	b.reads(s, rows...)
	b.pass()
	shown, _ := b.photographs()
	require.Equal(t, "MOONSAIL, ORLA; QUILLFEATHER, WREN; TOLLIVER, ASH", shown)
	require.Zero(t, b.timesAsked("/photos/0.jpg"), "a juvenile's photograph is never asked for")

	id := func(name string) string { return b.text(`select id from bookings where name = $1`, name) }
	rid := func(name string) (n int64) {
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select rid from bookings where name = $1`, name).Scan(&n))
		return n
	}
	t.Log("a restriction takes it away at once, and its file with the next pass that is an hour later")
	_, err := b.store.Restrict(t.Context(), id("MOONSAIL, ORLA"), "desk", "looked at")
	require.NoError(t, err)
	_, err = b.store.PhotographOf(t.Context(), rid("MOONSAIL, ORLA"))
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))

	t.Log("so does a request, for as long as it is not declined")
	request, err := b.store.AskRemoval(t.Context(), id("TOLLIVER, ASH"), b.now.Add(-time.Hour), "desk", "acquitted")
	require.NoError(t, err)
	require.Equal(t, 30*24*time.Hour, request.DueAt.Sub(request.AskedAt))
	shown, _ = b.photographs()
	require.Equal(t, "QUILLFEATHER, WREN", shown)
	b.reads(s, rows...)
	b.pass()
	shown, references := b.photographs()
	require.Equal(t, "QUILLFEATHER, WREN", shown)
	require.Equal(t, "1 kept", references)
	b.now = b.now.Add(2 * time.Hour)
	b.pass()
	require.Equal(t, 1, b.pictures())
	require.NoError(t, b.store.DecideRemoval(t.Context(), request.ID, false, "desk"))
	b.reads(s, rows...)
	b.pass()
	shown, _ = b.photographs()
	require.Equal(t, "QUILLFEATHER, WREN; TOLLIVER, ASH", shown)

	t.Log("a week after the release it goes, though the list still has the booking")
	rows[1] = strings.Replace(rows[1], "10:00,,", "10:00,2026-03-09 09:00,", 1)
	b.reads(s, rows...)
	b.pass()
	shown, _ = b.photographs()
	require.Equal(t, "QUILLFEATHER, WREN; TOLLIVER, ASH", shown)
	b.now = b.now.AddDate(0, 0, 8)
	b.reads(s, rows...)
	b.pass()
	shown, _ = b.photographs()
	require.Equal(t, "TOLLIVER, ASH", shown)
}

func TestAPhotographGoesWithItsClaim(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.source("web", false)
	b.says("/photos/1.jpg", drawn(1))
	b.reads(s, row("1", "QUILLFEATHER, WREN", "/photos/1.jpg"), row("2", "QUILLFEATHER, WREN A", ""))
	b.pass()
	shown := func() string {
		s, _ := b.photographs()
		return s
	}
	require.Equal(t, "QUILLFEATHER, WREN", shown())
	id := func(key string) string {
		return b.text(`select b.id from roster_claims c join bookings b on b.rid = c.record where c.key = $1`, key)
	}
	kept, gone := id("2"), id("1")
	require.NoError(t, b.store.Merge(t.Context(), models.Roster, kept, gone, "desk"))
	require.Equal(t, kept, b.text(`select b.id from published_bookings b where has_photo`), "the one that stayed has the photograph of both")
	require.NoError(t, b.store.Unmerge(t.Context(), models.Roster, gone, "desk", "looked at"))
	require.Equal(t, gone, b.text(`select b.id from published_bookings b where has_photo`))
	rebuilt, err := b.store.Rebuild(t.Context(), models.Roster, true)
	require.NoError(t, err)
	require.Empty(t, rebuilt.Changes)

	t.Log("a number that is used again is another booking, and another person has no photograph of the first")
	b.reads(s, strings.Replace(row("1", "QUILLFEATHER, WREN", "/photos/1.jpg"), "10:00,,", "10:00,2026-03-02 09:00,", 1), row("2", "QUILLFEATHER, WREN A", ""))
	b.reads(s, strings.Replace(row("1", "TOLLIVER, ASH", ""), "2026-03-01", "2026-03-08", 1), row("2", "QUILLFEATHER, WREN A", ""))
	b.pass()
	require.Equal(t, "QUILLFEATHER, WREN", shown())
}

func TestAPictureOfManyPeopleIsAPlaceholder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.source("web", false)
	b.says("/none.gif", drawn(99))
	b.says("/photos/1.jpg", drawn(1))
	rows := []string{row("1", "QUILLFEATHER, WREN", "/photos/1.jpg")}
	for i := range 6 {
		rows = append(rows, row(fmt.Sprint("N", i), fmt.Sprintf("PERSON%c, SOME", 'A'+i), "/none.gif"))
	}
	b.reads(s, rows...)
	b.pass()
	shown, references := b.photographs()
	require.Equal(t, "QUILLFEATHER, WREN", shown)
	require.Contains(t, references, "N0 refused placeholder; N1 refused placeholder")
	require.Equal(t, 1, b.pictures())

	t.Log("it is known from then on")
	b.reads(s, append(rows, row("N9", "PERSONZ, SOME", "/none.gif"))...)
	b.pass()
	shown, references = b.photographs()
	require.Equal(t, "QUILLFEATHER, WREN", shown)
	require.Contains(t, references, "N9 refused placeholder")
}

func TestWhatIsNoPhotographIsRefusedWithAReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.source("web", false)
	b.says("/page", []byte("<!DOCTYPE html><html><body>Please sign in</body></html>"))
	b.says("/text", []byte("no picture at all, but a text"))
	b.says("/svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`))
	b.says("/huge", make([]byte, 13<<20))
	b.answer("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest", http.StatusFound)
	})
	b.answer("/broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	var rows []string
	for i, at := range []string{"/page", "/text", "/svg", "/huge", "/away", "/broken", "/missing", "https://other.example/a.jpg", "javascript:alert(1)"} {
		rows = append(rows, row(strconv.Itoa(i), fmt.Sprintf("PERSON%c, SOME", 'A'+i), at))
	}
	b.reads(s, rows...)
	b.pass()
	shown, references := b.photographs()
	require.Empty(t, shown)
	require.Equal(t, "0 wanted web_page; 1 refused not_an_image; 2 refused svg; 3 refused too_many_bytes; 4 wanted not_reached; 5 wanted bad_answer; "+
		"6 wanted not_found; 7 refused other_host; 8 refused other_host", references)
	require.Zero(t, b.pictures())

	t.Log("a row that names a place that is not asked has no photograph, and not the one that it named before")
	b.says("/photos/1.jpg", drawn(6))
	named := slices.Clone(rows)
	named[1] = row("1", "PERSONB, SOME", "/photos/1.jpg")
	b.reads(s, named...)
	b.pass()
	shown, _ = b.photographs()
	require.Equal(t, "PERSONB, SOME", shown)
	named[1] = row("1", "PERSONB, SOME", "https://other.example/b.jpg")
	b.reads(s, named...)
	b.pass()
	shown, references = b.photographs()
	require.Empty(t, shown)
	require.Contains(t, references, "1 refused other_host")

	t.Log("what may be well again is asked for later, and in the end not any more")
	b.says("/broken", drawn(5))
	for range 5 {
		b.now = b.now.Add(25 * time.Hour)
		b.pass()
	}
	shown, references = b.photographs()
	require.Equal(t, "PERSONF, SOME", shown)
	require.Contains(t, references, "0 refused web_page;")
	require.Contains(t, references, "6 refused not_found;")
	require.Equal(t, 5, b.timesAsked("/missing"))

	t.Log("except what the host does not have: that is asked for once a week")
	b.says("/missing", drawn(7))
	b.now = b.now.AddDate(0, 0, 7)
	b.pass()
	require.Equal(t, 6, b.timesAsked("/missing"))
	shown, references = b.photographs()
	require.Equal(t, "PERSONF, SOME; PERSONG, SOME", shown)
	require.Contains(t, references, "0 refused web_page;")
}

// What a process leaves that is ended between the vault and the tables is deleted by a look through the vault, once a day.
func TestAPictureThatNoRecordNamesIsDeleted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.source("web", false)
	b.says("/photos/1.jpg", drawn(1))
	b.reads(s, row("1", "QUILLFEATHER, WREN", "/photos/1.jpg"))
	b.pass()
	left, err := photo.Read(drawn(2))
	require.NoError(t, err)
	require.NoError(t, b.vault.Put(t.Context(), left))
	for b.now.Before(time.Now().Add(25 * time.Hour)) { // files have the clock of the machine
		b.now = b.now.AddDate(0, 0, 7)
	}
	b.pass()
	require.Equal(t, 1, b.pictures())
	shown, _ := b.photographs()
	require.Equal(t, "QUILLFEATHER, WREN", shown)
}
