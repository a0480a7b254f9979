package court

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// noon is the instant of the row n of a test.
func noon(n int) time.Time { return time.Date(2026, 2, 1, 12+n, 0, 0, 0, time.UTC) }

// clerk builds rows of one party of a case.
type clerk struct{ row snapshot.CourtRow }

func says(at int) *clerk {
	return &clerk{snapshot.CourtRow{CaseKey: snapshot.CaseKey{CountyID: 1, CourtType: "state", Number: "26-CR-1", Party: "1"}, SeenAt: noon(at), Line: 1}}
}

func (c *clerk) whole() *clerk { c.row.Whole = true; return c }

func (c *clerk) line(n int) *clerk { c.row.Line = int64(n); return c }

// about sets facts of the case: name=value, separated by semicolons.
func (c *clerk) about(facts string) *clerk {
	f := &snapshot.CaseFacts{Defendant: "ROE, RAY", Filed: models.Date{Year: 2026, Month: 1, Day: 5}, Status: "pending"}
	for part := range strings.SplitSeq(facts, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "name":
			f.Defendant = value
		case "offense":
			f.Offense = value
		case "status":
			f.Status = value
		case "judge":
			f.Judge = value
		case "link":
			f.HearingLink = value
		case "bail":
			cents, _ := strconv.ParseInt(value, 10, 64)
			cents *= 100
			f.BailCents = &cents
		case "booking":
			f.BookingKey = value
		case "withheld":
			f.Withheld = models.WithheldReason(value)
		case "born":
			d, _ := models.ParseDate(value)
			f.DOB, f.BirthYear = &d, int16(d.Year)
		case "decided":
			c.row.Dispositions = append(c.row.Dispositions, snapshot.DispositionFacts{Seq: int16(len(c.row.Dispositions) + 1), Date: models.Date{Year: 2026, Month: 2, Day: 2}, Outcome: value})
		}
	}
	c.row.Case = f
	return c
}

// unfiled takes the day of filing out of the facts of the case.
func (c *clerk) unfiled() *clerk { c.row.Case.Filed = models.Date{}; return c }

// appoints names the judge of the case in a record of its own.
func (c *clerk) appoints(judge string) *clerk { c.row.Judge = judge; return c }

// hears adds a hearing in April: a day, or a day and a time, under a number or none.
func (c *clerk) hears(event, when string) *clerk {
	day, clock, _ := strings.Cut(when, " ")
	n, _ := strconv.Atoi(day)
	h := snapshot.HearingFacts{Event: event, Date: models.Date{Year: 2026, Month: 4, Day: n}, Time: clock}
	h.StartsAt = h.Date.In(models.Georgia)
	if clock != "" {
		t, _ := time.Parse("15:04", clock)
		h.StartsAt = h.StartsAt.Add(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute)
	}
	if event == "" {
		h.Event = dayAndTime(&h)
	}
	c.row.Hearings = append(c.row.Hearings, h)
	return c
}

func (c *clerk) charges(seq int32, text string) *clerk {
	c.row.Charges = append(c.row.Charges, snapshot.CaseCharge{Seq: seq, Description: text})
	return c
}

func (c *clerk) takesBack(event string) *clerk {
	c.row.Removed = append(c.row.Removed, event)
	return c
}

// court is a source of these tests.
func court(id string) *resolve.Policy { return &resolve.Policy{ID: id} }

// claimOf folds rows of one source in turn.
func claimOf(source *resolve.Policy, rows ...*clerk) *Claim {
	c := &Claim{Head: resolve.Head{Source: source, How: resolve.Own, Present: true}}
	for _, r := range rows {
		Tell(c, &r.row, nil)
	}
	return c
}

// shownCase is a case in a line.
func shownCase(s *State) string {
	if s == nil {
		return "nothing"
	}
	out := []string{strings.TrimSpace(s.Offense + " " + s.Status + " " + s.Judge)}
	for _, h := range s.Hearings {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s: %02d %s", h.ID, h.Date.Day, h.Time)))
	}
	for _, d := range s.Dispositions {
		out = append(out, d.Outcome)
	}
	if s.Own != models.Published {
		out = append(out, string(s.Own))
	}
	return strings.Join(out, ", ")
}

func TestACaseIsWhatItsCourtReported(t *testing.T) {
	t.Parallel()
	known := func() *clerk { return says(1).about("offense=THEFT") }
	for name, c := range map[string]struct {
		rows []*clerk
		want string
	}{
		"parts alone are no case":                {[]*clerk{says(1).hears("5", "2 09:00")}, "nothing"},
		"a part that came before its case":       {[]*clerk{says(1).hears("5", "2 09:00"), says(2).about("offense=THEFT")}, "THEFT pending, 5: 02 09:00"},
		"a hearing is taken back":                {[]*clerk{known().hears("5", "2 09:00"), says(2).takesBack("5")}, "THEFT pending"},
		"a late hearing stays taken back":        {[]*clerk{known(), says(3).takesBack("5"), says(2).hears("5", "2 09:00")}, "THEFT pending"},
		"a hearing is told anew":                 {[]*clerk{known(), says(3).takesBack("5"), says(4).hears("5", "2 09:00")}, "THEFT pending, 5: 02 09:00"},
		"of one instant the later line counts":   {[]*clerk{known(), says(2).takesBack("5").line(9), says(2).hears("5", "2 09:00").line(8)}, "THEFT pending"},
		"a whole row replaces older parts":       {[]*clerk{known().hears("5", "2 09:00").charges(1, "ARSON"), says(2).whole().about("offense=THEFT").hears("6", "3 09:00")}, "THEFT pending, 6: 03 09:00"},
		"and leaves newer ones":                  {[]*clerk{known(), says(3).hears("5", "2 09:00"), says(2).whole().about("offense=THEFT")}, "THEFT pending, 5: 02 09:00"},
		"a late part that a whole row lacks":     {[]*clerk{says(3).whole().about("offense=THEFT"), says(2).hears("5", "2 09:00")}, "THEFT pending"},
		"a delta leaves what it does not say":    {[]*clerk{known(), says(2).about("judge=FERN"), says(3).about("status=unknown")}, "THEFT pending FERN"},
		"a whole row takes the judge back":       {[]*clerk{says(1).whole().about("judge=FERN"), says(2).whole().about("")}, "pending"},
		"an unknown status keeps the known one":  {[]*clerk{says(1).about("status=closed"), says(2).about("status=unknown")}, "closed"},
		"also in another order":                  {[]*clerk{says(2).about("status=unknown"), says(1).about("status=closed")}, "closed"},
		"the first charge is the offense":        {[]*clerk{says(1).about("").charges(2, "DUI").charges(1, "ARSON")}, "ARSON pending"},
		"a blank takes no offense back":          {[]*clerk{known(), says(2).about("").charges(1, "DUI")}, "THEFT pending"},
		"what is decided is told as a list":      {[]*clerk{says(1).about("decided=PLEA;decided=FINED"), says(2).about("decided=PLEA")}, "pending, PLEA"},
		"a birth hides in any order":             {[]*clerk{says(2).about(""), says(1).about("born=2010-03-05;withheld=juvenile")}, "pending, juvenile"},
		"a part leaves what is decided":          {[]*clerk{says(1).about("decided=PLEA"), says(2).hears("5", "2 09:00")}, "pending, 5: 02 09:00, PLEA"},
		"a hearing of one day gets its time":     {[]*clerk{known().hears("", "2"), says(2).hears("", "2 09:00")}, "THEFT pending, 2026-04-02T: 02 09:00"},
		"and in whole rows":                      {[]*clerk{known().whole().hears("", "2 00:00"), says(2).whole().about("offense=THEFT").hears("", "2 09:00")}, "THEFT pending, 2026-04-02T00:00: 02 09:00"},
		"told beside it, it is another":          {[]*clerk{known().hears("", "2"), says(2).hears("", "2").hears("", "2 09:00")}, "THEFT pending, 2026-04-02T: 02, 2026-04-02T09:00: 02 09:00"},
		"which of two it became nobody knows":    {[]*clerk{known().whole().hears("", "2"), says(2).whole().about("offense=THEFT").hears("", "2 09:00").hears("", "2 11:00")}, "THEFT pending, 2026-04-02T09:00: 02 09:00, 2026-04-02T11:00: 02 11:00"},
		"one taken back before gets no time":     {[]*clerk{known().hears("", "2"), says(2).takesBack("2026-04-02T"), says(3).hears("", "2 09:00")}, "THEFT pending, 2026-04-02T09:00: 02 09:00"},
		"a day told after the time is another":   {[]*clerk{known().hears("", "2"), says(3).hears("", "2"), says(2).hears("", "2 09:00")}, "THEFT pending, 2026-04-02T: 02, 2026-04-02T09:00: 02 09:00"},
		"a hearing gets its number":              {[]*clerk{known().hears("", "2 09:00"), says(2).hears("7", "2 09:00")}, "THEFT pending, 2026-04-02T09:00: 02 09:00"},
		"and is the same when it is moved":       {[]*clerk{known().hears("", "2 09:00"), says(2).hears("7", "2 09:00"), says(3).hears("7", "9 10:00")}, "THEFT pending, 2026-04-02T09:00: 09 10:00"},
		"and is gone when it is taken back":      {[]*clerk{known().hears("", "2 09:00"), says(2).hears("7", "2 09:00"), says(3).takesBack("7")}, "THEFT pending"},
		"from its day to its time to its number": {[]*clerk{known().hears("", "2"), says(2).hears("", "2 09:00"), says(3).hears("7", "2 09:00")}, "THEFT pending, 2026-04-02T: 02 09:00"},
		"and keeps its id when it is told anew":  {[]*clerk{known().whole().hears("", "2 09:00"), says(2).whole().about("").hears("7", "2 09:00"), says(3).takesBack("7"), says(4).hears("7", "2 09:00")}, "THEFT pending, 2026-04-02T09:00: 02 09:00"},
		"a number of before is another hearing":  {[]*clerk{known().hears("6", "3 09:00"), says(2).whole().about("").hears("", "2 09:00"), says(3).hears("6", "2 09:00")}, "THEFT pending, 2026-04-02T09:00: 02 09:00, 6: 02 09:00"},
		"also when the row in between is late":   {[]*clerk{known().hears("6", "3 09:00"), says(3).hears("6", "2 09:00"), says(2).whole().about("").hears("", "2 09:00")}, "THEFT pending, 2026-04-02T09:00: 02 09:00, 6: 02 09:00"},
		"two hearings at one time are two":       {[]*clerk{known().hears("7", "2 09:00").hears("8", "2 09:00")}, "THEFT pending, 7: 02 09:00, 8: 02 09:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, shownCase(Resolve(Input{Claims: []*Claim{claimOf(court("clerk"), c.rows...)}, Now: noon(9)})))
		})
	}
}

func TestTheJudgeOfACaseIsThatOfItsNewestHearing(t *testing.T) {
	t.Parallel()
	presides := func(c *clerk, judge string) *clerk { c.row.Hearings[0].Judge = judge; return c }
	for name, c := range map[string]struct {
		rows []*clerk
		want string
	}{
		"where the case names none":      {[]*clerk{says(1).about(""), presides(says(2).hears("5", "2 09:00"), "ASH"), presides(says(3).hears("6", "1 09:00"), "ELM")}, "ASH"},
		"or named one before":            {[]*clerk{says(1).about("judge=FERN"), presides(says(2).hears("5", "2 09:00"), "ASH")}, "ASH"},
		"but not since":                  {[]*clerk{presides(says(1).hears("5", "2 09:00"), "ASH"), says(2).about("judge=FERN")}, "FERN"},
		"a whole row says it all":        {[]*clerk{presides(says(1).whole().about("").hears("5", "2 09:00"), "ASH")}, ""},
		"of one instant the case counts": {[]*clerk{says(1).about("judge=FERN"), presides(says(1).hears("5", "2 09:00").line(9), "ASH")}, "FERN"},
		"a record of its own names one":  {[]*clerk{says(1).about("judge=FERN"), says(2).appoints("OAK"), says(3).about("")}, "OAK"},
		"also before its case":           {[]*clerk{says(1).appoints("OAK"), says(2).about("")}, "OAK"},
		"until the case names another":   {[]*clerk{says(3).about("judge=FERN"), says(2).appoints("OAK")}, "FERN"},
		"one that was taken back counts": {[]*clerk{says(1).about(""), presides(says(2).hears("5", "2 09:00"), "ASH"), says(3).takesBack("5")}, "ASH"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, Resolve(Input{Claims: []*Claim{claimOf(court("clerk"), c.rows...)}}).Judge)
		})
	}
}

func TestMissingFieldsOfACaseStayAsTheyAreKnown(t *testing.T) {
	t.Parallel()
	first := says(1).whole().about("offense=THEFT;judge=FERN;link=https://court.example/1;decided=PLEA").hears("5", "2 09:00").charges(1, "ARSON")
	first.row.Charges[0].Statute, first.row.Dispositions[0].Sentence, first.row.Hearings[0].Kind = "16-7-60", "12 MONTHS", "PLEA"
	for name, c := range map[string]struct {
		missing []string
		row     *clerk
	}{
		"judge and link":          {[]string{"case.judge", "case.link"}, says(2).whole().about("offense=THEFT;decided=PLEA").hears("5", "2 09:00").charges(1, "ARSON")},
		"charges":                 {[]string{"case.judge", "case.link", "charge.description", "charge.statute"}, says(2).whole().about("offense=THEFT;decided=PLEA").hears("5", "2 09:00")},
		"hearings and decisions":  {[]string{"case.judge", "case.link", "hearing.date", "case.disposition"}, says(2).whole().about("offense=THEFT").charges(1, "ARSON")},
		"numbers of hearings":     {[]string{"case.judge", "case.link", "hearing.event"}, says(2).whole().about("offense=THEFT;decided=PLEA").hears("", "2 09:00").charges(1, "ARSON")},
		"times and numbers":       {[]string{"case.judge", "case.link", "hearing.event", "hearing.time"}, says(2).whole().about("offense=THEFT;decided=PLEA").hears("", "2").charges(1, "ARSON")},
		"nothing that is missing": {[]string{"case.offense"}, says(2).whole().about("offense=THEFT;judge=FERN;link=https://court.example/1;decided=PLEA").hears("5", "2 09:00").charges(1, "ARSON")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := claimOf(court("clerk"), first)
			before := Resolve(Input{Claims: []*Claim{k}})
			missing := append(slices.Clone(c.missing), "charge.statute", "case.sentence", "hearing.kind")
			completed := Tell(k, &c.row.row, missing)
			require.True(t, completed)
			require.Empty(t, resolve.Diff(before.Fields(), Resolve(Input{Claims: []*Claim{k}, Before: before}).Fields()))
			require.Equal(t, before.Charges, k.Facts.Charges.Standing())
		})
	}
}
