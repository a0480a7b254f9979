package bulletin

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/models"
)

func TestATitleNamesNoBirthNoChargesAndNoBond(t *testing.T) {
	t.Parallel()
	bond, before := int64(125050), int64(98700)
	e := &Event{
		ID: "evt_1", Kind: models.EventBondChange, Name: "DOE, JANE", County: "Fulton", RecordID: "fulton-2026-000001",
		BookedAt: time.Date(2026, 3, 8, 1, 30, 0, 0, models.Georgia), Charges: []string{"THEFT"}, Bond: models.Bond{Cents: &bond}, BeforeCents: &before,
		Dob: &models.Date{Year: 1981, Month: 2, Day: 3}, BirthYear: new(1981),
	}
	for kind := range did {
		e.Kind, e.Source = kind, nil
		if kind == models.EventSourceStale || kind == models.EventSourceRecovered {
			e.Source = &Source{Title: "Jail", Counties: []string{"Fulton"}}
		}
		title := e.Title()
		require.NotContains(t, title, "THEFT")
		require.NotContains(t, title, "1250")
		require.NotContains(t, title, "987")
		require.NotContains(t, title+e.Happened(), "1981")
		require.NotContains(t, e.Happened(), "Something", kind)
	}
	e.Source = nil
	e.Kind = models.EventBondChange
	require.Contains(t, e.Facts(), Fact{"Bond", "$1,250.50, before: $987"}, "the text has them")
	require.Contains(t, e.Facts(), Fact{"Born", "Feb 3, 1981"})
	e.BeforeCents = nil
	require.Contains(t, e.Facts(), Fact{"Bond", "$1,250.50, before: no amount"})
	e.Kind, e.Dob = models.EventRelease, nil
	require.Contains(t, e.Facts(), Fact{"Bond", "$1,250.50"}, "of what is no change of a bond, the bond alone")
	require.Contains(t, e.Facts(), Fact{"Born", "1981"}, "a year alone")
	e.BirthYear = nil
	require.Contains(t, e.Facts(), Fact{"Born", "not stated by the jail"})
	e.Dob = &models.Date{Year: 1981, Month: 2, Day: 3}
	e.Kind = models.EventWithheld
	require.Equal(t, "Record no longer shown", e.Title())
	require.Empty(t, e.Facts(), "a withheld record has no facts")
	require.NotContains(t, e.Happened(), "DOE")
}

func TestWhatASourceSendsStaysOneLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"DOE\r\nBcc: all@example.org": "DOE Bcc: all@example.org", "A\u202eB\u2066C": "ABC", " a \t b\x00 ": "a b", "": "", "é\u00a0ü": "é ü",
		strings.Repeat("x", 40): strings.Repeat("x", 27) + "…",
	} {
		require.Equal(t, want, Line(in, 28))
	}
}

func TestALineIsBoundedTextWhateverItWas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "in")
		out := Line(in, 10)
		if !utf8.ValidString(out) || utf8.RuneCountInString(out) > 10 || strings.ContainsAny(out, "\r\n\x00") {
			t.Fatalf("%q became %q", in, out)
		}
	})
}

func TestFreshnessSaysWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	require.Equal(t, "Bibb County was last read on Tue, Mar 10, 2026, 11:00 AM EDT.", Fresh("Bibb", models.Freshness{AsOf: &at}))
	require.Contains(t, Fresh("Bibb", models.Freshness{AsOf: &at, Stale: []string{"bibb"}}), "what happened since is not known")
	require.Contains(t, Fresh("Bibb", models.Freshness{}), "has not been read yet")
}

func TestANoticeAboutASourceSaysWhatIsNotNoticed(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	read := at.Add(-4 * time.Hour)
	e := &Event{ID: "evt_1", Kind: models.EventSourceStale, At: at, Source: &Source{Title: "Jail", Counties: []string{"Ben Hill"}, LastRead: &read, Watchers: 2}}
	require.False(t, e.AboutPerson())
	require.Equal(t, "No data from Ben Hill County: alerts may be missed", e.Title())
	require.Contains(t, e.Happened(), "someone may be booked or released there without an alert")
	require.Equal(t, []Fact{
		{"Source", "Jail"},
		{"Counties", "Ben Hill"},
		{"Last read", "Tue, Mar 10, 2026, 7:00 AM EDT"},
		{"Alerts that depend on it", "2"},
		{"Noticed", "Tue, Mar 10, 2026, 11:00 AM EDT"},
	}, e.Facts())
	for where, counties := range map[string][]string{"Jail": nil, "Bibb, Cobb counties": {"Bibb", "Cobb"}, "4 counties": {"A", "B", "C", "D"}} {
		e.Source.Counties = counties
		require.Equal(t, "No data from "+where+": alerts may be missed", e.Title())
	}
	e.Source.Counties = nil
	require.Contains(t, e.Facts(), Fact{"Counties", "all"})
	e.Kind = models.EventSourceRecovered
	require.Equal(t, "Data is back: Jail", e.Title())
	require.Contains(t, e.Happened(), "may be missing")
}

func TestAReleaseThatNobodyReportedIsNotToldAsAFact(t *testing.T) {
	t.Parallel()
	e := &Event{Kind: models.EventRelease, Name: "DOE, JANE", County: "Fulton", Release: &models.Release{At: time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)}}
	const at = "Sun, Mar 8, 2026, 8:00 AM EDT"
	for basis, expected := range map[models.ReleaseBasis][3]string{
		models.ReleaseReported: {"Released: DOE, JANE, Fulton County", "Released from the jail of Fulton County on " + at + ".", "Released"},
		models.ReleaseUntimed: {
			"Released: DOE, JANE, Fulton County", "Released from the jail of Fulton County about " + at + ". The jail did not report the time.", "Released about",
		},
		models.ReleaseAbsent: {
			"No longer listed: DOE, JANE, Fulton County", "The jail of Fulton County no longer lists this person. It did not report a release. " +
				"If there was one, its estimated time is " + at + ".", "No longer listed since",
		},
	} {
		e.Release.Basis = basis
		require.Equal(t, expected[0], e.Title())
		require.Equal(t, expected[1], e.Happened())
		require.Contains(t, e.Facts(), Fact{expected[2], at})
	}
	e.Kind, e.Release = models.EventRetraction, nil
	require.Contains(t, e.Happened(), "said that the person was released or no longer listed.", "the message may have told either")
}

func TestADayOfWhichTheJailStatedNoTimeIsSaidWithoutOne(t *testing.T) {
	t.Parallel()
	day := models.Date{Year: 2026, Month: 11, Day: 29}.In(models.Georgia)
	e := &Event{Kind: models.EventBooking, Name: "DOE, JANE", County: "Bartow", BookedAt: day.UTC(), At: day}
	require.Equal(t, "Booked into the jail of Bartow County on Sun, Nov 29, 2026.", e.Happened())
	require.Contains(t, e.Facts(), Fact{"Booked", "Sun, Nov 29, 2026"})
	require.Contains(t, e.Facts(), Fact{"Noticed", "Sun, Nov 29, 2026, 12:00 AM EST"}, "a time of ours is never a day alone")
	e.BookedAt = day.Add(time.Second)
	require.Contains(t, e.Happened(), "on Sun, Nov 29, 2026, 12:00 AM EST.")
	e.Kind, e.Release = models.EventRelease, &models.Release{At: day, Basis: models.ReleaseReported}
	require.Equal(t, "Released from the jail of Bartow County on Sun, Nov 29, 2026.", e.Happened())
}
