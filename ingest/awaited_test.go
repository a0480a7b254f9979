package ingest_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/ingest"
	"rollcall/internal/property"
	"rollcall/models"
	"rollcall/models/source"
)

// clerkLine is one record of the clerk's delta.
func clerkLine(kind string, fields ...string) string {
	return kind + "\tClarke\tMG\t" + strings.Join(fields, "\t") + "\t\n"
}

// clerkCase is a party of a case, disposed of on a day of February where outcome says how.
func clerkCase(number, party, outcome string) string {
	disposed := ""
	if outcome != "" {
		disposed = "02/02/2026"
	}
	return clerkLine("CA", party, number, "QUILLFEATHER", "WREN", "", "02/01/2026", disposed, "", "", "", "", "", "", outcome, "")
}

func clerkHearing(number, party, event, clock, cancelled string) string {
	return clerkLine("CE", party, number, event, "04/02/2026", clock, "ARR", "1A", "HON. A", "https://court.example.org/"+clock, "", cancelled)
}

func clerkRemoval(number, event string) string { return clerkLine("DE", number, event) }

// calendar lists what is published of the parties of a case: each with its dispositions, its hearings and the next one.
func (b *bundle) calendar(number string) (out []string) {
	b.Helper()
	page, err := b.store.ListCourtCases(b.Context(), models.CourtFilter{CaseNumber: &number}, models.Page{Limit: 50})
	require.NoError(b, err)
	for _, c := range page.Records {
		hearings, err := b.store.HearingsOf(b.Context(), []int64{c.Key})
		require.NoError(b, err)
		disposed, err := b.store.DispositionsOf(b.Context(), []int64{c.Key})
		require.NoError(b, err)
		line := one[string](b, `select party from court_cases where id = $1`, c.Key)
		for _, d := range disposed[c.Key] {
			line = fmt.Sprint(line, " ", d.Outcome)
		}
		for _, h := range hearings[c.Key] {
			line = fmt.Sprint(line, " ", *h.Time)
		}
		if c.NextHearing != nil {
			line += " next " + c.NextHearing.Format("15:04")
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

func TestGuarantee5ARowThatCameBeforeItsCaseIsTakenWhenTheCaseComes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.run("court-delta", "events.txt", clerkHearing("MG-1", "1", "5", "09:00", "")+clerkHearing("MG-2", "1", "6", "10:00", ""), day)
	require.Equal(t, []any{source.RunOK, 2, 0}, []any{r.State, r.Pending, r.Quarantined}, r.String())
	require.Equal(t, "2 rows wait for their cases, which no file has shown yet", r.Note)
	require.Equal(t, []source.PendingCount{{Family: models.Courts, Claims: 2, Last: day.UTC()}}, b.pending("court-delta"))
	sizes, err := b.store.QuarantineSizes(t.Context())
	require.NoError(t, err)
	require.Empty(t, sizes, "nobody has to look at them")

	r = b.run("court-delta", "first.txt", clerkCase("MG-1", "1", ""), day.AddDate(0, 0, 1))
	require.Equal(t, []any{1, 1, ""}, []any{r.New, r.Resolved, r.Note}, r.String())
	require.Equal(t, []string{"1 09:00 next 09:00"}, b.calendar("MG-1"))
	require.Equal(t, day.UTC(), one[time.Time](b, `select snapshot_at from hearings`).UTC(), "it speaks of the instant of its own file")
	runs := one[int](b, `select count(*) from runs where part_of is null`)
	r = b.run("court-delta", "second.txt", clerkCase("MG-2", "1", ""), day.AddDate(0, 0, 2))
	require.Equal(t, 1, r.Resolved, r.String())
	require.Equal(t, []string{"1 10:00 next 10:00"}, b.calendar("MG-2"))
	require.Zero(t, one[int](b, `select count(*) from quarantine`))
	require.Empty(t, b.pending("court-delta"))
	require.Equal(t, runs+1, one[int](b, `select count(*) from runs where part_of is null`), "nothing is read again")
	b.run("court-delta", "third.txt", clerkCase("MG-3", "1", ""), day.AddDate(0, 0, 3))
	require.Equal(t, runs+2, one[int](b, `select count(*) from runs where part_of is null`), "nothing waits any more")
}

func TestWhatIsNewerThanARowThatWaitedStays(t *testing.T) {
	t.Parallel()
	ca, ce := clerkCase("MG-1", "1", ""), clerkHearing("MG-1", "1", "5", "09:00", "")
	for name, c := range map[string]struct {
		files []string // in the order of their instants and of their loading
		want  []string
	}{
		"a hearing that was taken back since stays away":         {[]string{ce, clerkRemoval("MG-1", "5"), ca}, []string{"1"}},
		"a hearing that was moved since stays moved":             {[]string{ce, clerkHearing("MG-1", "1", "5", "11:00", ""), ca}, []string{"1 11:00 next 11:00"}},
		"the case itself stays as its newer file tells it":       {[]string{ce, ca, clerkCase("MG-1", "1", "DISMISSED")}, []string{"1 DISMISSED 09:00 next 09:00"}},
		"a party that is told of last lost the hearing as well":  {[]string{clerkHearing("MG-1", "2", "5", "09:00", ""), ca, clerkRemoval("MG-1", "5"), clerkCase("MG-1", "2", "")}, []string{"1", "2"}},
		"a hearing of another party waits for that party":        {[]string{clerkHearing("MG-1", "2", "5", "09:00", ""), ca}, []string{"1"}},
		"a hearing that is told anew after its removal is there": {[]string{ce, clerkRemoval("MG-1", "5"), ce, ca}, []string{"1 09:00 next 09:00"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for i, text := range c.files {
				b.run("court-delta", "delta.txt", text, day.AddDate(0, 0, i))
			}
			require.Equal(t, c.want, b.calendar("MG-1"))
		})
	}
}

func TestRowsWaitForACaseThatAnotherSourceTellsOf(t *testing.T) {
	t.Parallel()
	b := setup(t)
	court, err := ingest.Load("court-delta")
	require.NoError(t, err)
	b.runSource(court, "events.txt", clerkHearing("MG-1", "1", "5", "09:00", ""), day)
	other, err := ingest.Load("court-delta")
	require.NoError(t, err)
	other.ID = "other-clerk"
	b.runSource(other, "cases.txt", clerkCase("MG-1", "1", ""), day.AddDate(0, 0, 1))
	require.Equal(t, []string{"1 09:00 next 09:00"}, b.calendar("MG-1"), "at once, though its own source told nothing")
	require.Empty(t, b.pending("court-delta"))
}

// pending is what a source reported of cases or bookings that nobody has reported.
func (b *bundle) pending(id string) []source.PendingCount {
	b.Helper()
	counts, err := b.store.PendingCounts(b.Context(), id)
	require.NoError(b, err)
	for i := range counts {
		counts[i].Last = counts[i].Last.UTC()
	}
	return counts
}

// clerkRecord is one record of a file of the property test: of a case, a hearing or a removal.
type clerkRecord struct{ kind, party, event, says string }

func (c clerkRecord) line(number string) string {
	switch c.kind {
	case "CA":
		return clerkCase(number, c.party, c.says)
	case "CE":
		cancelled := ""
		if c.says == "cancelled" {
			return clerkHearing(number, c.party, c.event, "08:00", "Y")
		}
		return clerkHearing(number, c.party, c.event, c.says, cancelled)
	default:
		return clerkRemoval(number, c.event)
	}
}

// clerkModel is what files in the order of their instants tell of a case: the newest record of each thing counts.
func clerkModel(files [][]clerkRecord) (out []string) {
	for _, party := range []string{"1", "2"} {
		known, disposed, hearings := false, "", map[string]string{}
		for _, file := range files {
			for _, r := range file {
				switch {
				case r.kind == "DE":
					delete(hearings, r.event)
				case r.party != party:
				case r.kind == "CA":
					known, disposed = true, r.says
				case r.says == "cancelled":
					delete(hearings, r.event)
				default:
					hearings[r.event] = r.says
				}
			}
		}
		if !known {
			continue
		}
		line := party
		if disposed != "" {
			line += " " + disposed
		}
		var clocks []string
		for _, clock := range hearings {
			clocks = append(clocks, clock)
		}
		if slices.Sort(clocks); len(clocks) > 0 {
			line += " " + strings.Join(clocks, " ") + " next " + clocks[0]
		}
		out = append(out, line)
	}
	return out
}

// TestGuarantee5AnyOrderOfACourtsFilesConverges loads files of cases, hearings and removals in random order, some
// twice: what is published is what they tell in the order of their instants.
func TestGuarantee5AnyOrderOfACourtsFilesConverges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trial := 0
	property.Check(t, 30, func(r *rapid.T) {
		trial++
		number := "MG-" + strconv.Itoa(trial)
		records := rapid.Custom(func(r *rapid.T) clerkRecord {
			c := clerkRecord{kind: rapid.SampledFrom([]string{"CA", "CE", "CE", "DE"}).Draw(r, "kind"), party: rapid.SampledFrom([]string{"1", "2"}).Draw(r, "party"), event: rapid.SampledFrom([]string{"5", "6"}).Draw(r, "event")}
			switch c.kind {
			case "CA":
				c.says = rapid.SampledFrom([]string{"", "DISMISSED", "PLEA"}).Draw(r, "disposition")
			case "CE":
				c.says = rapid.SampledFrom([]string{"09:0" + c.event, "10:0" + c.event, "cancelled"}).Draw(r, "clock")
			}
			return c
		})
		files := rapid.SliceOfN(rapid.SliceOfN(records, 1, 3), 2, 6).Draw(r, "files")
		order := rapid.Permutation(indexes(len(files))).Draw(r, "order")
		order = append(order, rapid.SliceOfN(rapid.SampledFrom(order), 0, 2).Draw(r, "again")...)
		for _, i := range order {
			var text strings.Builder
			for _, c := range files[i] {
				text.WriteString(c.line(number))
			}
			// Each trial has days of its own, so that no file is the same as another trial's.
			b.run("court-delta", fmt.Sprintf("%d.txt", i), text.String(), day.Add(time.Duration(trial*10+i)*time.Minute))
		}
		require.Equal(r, clerkModel(files), b.calendar(number))
	})
}
