package calendar_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/calendar"
	"rollcall/models"
)

var benHill = &models.County{Slug: "ben-hill", Name: "Ben Hill"}

func courtCase() *models.CourtCase {
	return &models.CourtCase{Key: 17, CaseNumber: "26-CR 0417/A", Defendant: "DOE, JANE; ANN", CourtType: models.SuperiorCourt, County: benHill}
}

// unfolded gives the content lines of a calendar, checking how they are folded (RFC 5545, section 3.1).
func unfolded(t require.TestingT, text []byte) []string {
	require.True(t, utf8.Valid(text))
	require.True(t, strings.HasSuffix(string(text), "\r\n"))
	lines := strings.Split(strings.TrimSuffix(string(text), "\r\n"), "\r\n")
	var out []string
	for _, l := range lines {
		require.LessOrEqual(t, len(l), 75, l)
		require.True(t, utf8.ValidString(l), "a character is cut: %q", l)
		require.NotContains(t, l, "\n")
		if rest, more := strings.CutPrefix(l, " "); more {
			out[len(out)-1] += rest
		} else {
			out = append(out, l)
		}
	}
	return out
}

func TestACalendarIsWrittenAsRFC5545Says(t *testing.T) {
	t.Parallel()
	changed := time.Date(2026, 3, 1, 8, 30, 0, 0, time.UTC)
	lines := unfolded(t, calendar.Write(courtCase(), []models.CalendarEvent{
		{
			Event: "7", StartsAt: time.Date(2026, 7, 14, 9, 30, 0, 0, models.Georgia), Kind: new("Arraignment"), Judge: new("Hon. A, Example"), Location: new(`Room 2B; "East\West"`),
			Link: new("https://court.example/j/1?a=b"), Revision: 2, Changed: changed,
		},
		{Event: "8", StartsAt: time.Date(2026, 12, 1, 0, 0, 0, 0, models.Georgia), WholeDay: true, Changed: changed},
		{Event: "10", StartsAt: time.Date(2026, 12, 2, 9, 0, 0, 0, models.Georgia), Link: new("https://court.example/26-CR 0417/A?case=26-CR 0417/A&of=Núñez&at=10%3A00"), Changed: changed},
		{Event: "9", StartsAt: time.Date(2005, 4, 2, 9, 0, 0, 0, models.Georgia), Cancelled: true, Link: new("javascript:alert(1)"), Changed: changed},
	}))
	text := strings.Join(lines, "\n")
	require.Equal(t, []string{"BEGIN:VCALENDAR", "VERSION:2.0"}, lines[:2])
	require.Equal(t, "END:VCALENDAR", lines[len(lines)-1])
	for _, want := range []string{
		"BEGIN:VTIMEZONE\nTZID:America/New_York\n", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
		"DTSTAMP:20260301T083000Z\nLAST-MODIFIED:20260301T083000Z\nSEQUENCE:2\nDTSTART;TZID=America/New_York:20260714T093000\nSUMMARY:Arraignment\\, 26-CR 0417/A\nSTATUS:CONFIRMED\n",
		`LOCATION:Room 2B\; "East\\West"`, "URL:https://court.example/j/1?a=b\n",
		"URL:https://court.example/26-CR%200417/A?case=26-CR%200417/A&of=N%C3%BA%C3%B1ez&at=10%3A00\n",
		`DESCRIPTION:Superior Court of Ben Hill County\nDefendant: DOE\, JANE\; ANN\nJudge: Hon. A\, Example\nVirtual hearing: `,
		"SEQUENCE:0\nDTSTART;VALUE=DATE:20261201\nSUMMARY:Hearing\\, 26-CR 0417/A\n", `The court states no time.`,
		"DTSTART:20050402T140000Z\nSUMMARY:Cancelled: Hearing\\, 26-CR 0417/A\nSTATUS:CANCELLED\n",
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "URL:javascript")
	require.NotContains(t, text, "DTEND", "how long a hearing takes is not known")
	require.Equal(t, 4, strings.Count(text, "\nUID:"))
}

func TestAHearingKeepsItsUIDWhateverChanges(t *testing.T) {
	t.Parallel()
	uids := func(events ...models.CalendarEvent) (out []string) {
		for _, l := range unfolded(t, calendar.Write(courtCase(), events)) {
			if strings.HasPrefix(l, "UID:") {
				out = append(out, l)
			}
		}
		return out
	}
	first := uids(models.CalendarEvent{Event: "7"}, models.CalendarEvent{Event: "8"})
	require.NotEqual(t, first[0], first[1])
	require.Equal(t, first[:1], uids(models.CalendarEvent{Event: "7", StartsAt: time.Now(), Revision: 4, Cancelled: true, Judge: new("Hon. B")}))
}

// TestNoTextBreaksACalendar puts any text into every place and reads it back.
func TestNoTextBreaksACalendar(t *testing.T) {
	t.Parallel()
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\,`, ",", `\;`, ";")
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringN(0, 120, -1).Draw(r, "text")
		lines := unfolded(r, calendar.Write(courtCase(), []models.CalendarEvent{{Event: text, Kind: &text, Judge: &text, Location: &text, Link: &text}}))
		want := strings.Map(func(c rune) rune {
			switch {
			case c == '\r':
				return '\n'
			case c < ' ' && c != '\n' && c != '\t' || c == 0x7f:
				return -1
			}
			return c
		}, strings.ReplaceAll(text, "\r\n", "\n"))
		for _, l := range lines {
			if value, found := strings.CutPrefix(l, "LOCATION:"); found {
				require.Equal(r, want, unescape.Replace(value))
			}
		}
		require.Equal(r, 1, strings.Count(strings.Join(lines, "\n"), "END:VEVENT\n"))
	})
}
