package photograph_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An operator corrects a document, and the host of pictures is well again after two days. Rows name the same addresses as before.
func TestWhatWasRefusedForADocumentOrAHostIsJudgedAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.source("web", false)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(drawn(1)) }))
	t.Cleanup(other.Close)
	down := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }
	b.answer("/photos/2.jpg", down)
	b.says("/photos/3.jpg", []byte("no picture"))
	rows := []string{row("1", "QUILLFEATHER, WREN", other.URL+"/1.jpg"), row("2", "MOONSAIL, ORLA", "/photos/2.jpg"), row("3", "TOLLIVER, ASH", "/photos/3.jpg")}
	b.reads(s, rows...)
	for range 5 {
		b.pass()
		b.now = b.now.Add(25 * time.Hour)
	}
	_, references := b.photographs()
	require.Equal(t, "1 refused other_host; 2 refused bad_answer; 3 refused not_an_image", references)
	b.pass()
	require.Equal(t, 5, b.timesAsked("/photos/2.jpg"), "nothing names it anew")

	s.Transport.Hosts = []string{strings.TrimPrefix(other.URL, "http://")}
	b.says("/photos/2.jpg", drawn(2))
	b.reads(s, rows...)
	b.pass()
	shown, references := b.photographs()
	require.Equal(t, "MOONSAIL, ORLA; QUILLFEATHER, WREN", shown)
	require.Equal(t, "1 kept; 2 kept; 3 refused not_an_image", references)
	require.Equal(t, 1, b.timesAsked("/photos/3.jpg"), "what is no picture is refused for good")
}

func TestAPhotographWithoutAVersionIsAskedForOnceAWeek(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.source("web", false)
	b.says("/photos/1.jpg", drawn(1))
	b.reads(s, row("1", "QUILLFEATHER, WREN", "/photos/1.jpg"))
	b.pass()
	state := `select hash || ' ' || taken_at || ' ' || (select gen from bookings) from published_photographs`
	first := b.text(state)
	b.now = b.now.AddDate(0, 0, 6)
	b.pass()
	require.Equal(t, 1, b.timesAsked("/photos/1.jpg"))
	b.now = b.now.AddDate(0, 0, 1)
	b.pass()
	require.Equal(t, 2, b.timesAsked("/photos/1.jpg"))
	require.Equal(t, first, b.text(state), "the same picture changes nothing, nor the date that pages show")
	b.says("/photos/1.jpg", drawn(2))
	b.now = b.now.AddDate(0, 0, 7)
	b.pass()
	require.NotEqual(t, first, b.text(state))
	shown, _ := b.photographs()
	require.Equal(t, "QUILLFEATHER, WREN", shown)
}

// A jail shows that there is no photograph yet, and the photograph at the same address later.
func TestThePhotographBehindAPlaceholderIsTaken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.source("web", false)
	var rows []string
	full := 0
	for i := range 6 {
		rows = append(rows, row(strconv.Itoa(i), fmt.Sprintf("PERSON%c, SOME", 'A'+i), fmt.Sprintf("/photos/%d.jpg", i)))
		b.answer(fmt.Sprintf("/photos/%d.jpg", i), func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"none"`)
			if r.Header.Get("If-None-Match") == `"none"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			full++
			_, _ = w.Write(drawn(99))
		})
	}
	b.reads(s, rows...)
	b.pass()
	shown, references := b.photographs()
	require.Empty(t, shown)
	require.Equal(t, 6, strings.Count(references, "refused placeholder"))
	b.now = b.now.Add(25 * time.Hour)
	b.pass()
	require.Equal(t, []int{2, 6}, []int{b.timesAsked("/photos/1.jpg"), full}, "on condition that it changed")
	b.says("/photos/1.jpg", drawn(1))
	b.reads(s, rows...)
	b.pass()
	require.Equal(t, 2, b.timesAsked("/photos/1.jpg"), "once a day")
	b.now = b.now.Add(25 * time.Hour)
	b.pass()
	shown, references = b.photographs()
	require.Equal(t, "PERSONB, SOME", shown)
	require.Equal(t, 5, strings.Count(references, "refused placeholder"))

	t.Log("not once the person is released for longer than photographs are kept")
	rows[2] = strings.Replace(rows[2], "10:00,,", "10:00,2026-03-09 09:00,", 1)
	b.reads(s, rows...)
	b.now = b.now.AddDate(0, 0, 8)
	before := b.timesAsked("/photos/2.jpg")
	b.pass()
	require.Equal(t, before, b.timesAsked("/photos/2.jpg"))
}

func TestAPhotographIsAskedForOnConditionThatItChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.source("web", false)
	version, full := "1", 0
	b.answer("/photos/1.jpg", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"`+version+`"`)
		if r.Header.Get("If-None-Match") == `"`+version+`"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		full++
		_, _ = w.Write(drawn(version[0]))
	})
	b.reads(s, row("1", "QUILLFEATHER, WREN", "/photos/1.jpg"))
	b.pass()
	first := b.text(`select hash from published_photographs`)
	b.now = b.now.Add(25 * time.Hour)
	b.pass()
	require.Equal(t, []int{2, 1}, []int{b.timesAsked("/photos/1.jpg"), full})
	version = "2"
	b.now = b.now.Add(25 * time.Hour)
	b.pass()
	require.Equal(t, []int{3, 2}, []int{b.timesAsked("/photos/1.jpg"), full})
	require.NotEqual(t, first, b.text(`select hash from published_photographs`))
}
