package claim_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// clerkFile is what a court says at one instant.
type clerkFile struct {
	hour int
	rows []clerkRow
}

// clerkRow is one record: of a case, whole or in part, or of its parts alone. Numbers begin with a prefix of their trial.
type clerkRow struct {
	number, party string // an empty party: a removal for every one
	whole, kase   bool
	facts         snapshot.CaseFacts
	outcome       string
	hearings      []snapshot.HearingFacts
	removed       []string
	charge        string
	arrested      int // the day in December of the arrest; 0: not stated
	judge         string
}

func (c *clerkRow) row(prefix string, seen time.Time, line int) *snapshot.CourtRow {
	r := &snapshot.CourtRow{
		CaseKey: snapshot.CaseKey{CountyID: 29, CourtType: "state", Number: prefix + c.number, Party: c.party}, Whole: c.whole,
		Hearings: c.hearings, Removed: c.removed, Judge: c.judge, SeenAt: seen, Line: int64(line),
	}
	if c.kase {
		facts := c.facts
		r.Case = &facts
	}
	if c.outcome != "" {
		r.Dispositions = []snapshot.DispositionFacts{{Seq: 1, Date: models.Date{Year: 2026, Month: 2, Day: 2}, Outcome: c.outcome}}
	}
	if c.charge != "" {
		r.Charges = []snapshot.CaseCharge{{Seq: 1, Description: c.charge}}
		if c.arrested != 0 {
			r.Charges[0].ArrestDate = models.Date{Year: 2025, Month: 12, Day: c.arrested}
		}
	}
	r.Fingerprint = fmt.Append(nil, c.number, c.party, c.facts, c.outcome, c.hearings, c.charge, c.arrested)
	return r
}

// drawClerkRow draws a record.
func drawClerkRow(r *rapid.T) clerkRow {
	c := clerkRow{number: rapid.SampledFrom([]string{"A", "B"}).Draw(r, "number"), party: rapid.SampledFrom([]string{"1", "2"}).Draw(r, "party")}
	switch rapid.IntRange(0, 5).Draw(r, "kind") {
	case 5: // a judge, a hearing or a charge of a party, or of every one
		c.party = rapid.SampledFrom([]string{"", "1"}).Draw(r, "of")
		c.judge = rapid.SampledFrom([]string{"", "OAK", "ELM"}).Draw(r, "appointed")
		if rapid.Bool().Draw(r, "heard") {
			c.hearings = append(c.hearings, drawHearing(r, "5"))
		}
		c.charge = rapid.SampledFrom([]string{"", "ARSON", "DUI"}).Draw(r, "charge")
		return c
	case 0:
		c.party = ""
		c.removed = []string{rapid.SampledFrom([]string{"5", "6"}).Draw(r, "removed")}
		return c
	case 1:
		c.whole, c.kase = true, true
	case 2:
		c.kase = true
	}
	c.facts = snapshot.CaseFacts{
		Defendant: "QUILLFEATHER, WREN", Offense: rapid.SampledFrom([]string{"", "THEFT", "DUI"}).Draw(r, "offense"), Filed: rapid.SampledFrom([]models.Date{{}, {Year: 2026, Month: 1, Day: 5}}).Draw(r, "filed"),
		Status: rapid.SampledFrom([]string{"pending", "closed", "unknown"}).Draw(r, "status"), Judge: rapid.SampledFrom([]string{"", "FERN"}).Draw(r, "judge"),
		Withheld: rapid.SampledFrom([]models.WithheldReason{"", "", "", models.WithheldJuvenile}).Draw(r, "why"),
	}
	if c.kase {
		c.outcome = rapid.SampledFrom([]string{"", "PLEA", "DISMISSED"}).Draw(r, "outcome")
	}
	for _, event := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"5", "6", ""}), 0, 2, rapid.ID).Draw(r, "events") {
		c.hearings = append(c.hearings, drawHearing(r, event))
	}
	c.charge, c.arrested = rapid.SampledFrom([]string{"", "ARSON"}).Draw(r, "charge"), rapid.SampledFrom([]int{0, 1, 30}).Draw(r, "arrested")
	return c
}

// drawHearing draws a hearing with a number, or one that is known by its day and time.
func drawHearing(r *rapid.T, event string) snapshot.HearingFacts {
	h := snapshot.HearingFacts{
		Event: event, Date: models.Date{Year: 2026, Month: 4, Day: rapid.IntRange(1, 2).Draw(r, "day")},
		Time: rapid.SampledFrom([]string{"", "09:00", "10:30"}).Draw(r, "clock"), Judge: rapid.SampledFrom([]string{"", "ASH"}).Draw(r, "presides"),
	}
	h.StartsAt = h.Date.In(models.Georgia)
	if h.Time != "" {
		clock, _ := time.Parse("15:04", h.Time)
		h.StartsAt = h.StartsAt.Add(time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute)
	}
	if event == "" {
		h.Event = h.Date.String() + "T" + h.Time
	}
	return h
}

func drawFiles(r *rapid.T) []clerkFile {
	files := make([]clerkFile, rapid.IntRange(2, 5).Draw(r, "files"))
	for i := range files {
		files[i].hour = i + 1
		for range rapid.IntRange(1, 4).Draw(r, "rows") {
			files[i].rows = append(files[i].rows, drawClerkRow(r))
		}
	}
	return files
}

// court makes a court source.
func (b *bundle) court(t require.TestingT, id string) {
	b.exec(t, `insert into sources (id, title, kind, enabled) values ($1, $1, 'courts', true)`, id)
}

// read takes files of a court in, those of one group in one run.
func (b *bundle) read(t require.TestingT, source, prefix string, groups ...[]clerkFile) (last snapshot.Applied) {
	for _, files := range groups {
		b.now = b.now.Add(time.Minute)
		run, err := b.base.BeginRun(b.ctx, source, b.now)
		require.NoError(t, err)
		last, _, err = b.store.ReconcileCourts(b.ctx, snapshot.Reconciler{
			Header: snapshot.Header{SourceID: source, RunID: run, At: at(files[0].hour), Now: b.now},
			Prove:  func(n int) snapshot.Completeness { return snapshot.Completeness{Rows: n} },
			Exempt: func() snapshot.Exempt { return snapshot.Exempt{} },
		}, courtRows(prefix, files))
		require.NoError(t, err)
	}
	return last
}

func courtRows(prefix string, files []clerkFile) iter.Seq2[*snapshot.CourtRow, error] {
	return func(yield func(*snapshot.CourtRow, error) bool) {
		for _, f := range files {
			for i := range f.rows {
				if !yield(f.rows[i].row(prefix, at(f.hour), i+1), nil) {
					return
				}
			}
		}
	}
}

// cases is what the tables have of the cases of a trial.
func (b *bundle) cases(t require.TestingT, prefix string) string {
	s := b.text(t, `select coalesce(string_agg(concat_ws(' ', case_number, party, defendant, offense, filed_date, filed_inferred, status, judge, withheld,
  (select string_agg(concat_ws(' ', date, time, judge), ', ' order by starts_at, time, judge) from hearings h where h.case_id = c.id),
  (select string_agg(concat_ws(' ', seq, outcome), ', ' order by seq) from dispositions d where d.case_id = c.id),
  (select string_agg(concat_ws(' ', seq, description, arrest_date), ', ' order by seq) from case_charges x where x.case_id = c.id)), '; ' order by case_number, party), '')
 from court_cases c where starts_with(case_number, $1)`, prefix)
	return strings.ReplaceAll(s, prefix, "")
}

// storedCases tells every version of every row, so that it changes whenever anything is written.
func (b *bundle) storedCases(t require.TestingT) string {
	return b.text(t, `select coalesce(md5(string_agg(v, ' ' order by v)), '') from (select concat(tableoid, ctid, xmin) as v from court_cases union all select concat(tableoid, ctid, xmin) from hearings
 union all select concat(tableoid, ctid, xmin) from dispositions union all select concat(tableoid, ctid, xmin) from case_charges union all select concat(tableoid, ctid, xmin) from record_changes) x`)
}

// Files may arrive in any order, twice, and together or one by one. A rebuild in between finds nothing to do.
func TestAnyOrderOfACourtsFilesLeadsToTheSameCases(t *testing.T) {
	t.Parallel()
	b := setup(t)
	n := 0
	property.Check(t, 40, func(r *rapid.T) {
		files := drawFiles(r)
		order := rapid.Permutation(files).Draw(r, "order")
		again := order[rapid.IntRange(0, len(order)-1).Draw(r, "again")]
		cut := rapid.IntRange(0, len(order)-1).Draw(r, "together until")
		n++
		straight, mixed := fmt.Sprintf("s%d-", n), fmt.Sprintf("m%d-", n)
		b.court(r, straight)
		b.court(r, mixed)
		for _, f := range files {
			b.read(r, straight, straight, []clerkFile{f})
		}
		if cut > 0 {
			b.read(r, mixed, mixed, order[:cut])
		}
		for _, f := range order[cut:] {
			b.read(r, mixed, mixed, []clerkFile{f})
		}
		b.read(r, mixed, mixed, []clerkFile{again})
		require.Equal(r, b.cases(r, straight), b.cases(r, mixed))
		rebuilt, err := b.store.Rebuild(b.ctx, models.Courts, true)
		require.NoError(r, err)
		require.Empty(r, rebuilt.Changes)
		before := b.storedCases(r)
		b.read(r, mixed, mixed, []clerkFile{again})
		require.Equal(r, before, b.storedCases(r), "once more writes nothing")
	})
}

// A merge of cases can be undone: both are what they were, and stay so whatever two courts say meanwhile and next.
func TestAMergeOfCasesThatIsUndoneLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	n := 0
	property.Check(t, 40, func(r *rapid.T) {
		files, others := drawFiles(r), drawFiles(r)
		n++
		source, twin := fmt.Sprintf("s%d-", n), fmt.Sprintf("t%d-", n)
		for _, id := range []string{source, source + "other", twin, twin + "other"} {
			b.court(r, id)
		}
		// hours reads what both courts say from one hour to another, of the cases and of their twins.
		hours := func(from, to int) {
			for hour := from; hour < to; hour++ {
				for _, prefix := range []string{source, twin} {
					if hour < len(files) {
						b.read(r, prefix, prefix, files[hour:hour+1])
					}
					if hour < len(others) {
						b.read(r, prefix+"other", prefix, others[hour:hour+1])
					}
				}
			}
		}
		last := max(len(files), len(others))
		cut := rapid.IntRange(1, last-1).Draw(r, "merged after")
		hours(0, cut)
		id := func(number string) string {
			return b.text(r, `select coalesce((select 'case-' || k.slug || '-' || c.id from court_cases c join counties k on k.id = c.county_id where c.case_number = $1 and c.party = '1'), 'case-fulton-0')`, source+number)
		}
		kept, gone := id("A"), id("B")
		err := b.store.MergeCases(b.ctx, kept, gone)
		if models.CodeOf(err) == models.CodeNotFound {
			return // one of them is not there, or not to be merged
		}
		if kept == gone {
			return
		}
		require.NoError(r, err)
		back := rapid.IntRange(cut, last).Draw(r, "undone after")
		hours(cut, back)
		require.NoError(r, b.store.Unmerge(b.ctx, models.Courts, gone, "desk", "looked at"))
		hours(back, last)
		require.Equal(r, b.cases(r, twin), b.cases(r, source))
		rebuilt, err := b.store.Rebuild(b.ctx, models.Courts, true)
		require.NoError(r, err)
		require.Empty(r, rebuilt.Changes)
	})
}
