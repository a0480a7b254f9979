package court

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// mergedAt is a claim that an operator's merge brought.
func mergedAt(at int, c *Claim) *Claim {
	c.How, c.HowAt = resolve.Merged, noon(at)
	return c
}

func TestACaseIsWhatSeveralClaimsReport(t *testing.T) {
	t.Parallel()
	system := &resolve.Policy{ID: "before", Import: true}
	every := claimOf(court("clerk"), says(4).takesBack("5"))
	for name, c := range map[string]struct {
		claims, every []*Claim
		want          string
	}{
		"two courts, the newest value of each fact": {[]*Claim{
			claimOf(court("a"), says(1).about("offense=THEFT;status=pending"), says(4).about("offense=FRAUD;status=pending")),
			claimOf(court("b"), says(2).about("offense=ARSON;status=closed")),
		}, nil, "FRAUD closed"},
		"what a court repeats is no news": {[]*Claim{
			claimOf(court("a"), says(1).about("status=pending"), says(4).about("status=pending")),
			claimOf(court("b"), says(2).about("status=closed")),
		}, nil, "closed"},
		"hearings of two courts": {[]*Claim{
			claimOf(court("a"), says(1).about("").hears("5", "2 09:00")),
			claimOf(court("b"), says(2).about("").hears("9", "2 09:00").hears("10", "3 09:00")),
		}, nil, "pending, 5: 02 09:00, 10: 03 09:00"},
		"a whole row replaces nothing of another court": {[]*Claim{
			claimOf(court("a"), says(1).about("").hears("5", "2 09:00")),
			claimOf(court("b"), says(2).whole().about("").hears("5", "2 09:00"), says(3).whole().about("")),
		}, nil, "pending, 5: 02 09:00"},
		"but a removal does": {[]*Claim{
			claimOf(court("a"), says(1).about("").hears("5", "2 09:00")),
			claimOf(court("b"), says(2).about(""), says(3).takesBack("5")),
		}, nil, "pending"},
		"parts that another court reports": {[]*Claim{
			claimOf(court("a"), says(1).hears("5", "2 09:00")), claimOf(court("b"), says(2).about("")),
		}, nil, "pending, 5: 02 09:00"},
		"a removal for every party":                 {[]*Claim{claimOf(court("clerk"), says(1).about("").hears("5", "2 09:00"))}, []*Claim{every}, "pending"},
		"is older than a hearing that is told anew": {[]*Claim{claimOf(court("clerk"), says(5).about("").hears("5", "2 09:00"))}, []*Claim{every}, "pending, 5: 02 09:00"},
		"a takeover yields": {[]*Claim{
			claimOf(system, says(9).whole().about("offense=DUI;status=closed;judge=OAK;decided=PLEA").hears("", "2 09:00")),
			claimOf(court("a"), says(1).about("offense=THEFT").hears("7", "2 09:00")),
		}, nil, "THEFT pending OAK, 2026-04-02T09:00: 02 09:00"},
		"and its offense to charges": {[]*Claim{
			claimOf(system, says(9).whole().about("offense=DUI")), claimOf(court("a"), says(1).about("").charges(1, "ARSON")),
		}, nil, "ARSON pending"},
		"and its hearings to a whole row": {[]*Claim{
			claimOf(system, says(9).whole().about("").hears("", "2 09:00")), claimOf(court("a"), says(1).whole().about("")),
		}, nil, "pending"},
		"a merge leaves the facts of the one that stays": {[]*Claim{
			claimOf(court("a"), says(1).about("status=pending;judge=FERN;decided=PLEA")),
			mergedAt(5, claimOf(court("a"), says(2).about("status=closed;judge=OAK;decided=PLEA;decided=FINED").hears("5", "2 09:00"))),
		}, nil, "pending FERN, 5: 02 09:00, PLEA, FINED"},
		"what is told anew after it counts": {[]*Claim{
			claimOf(court("a"), says(1).about("status=pending;judge=FERN")),
			mergedAt(5, claimOf(court("a"), says(2).about("status=pending"), says(6).about("status=closed"))),
		}, nil, "closed FERN"},
		"who may not be shown under one number is not under the other": {[]*Claim{
			claimOf(court("a"), says(1).about("")),
			mergedAt(5, claimOf(court("a"), says(2).about("withheld=juvenile"))),
		}, nil, "pending, juvenile"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, shownCase(Resolve(Input{Claims: c.claims, EveryParty: c.every, Now: noon(9)})))
			slices.Reverse(c.claims)
			require.Equal(t, c.want, shownCase(Resolve(Input{Claims: c.claims, EveryParty: c.every, Now: noon(9)})), "in another order")
		})
	}
}

func TestAHearingKeepsTheIDThatTheCaseHasForIt(t *testing.T) {
	t.Parallel()
	k := claimOf(court("a"), says(1).about(""), says(4).hears("", "2 09:00"))
	s := Resolve(Input{Claims: []*Claim{k}})
	require.Equal(t, "2026-04-02T09:00", s.Hearings[0].ID)
	Tell(k, &says(2).hears("", "2").row, nil)
	require.Equal(t, "2026-04-02T09:00", Resolve(Input{Claims: []*Claim{k}, Before: s}).Hearings[0].ID, "an older name comes late")
	require.Equal(t, "2026-04-02T", Resolve(Input{Claims: []*Claim{k}}).Hearings[0].ID)
}

func TestTheHistoryOfACaseIsInTheFormOfTheTables(t *testing.T) {
	t.Parallel()
	k := claimOf(court("a"), says(1).about("offense=THEFT"))
	before := Resolve(Input{Claims: []*Claim{k}})
	row := says(2).about("offense=THEFT;decided=PLEA & MORE").hears("5", "2 09:00").hears("6", "3 09:00")
	row.row.Hearings[0].Judge, row.row.Hearings[0].Kind = `HON. "A"`, "PLEA"
	row.row.Hearings[1].Cancelled = true
	Tell(k, &row.row, nil)
	after := Resolve(Input{Claims: []*Claim{k}, Before: before})
	versions := resolve.Diff(before.Fields(), after.Fields())
	require.Len(t, versions, 3)
	require.Equal(t, "judge", versions[0].Field)
	require.Equal(t, []string{`{"date": "2026-04-02", "kind": "PLEA", "time": "09:00", "judge": "HON. \"A\"", "startsAt": "2026-04-02T13:00:00.000000Z"}`}, []string{*versions[1].After})
	require.Equal(t, "hearing 5", versions[1].Field)
	require.Equal(t, []string{`[{"date" : "2026-02-02", "outcome" : "PLEA & MORE", "sentence" : null}]`}, []string{*versions[2].After})
	require.True(t, after.Same(Resolve(Input{Claims: []*Claim{k}, Before: after})))
	require.False(t, before.Same(after))
}

// drawRow draws what a court says of a case at an instant.
func drawRow(r *rapid.T, at, line int) *clerk {
	c := says(at).line(line)
	if rapid.Bool().Draw(r, "whole") {
		c.whole()
	}
	if c.row.Whole || rapid.Bool().Draw(r, "case") {
		c.about(rapid.SampledFrom([]string{"", "offense=THEFT", "offense=DUI;status=closed", "status=unknown;judge=FERN", "judge=OAK;booking=B1", "bail=500", "bail=0", "decided=PLEA", "decided=PLEA;decided=FINED", "born=1980-03-04", "born=2010-03-05;withheld=juvenile", "withheld=maybe juvenile"}).Draw(r, "facts"))
	}
	if c.row.Case != nil && rapid.Bool().Draw(r, "unfiled") {
		c.unfiled()
	}
	if !c.row.Whole && rapid.Bool().Draw(r, "names a judge") {
		c.row.Judge = rapid.SampledFrom([]string{"ASH", "ELM"}).Draw(r, "judge")
	}
	for _, event := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"5", "6", "7", ""}), 0, 2, rapid.ID).Draw(r, "events") {
		if !c.row.Whole && rapid.Bool().Draw(r, "removed") {
			c.takesBack(event)
			continue
		}
		c.hears(event, rapid.SampledFrom([]string{"2", "2 09:00", "2 10:30", "3 09:00"}).Draw(r, "when"))
	}
	for seq := range rapid.IntRange(0, 2).Draw(r, "charges") {
		c.charges(int32(seq+1), rapid.SampledFrom([]string{"ARSON", "FRAUD"}).Draw(r, "charge"))
		c.row.Charges[seq].ArrestDate = rapid.SampledFrom([]models.Date{{}, {Year: 2025, Month: 12, Day: 30}}).Draw(r, "arrested")
	}
	return c
}

// stored is a claim as it comes back from the tables.
func stored(r rapid.TB, c *Claim) *Claim {
	text, err := json.Marshal(c.Facts)
	require.NoError(r, err)
	out := &Claim{Head: c.Head}
	require.NoError(r, json.Unmarshal(text, &out.Facts))
	return out
}

func TestAnyOrderAndRepetitionOfRowsGivesOneCase(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(r, "rows")
		rows := make([]*clerk, n)
		for i := range rows {
			rows[i] = drawRow(r, i, 1+i%2)
		}
		want := Resolve(Input{Claims: []*Claim{claimOf(court("a"), rows...)}, Now: noon(9)})
		order := rapid.Permutation(rows).Draw(r, "order")
		order = append(order, rapid.SliceOfN(rapid.SampledFrom(rows), 0, 3).Draw(r, "again")...)
		k := &Claim{Head: resolve.Head{Source: court("a"), How: resolve.Own, Present: true}}
		for _, row := range order {
			Tell(k, &row.row, nil)
			k = stored(r, k)
		}
		got := Resolve(Input{Claims: []*Claim{k}, Now: noon(9)})
		require.Equal(r, want, got)
		require.Equal(r, got, Resolve(Input{Claims: []*Claim{stored(r, k)}, Now: noon(9)}), "resolving is a function of the claims")
	})
}

func TestARowRepeatedUnchangedIsAsIfItWereFoldedInAgain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		row := drawRow(r, 2, 1).whole()
		if row.row.Case == nil {
			row.about("")
		}
		row.row.Removed = nil
		older, late := drawRow(r, 1, 1), drawRow(r, 4, 1)
		again := *row
		again.row.SeenAt = noon(5)
		folded := claimOf(court("a"), older, row, &again, late)
		refreshed := claimOf(court("a"), older, row)
		refreshed.Facts.Refresh(noon(5))
		Tell(refreshed, &late.row, nil)
		refreshed.Age, folded.Age = resolve.Evidence{}, resolve.Evidence{} // what hides is not taken back by a row that was not read
		require.Equal(r, shownCase(Resolve(Input{Claims: []*Claim{folded}})), shownCase(Resolve(Input{Claims: []*Claim{refreshed}})))
	})
}

func FuzzTell(f *testing.F) {
	f.Add("5", "2026-04-02T", "09:00", int64(1), true)
	f.Add("2026-04-02T09:00", "2026-04-02T00:00", "", int64(-3), false)
	f.Fuzz(func(t *testing.T, event, other, clock string, hours int64, whole bool) {
		c := &Claim{Head: resolve.Head{Source: court("a"), How: resolve.Own}}
		at := time.Unix(1770000000+hours%100000*3600, 0)
		day := models.Date{Year: 2026, Month: 4, Day: 2}
		for i, e := range []string{event, other, event} {
			row := &says(i).about("offense=" + other).row
			row.Whole, row.SeenAt = whole && i > 0, at.Add(time.Duration(i)*time.Hour)
			row.Hearings = []snapshot.HearingFacts{{Event: e, Date: day, Time: clock, StartsAt: day.In(models.Georgia)}}
			Tell(c, row, nil)
		}
		s := Resolve(Input{Claims: []*Claim{c}})
		if len(s.Hearings) == 0 || len(s.Hearings) > 2 {
			t.Fatalf("%d hearings of two names", len(s.Hearings))
		}
		if text := s.Hearings[0].text(); !json.Valid([]byte(*text)) {
			t.Fatalf("no JSON: %s", *text)
		}
		s.Fields()
	})
}

// A juvenile by one court and an adult by the date of birth of another is withheld for a review. A year is no date: it leaves
// the flag as it is.
func TestAFlagAndAnotherCourtsBirthOfAnAdultLeaveACaseToAReview(t *testing.T) {
	t.Parallel()
	const flag = "withheld=juvenile"
	for name, c := range map[string]struct {
		one, other string
		year       int16 // of the other
		want       models.WithheldReason
	}{
		"a flag and an adult's date":   {flag, "born=1985-03-05", 1985, models.WithheldMaybeJuvenile},
		"a flag and an adult's year":   {flag, "", 1985, models.WithheldJuvenile},
		"a flag and nothing":           {flag, "", 0, models.WithheldJuvenile},
		"a flag and a juvenile's date": {flag, "born=2010-03-05;withheld=juvenile", 2010, models.WithheldJuvenile},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, at := range [][2]int{{1, 2}, {2, 1}, {1, 1}} {
				second := says(at[1]).about(c.other)
				second.row.Case.BirthYear = c.year
				claims := []*Claim{claimOf(court("a"), says(at[0]).about(c.one)), claimOf(court("b"), second)}
				require.Equal(t, c.want, Resolve(Input{Claims: claims, Now: noon(9)}).Visibility.Withheld(), "at %v", at)
				slices.Reverse(claims)
				require.Equal(t, c.want, Resolve(Input{Claims: claims, Now: noon(9)}).Visibility.Withheld(), "in another order, at %v", at)
			}
		})
	}
}
