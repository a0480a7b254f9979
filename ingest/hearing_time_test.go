package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

// TestAHearingWithoutATimeThatGetsOneStaysThatHearing follows a hearing without a number from its day alone to its time,
// and to its end.
func TestAHearingWithoutATimeThatGetsOneStaysThatHearing(t *testing.T) {
	t.Parallel()
	for _, untimed := range []string{`{"day": "2026-04-01"}`, `{"day": "2026-04-01", "clock": "00:00"}`} {
		t.Run(untimed, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s, err := ingest.Parse([]byte(strings.NewReplacer("POLICY", "delta", "ABSENCE", "nothing").Replace(fadingCases)))
			require.NoError(t, err)
			days := 0
			calendar := func(hearings ...string) string {
				days++
				hearings = append(hearings, `{"day": "2026-05-01", "clock": "10:00"}`)
				r := b.runSource(s, "a.json", cases(`"status": "P", "hearings": [`+strings.Join(hearings, ",")+`]`), day.AddDate(0, 0, days))
				require.Equal(t, source.RunOK, r.State, r.String())
				c, err := b.store.OneCourtCase(t.Context(), "26-CR-1", nil)
				require.NoError(t, err)
				events, err := b.store.CalendarOf(t.Context(), c)
				require.NoError(t, err)
				var shown []string
				for _, e := range events {
					text := e.StartsAt.Format("01-02 15:04")
					if e.WholeDay {
						text = e.StartsAt.Format("01-02")
					}
					if e.Cancelled {
						text += " off"
					}
					shown = append(shown, fmt.Sprintf("%s v%d", text, e.Revision))
				}
				return strings.Join(shown, ", ")
			}
			require.Equal(t, "04-01 v0, 05-01 10:00 v0", calendar(untimed))
			require.Equal(t, "04-01 09:30 v1, 05-01 10:00 v0", calendar(`{"day": "2026-04-01", "clock": "09:30"}`), "it is no other one, and none was taken back")
			require.Equal(t, 3, one[int](b, `select count(*) from record_changes where before is not null and after is not null`), "one version in each of the three cases")
			require.Equal(t, "04-01 09:30 off v2, 05-01 10:00 v0", calendar())
			require.Equal(t, "04-01 09:30 off v2, 04-02 v1, 05-01 10:00 v0", calendar(`{"day": "2026-04-02"}`))
			require.Equal(t, "04-01 09:30 off v2, 04-02 off v2, 05-01 10:00 v0", calendar(), "whose time was never told")
			two := calendar(`{"day": "2026-04-03"}`)
			require.Contains(t, two, "04-03 v1")
			two = calendar(`{"day": "2026-04-03", "clock": "09:00"}`, `{"day": "2026-04-03", "clock": "11:00"}`)
			require.Contains(t, two, "04-03 off v2, 04-03 09:00 v1, 04-03 11:00 v1", "which of the two it became nobody knows")
		})
	}
}

// TestAHearingOfADeltaGetsItsTime is the same of a court that tells its hearings one by one: the one of the day alone does
// not stay beside it.
func TestAHearingOfADeltaGetsItsTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ce := func(date, clock string) string {
		return "CE\tClarke\tMG\t1\tMG-1\t\t" + date + "\t" + clock + "\tARR\t1A\tHON. A\t\t\t\t\n"
	}
	hearings := func(text string, hours int) string {
		b.run("court-delta", "a.txt", text, day.Add(time.Duration(hours)*time.Hour))
		return one[string](b, `select string_agg(concat_ws(' ', date, time), ', ' order by starts_at) from hearings`)
	}
	require.Equal(t, "2026-03-02", hearings("CA\tClarke\tMG\t1\tMG-1\tQUILLFEATHER\tWREN\t\t02/01/2026\t\t\t\t\t\t\t\t\t\t\n"+ce("03/02/2026", ""), 1))
	require.Equal(t, "2026-03-02 10:00", hearings(ce("03/02/2026", "10:00"), 3))
	require.Equal(t, "2026-03-02 10:00, 2026-03-03", hearings(ce("03/03/2026", ""), 5))
	require.Equal(t, "2026-03-02 10:00, 2026-03-03, 2026-03-03 09:00", hearings(ce("03/03/2026", "09:00"), 4), "a late file does not say what became of it")
}
