package record

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/models/history"
)

// BookingAsOf returns the booking that the id named at an instant, as it was published then: its own facts
// and charges, with today's links, photograph and history. It is CodeNotFound if it was not known or not
// published then, and also if it is not published today: what is withheld now has no past
// (docs/architecture.md, "History"). An id that was merged into another named its own booking until that
// merge.
//
// RID is today's key, so that loaders find today's links. PastAt is set, which tells a past booking from
// today's.
func (s *Store) BookingAsOf(ctx context.Context, id string, at time.Time) (*models.Booking, error) {
	today, err := s.BookingByID(ctx, id)
	if err != nil {
		return nil, err
	}
	own := *today // today is shared with readers of today
	b := &own
	if id != today.ID {
		if err := s.unmergeBooking(ctx, b, id, at); err != nil {
			return nil, err
		}
	}
	past, err := s.pastOf(ctx, models.Roster, b.RID, at, b.FirstSeen)
	if err != nil {
		return nil, err
	}
	// A record that exists and was not published then looks like one that did not exist: that it was withheld
	// is not shown.
	if past == nil {
		return nil, models.NotFound("this roster record was not published at that time")
	}
	b.Name = past.text("name", b.Name)
	b.Dob, b.BirthYear = past.born(b.Dob, b.BirthYear)
	b.BookingDate = *past.instant("booked_at", &b.BookingDate)
	released, inferred := past.instant("released_at", b.ReleaseDate), past.bool("release_inferred", b.ReleaseInferred)
	// History does not say how. One that is another today counts as an absence: the weaker of what it can have been.
	same := b.ReleaseInferred && released != nil && b.ReleaseDate != nil && released.Equal(*b.ReleaseDate)
	b.ReleaseAbsent = inferred && (b.ReleaseAbsent || !same)
	b.ReleaseDate, b.ReleaseInferred = released, inferred
	b.Charges = texts(past, "charges", b.Charges)
	b.BondCents = past.number("bond_cents", b.BondCents)
	b.Agency = past.optional("agency", b.Agency)
	// PastCharges is nil unless they are known here; resolvers then load today's charges, which are those of
	// then.
	if charges := past.chargeDetails(b.Charges); charges != nil {
		b.PastCharges = charges
	} else if b.PastCharges != nil && len(b.PastCharges) == 0 {
		b.PastCharges = models.PlainCharges(b.Charges)
	}
	b.Status = models.Booked
	if b.ReleaseDate != nil {
		b.Status = models.Released
	}
	var until *time.Time // it was listed in no snapshot that showed it gone
	if b.ReleaseInferred {
		until = b.ReleaseDate
	}
	if err := s.seenThen(ctx, models.Roster, at, map[int64]*seen{b.RID: {past.first, until, &b.LastSeen}}); err != nil {
		return nil, err
	}
	b.FirstSeen, b.LastChange, b.PastAt = past.first, past.changed(b.LastChange), &at
	b.RID = today.RID
	if past.err != nil {
		return nil, past.err
	}
	return b, nil
}

// CorrectionsAsOf returns the corrections record that the offender id named at an instant, as it was
// published then, with today's links and history. It is CodeNotFound under the conditions of BookingAsOf.
func (s *Store) CorrectionsAsOf(ctx context.Context, gdcID string, at time.Time) (*models.CorrectionsRecord, error) {
	today, err := s.CorrectionsByGdcID(ctx, gdcID)
	if err != nil {
		return nil, err
	}
	own := *today // today is shared with readers of today
	o := &own
	if gdcID != today.GdcID {
		if err := s.unmergeCorrections(ctx, o, gdcID, at); err != nil {
			return nil, err
		}
	}
	past, err := s.pastOf(ctx, models.Corrections, o.CID, at, o.FirstSeen)
	if err != nil {
		return nil, err
	}
	if past == nil {
		return nil, models.NotFound("this corrections record was not published at that time")
	}
	o.Name = past.text("name", o.Name)
	o.Dob, o.BirthYear = past.born(o.Dob, o.BirthYear)
	o.Category = models.Category(past.text("category", string(o.Category)))
	o.Categories = texts(past, "categories", o.Categories)
	o.Institution, o.Sentence = past.optional("institution", o.Institution), past.optional("sentence", o.Sentence)
	o.Status = models.CorrectionsStatus(past.text("status", string(o.Status)))
	o.ReleaseDate, o.ParoleEndDate = past.date("release_date", o.ReleaseDate), past.date("parole_end_date", o.ParoleEndDate)
	o.ReleaseDateProjected = past.bool("release_projected", o.ReleaseDateProjected)
	if err := s.seenThen(ctx, models.Corrections, at, map[int64]*seen{o.CID: {past.first, nil, &o.LastSeen}}); err != nil {
		return nil, err
	}
	o.FirstSeen, o.LastChange, o.PastAt = past.first, past.changed(o.LastChange), &at
	o.CID = today.CID
	if past.err != nil {
		return nil, past.err
	}
	return o, nil
}

// casesAsOf turns cases back to an instant, with their hearings and dispositions, and leaves out those that
// were not published then. It changes the cases that it is passed, so they must not be cached ones. The
// calendars are read before the versions: a change that is committed in between is then undone by its
// version, and never shown as if it had been known.
func (s *Store) casesAsOf(ctx context.Context, cases []*models.CourtCase, at time.Time) ([]*models.CourtCase, error) {
	keys := make([]int64, len(cases))
	for i, c := range cases {
		keys[i] = c.Key
	}
	calendars, err := s.calendarsOf(ctx, keys) // before the versions, which undo what changes in between
	if err != nil {
		return nil, err
	}
	lives, err := s.lifetimesOf(ctx, models.Courts, keys)
	if err != nil {
		return nil, err
	}
	var out []*models.CourtCase
	shown := map[int64]*seen{}
	for _, c := range cases {
		past, err := pastAt(lives[c.Key], at, c.FirstSeen)
		if err != nil {
			return nil, err
		}
		if past == nil {
			continue
		}
		c.Defendant, c.Offense = past.text("defendant", c.Defendant), past.text("offense", c.Offense)
		c.Status, c.Judge = models.CourtStatus(past.text("status", string(c.Status))), past.optional("judge", c.Judge)
		c.FiledDate, c.FiledDateInferred = *past.date("filed_date", &c.FiledDate), past.bool("filed_inferred", c.FiledDateInferred)
		c.BailCents = past.number("bail_cents", c.BailCents)
		calendars[c.Key].asOf(c, past, at)
		if _, changed := past.facts[history.DispositionsField]; changed {
			c.PastDispositions = past.dispositions()
		}
		c.FirstSeen, c.LastChange, c.PastAt = past.first, past.changed(c.LastChange), &at
		shown[c.Key] = &seen{past.first, nil, &c.LastSeen}
		if past.err != nil {
			return nil, past.err
		}
		out = append(out, c)
	}
	return out, s.seenThen(ctx, models.Courts, at, shown)
}

// past is what a record's facts were at an instant, for those that changed later. The facts of today stand
// for all others. The methods take the fact of today and return that of then.
type past struct {
	// facts are the texts of the facts that changed later, by the field's name in versions; nil is an unknown
	// fact.
	facts map[string]*string
	// last is the newest published change at or before the instant; nil if there was none, so the record was
	// as first seen.
	last *time.Time
	// first is when a source had first shown the record, as it was known then.
	first time.Time
	// since is when rollcall first knew the record, by its own clock.
	since time.Time
	// latest reports whether nothing changed later: the past is the present.
	latest bool
	// err is the first version that could not be read. Methods go on after it; the caller checks it at the
	// end.
	err error
}

// pastOf reads what a record was at an instant; nil when it was not known or not published then. The caller
// must have read the record before: then a change in between is undone as well. Read after the versions, it
// would stay.
func (s *Store) pastOf(ctx context.Context, f models.Family, key int64, at, first time.Time) (*past, error) {
	lives, err := s.lifetimesOf(ctx, f, []int64{key})
	if err != nil {
		return nil, err
	}
	return pastAt(lives[key], at, first)
}

// pastAt undoes the versions after an instant: the earliest version of a field after it holds the fact of
// then. Whether the record existed goes by rollcall's own clock, as its versions do; first is when a source
// first showed it, as known today. It returns nil if there was nothing to read.
func pastAt(life *lifetime, at, first time.Time) (*past, error) {
	if life == nil || at.Before(life.since) {
		return nil, nil //nolint:nilnil // what was not there is no error
	}
	p := &past{facts: map[string]*string{}, first: first, since: life.since}
	shown := beginning(life.versions)
	for _, v := range life.versions {
		if !v.At.After(at) {
			shown.apply(v)
			continue
		}
		if _, known := p.facts[v.Field]; !known {
			p.facts[v.Field] = v.Before
		}
	}
	if before := p.instant(models.FirstSeenField, &first); before != nil {
		p.first = before.UTC()
	}
	if shown.hidden() {
		return nil, p.err
	}
	p.latest = len(p.facts) == 0
	for _, v := range publicVersions(life.versions) {
		if !v.At.After(at) {
			p.last = &v.At
		}
	}
	return p, p.err
}

// changed is the last change as of then; now is the one known today.
func (p *past) changed(now time.Time) time.Time {
	switch {
	case p.latest:
		return now
	case p.last != nil:
		return *p.last
	}
	return p.since
}

// optional is a text that may be unknown.
func (p *past) optional(field string, now *string) *string {
	if before, changed := p.facts[field]; changed {
		return before
	}
	return now
}

// text is a text that is always known; a version without one would be "".
func (p *past) text(field, now string) string {
	if t := p.optional(field, &now); t != nil {
		return *t
	}
	return ""
}

// bool is a yes or no, which versions write as true and false.
func (p *past) bool(field string, now bool) bool {
	return p.text(field, strconv.FormatBool(now)) == "true"
}

// born returns date and year of birth. A version may have either; a date also says the year.
func (p *past) born(dob *models.Date, year *int) (*models.Date, *int) {
	var before *int64
	if year != nil {
		n := int64(*year)
		before = &n
	}
	dob, before = p.date("dob", dob), p.number("birth_year", before)
	switch {
	case before != nil:
		n := int(*before)
		return dob, &n
	case dob != nil:
		return dob, &dob.Year
	}
	return nil, nil
}

// date is a calendar day that may be unknown.
func (p *past) date(field string, now *models.Date) *models.Date {
	return restored(p, field, now, models.ParseDate)
}

// number is a whole number that may be unknown, such as a bond in cents.
func (p *past) number(field string, now *int64) *int64 {
	return restored(p, field, now, func(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) })
}

// instant is a time that may be unknown, in Georgia's zone.
func (p *past) instant(field string, now *time.Time) *time.Time {
	return restored(p, field, now, func(text string) (time.Time, error) {
		t, err := time.Parse(time.RFC3339, text)
		return t.In(models.Georgia), err
	})
}

// texts is a list, which versions write as JSON. It is never nil.
func texts[T ~string](p *past, field string, now []T) []T {
	out := restored(p, field, &now, func(text string) (l []T, err error) {
		err = json.NewDecoder(strings.NewReader(text)).Decode(&l)
		return l, err
	})
	if out == nil {
		return []T{}
	}
	return *out
}

// restored returns what a fact was, parsed from its version, or now if it did not change. A version that
// cannot be parsed sets p.err, so that a wrong past is an error and not a wrong answer.
func restored[T any](p *past, field string, now *T, parse func(string) (T, error)) *T {
	before, changed := p.facts[field]
	if !changed {
		return now
	}
	if before == nil {
		return nil
	}
	v, err := parse(*before)
	if err != nil {
		p.err = fmt.Errorf("read version of %s: %w", field, err)
		return now
	}
	return &v
}
