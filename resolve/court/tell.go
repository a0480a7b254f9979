package court

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Tell folds a row into what a source reports of a case. Facts and parts that a newer row reported stay, whatever the order
// in which rows come. What a row leaves out stays too, unless the row reports the whole case. So any order and repetition of
// rows leads to one claim, which a property test checks.
//
// missing names fields that are in no row of the snapshot though the source reported them before: what is known of them
// stays. completed reports that this was so, and the row must be read again when its fields are back.
func Tell(c *Claim, row *snapshot.CourtRow, missing resolve.MissingFields) (completed bool) {
	r, at := &c.Facts, Moment{At: resolve.Instant(row.SeenAt), Line: cmp.Or(row.Order, row.Line)}
	if r.Key.Number == "" {
		r.Key = KeyOf(row)
	}
	begin(&c.Head, at.At)
	row, completed = r.complete(row, missing)
	if row.Case != nil {
		late := r.At.At.After(at.At)
		newest := r.At.At
		tellCase(c, row, at)
		c.Age.Named(row.Case.Defendant, at.At, newest)
		c.Age.Add(resolve.Age{At: at.At, Withheld: row.Case.Withheld, DOB: row.Case.DOB, Year: row.Case.BirthYear}, late)
	}
	if row.Judge != "" {
		f := foldOf(c, at)
		fold(f, caseJudge, &r.Judge, row.Judge, true)
		f.note(c)
	}
	r.Charges.tell(chargesOf(row), row.Whole, at)
	r.Hearings.tell(hearingsOf(row), row.Whole, at)
	for _, event := range row.Removed {
		r.Hearings.remove(event, at)
	}
	if row.Case != nil { // a case is reported with all that was decided in it
		r.Dispositions.tell(dispositionsOf(row), true, at)
	}
	r.Dispositions.prune()
	if at.After(r.Seen) {
		r.Seen = at
	}
	if at.At.After(c.SaidAt) {
		c.SaidAt = at.At
	}
	return completed
}

// begin moves the beginning of a claim back to a row that speaks of an earlier instant. Values that are claimed since the
// beginning as it was known are noted, because the earlier row may have reported other values.
func begin(h *resolve.Head, at time.Time) {
	if !h.FirstAt.IsZero() && !at.Before(h.FirstAt) {
		return
	}
	if !h.FirstAt.IsZero() {
		for _, field := range caseFields {
			if _, noted := h.Since[field]; !noted {
				h.Claims(field, h.FirstAt)
			}
		}
	}
	h.FirstAt = at
}

// KeyOf returns the key of the claim that a row belongs to. A row that names no party is one of every party.
func KeyOf(row *snapshot.CourtRow) snapshot.CaseKey {
	key := row.CaseKey
	if key.Party == "" {
		key.Party = EveryParty
	}
	return key
}

// tellCase folds in the facts of the case itself. A birth, a day of filing, a bail, a booking number or an offense that a row
// leaves out is not taken back, also where it reports the whole case: courts leave them out of many rows. A status that cannot
// be mapped leaves the known one.
func tellCase(c *Claim, row *snapshot.CourtRow, at Moment) {
	r, said := &c.Facts, row.Case
	f := foldOf(c, at)
	if at.After(r.At) {
		r.At = at
	}
	f.name(r, said.Defendant)
	fold(f, caseFiled, &r.Filed, said.Filed, said.Filed != models.Date{})
	if said.BailCents != nil {
		fold(f, caseBail, &r.BailCents, *said.BailCents, true)
	}
	fold(f, caseDOB, &r.DOB, dateOf(said.DOB), said.DOB != nil)
	fold(f, caseYear, &r.BirthYear, said.BirthYear, said.BirthYear != 0)
	fold(f, caseBooking, &r.BookingKey, said.BookingKey, said.BookingKey != "")
	fold(f, caseOffense, &r.Offense, said.Offense, said.Offense != "")
	fold(f, caseStatus, &r.Status, said.Status, said.Status != unknownCase)
	fold(f, caseStatusText, &r.StatusText, said.StatusText, true)
	fold(f, caseJudge, &r.Judge, said.Judge, row.Whole || said.Judge != "")
	fold(f, caseLink, &r.HearingLink, said.HearingLink, row.Whole || said.HearingLink != "")
	f.note(c)
}

// caseFold is a row of a case on its way into a claim.
type caseFold struct {
	at Moment
	// told is when each fact was reported last, and since is from when on it has been reported as it is.
	told  map[string]Moment
	since map[string]time.Time
}

// foldOf begins to fold a row of the moment at into a claim.
func foldOf(c *Claim, at Moment) *caseFold {
	f := &caseFold{at: at, told: map[string]Moment{}, since: map[string]time.Time{}}
	for _, field := range caseFields {
		f.told[field], f.since[field] = c.Facts.toldAt(field), c.Of(field)
	}
	return f
}

// fold takes over the value of a fact where the row reports it and no newer row did. A late row with another value shows that
// the known one is no older than the newest row: since moves there.
func fold[T comparable](f *caseFold, field string, value *T, said T, reports bool) {
	told := f.told[field]
	switch {
	case !reports:
	case told.After(f.at):
		if said != *value && f.at.At.After(f.since[field]) {
			f.since[field] = told.At // in between it was reported otherwise
		}
	default:
		if said != *value || told == (Moment{}) {
			f.since[field] = f.at.At
		}
		*value, f.told[field] = said, f.at
	}
}

// name takes over the name of the defendant. What says that the case is restricted is no name: the known one stays inside,
// and the first that comes takes its place, however old.
func (f *caseFold) name(r *Report, said string) {
	switch restricted := resolve.StatesRestriction(said); {
	case restricted && r.Defendant != "" && !resolve.StatesRestriction(r.Defendant):
	case !restricted && resolve.StatesRestriction(r.Defendant):
		r.Defendant, f.told[caseDefendant], f.since[caseDefendant] = said, f.at, f.at.At
	default:
		fold(f, caseDefendant, &r.Defendant, said, true)
	}
}

// caseFields are the facts of the case itself, each with a moment of its own.
var caseFields = []string{
	caseDefendant, caseFiled, caseBail, caseDOB, caseYear, caseBooking, caseOffense, caseStatus, caseStatusText, caseJudge, caseLink,
}

// toldAt returns when a fact was reported last; the zero Moment: never.
func (r *Report) toldAt(field string) Moment {
	if m, noted := r.Reported[field]; noted {
		return m
	}
	return r.At
}

// note stores the moments and instants that are not those of the newest and of the first row. Most claims store none.
func (f *caseFold) note(c *Claim) {
	c.Facts.Reported = nil
	for _, field := range caseFields {
		if told := f.told[field]; told != c.Facts.At {
			if c.Facts.Reported == nil {
				c.Facts.Reported = map[string]Moment{}
			}
			c.Facts.Reported[field] = told
		}
		delete(c.Since, field)
		if since := f.since[field]; !since.Equal(c.FirstAt) && !since.IsZero() {
			c.Claims(field, since)
		}
	}
}

// dateOf returns a day, zero when it is not reported.
func dateOf(d *models.Date) models.Date {
	if d == nil {
		return models.Date{}
	}
	return *d
}

// chargesOf returns the charges of a row. Their keys sort as their numbers do.
func chargesOf(row *snapshot.CourtRow) []reported[snapshot.CaseCharge] {
	out := make([]reported[snapshot.CaseCharge], 0, len(row.Charges))
	for _, c := range row.Charges {
		out = append(out, reported[snapshot.CaseCharge]{key: fmt.Sprintf("%09d", c.Seq), facts: c})
	}
	return out
}

// hearingsOf returns the hearings of a row, under the court's number of the event, else under day and time.
func hearingsOf(row *snapshot.CourtRow) []reported[snapshot.HearingFacts] {
	out := make([]reported[snapshot.HearingFacts], 0, len(row.Hearings))
	for _, h := range row.Hearings {
		h.StartsAt = resolve.Instant(h.StartsAt)
		out = append(out, reported[snapshot.HearingFacts]{key: h.Event, facts: h, was: dayAndTime(&h)})
	}
	return out
}

// dispositionsOf returns the dispositions of a row. Those of one day and outcome are numbered, as nothing else distinguishes
// them.
func dispositionsOf(row *snapshot.CourtRow) []reported[snapshot.DispositionFacts] {
	out := make([]reported[snapshot.DispositionFacts], 0, len(row.Dispositions))
	for _, d := range row.Dispositions {
		key := d.Date.String() + " " + d.Outcome
		for n := 2; slices.ContainsFunc(out, func(o reported[snapshot.DispositionFacts]) bool { return o.key == key }); n++ {
			key = d.Date.String() + " " + d.Outcome + " #" + strconv.Itoa(n)
		}
		out = append(out, reported[snapshot.DispositionFacts]{key: key, facts: d})
	}
	return out
}
