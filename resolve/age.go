package resolve

import (
	"time"

	"rollcall/models"
	"rollcall/models/snapshot"
)

// Age is what one row says of how old somebody is.
type Age struct {
	At       time.Time             // the instant that the row speaks of
	Withheld models.WithheldReason // why the row by itself must not be published: empty, juvenile or maybe juvenile
	DOB      *models.Date          // nil: not stated
	Year     int16                 // of birth; set whenever DOB is
	Sign     snapshot.Sign         // what the row says of a juvenile
	Doubt    snapshot.AgeDoubt     // set where the row is withheld for nothing but this
	Adult    bool                  // it states the age of an adult
}

// Evidence is what all rows of a claim say of how old somebody is, and of a restriction of the record. Each part goes by the newest row that
// speaks of it, so the order in which rows arrive does not matter.
type Evidence struct {
	Birth       *models.Date          `json:"birth,omitempty"`        // of the newest row that states a date
	BirthAt     time.Time             `json:"birth_at,omitzero"`      //
	BirthReason models.WithheldReason `json:"birth_reason,omitempty"` // why that row by itself must not be published
	Year        int16                 `json:"year,omitempty"`         // of the newest row that states a year
	YearAt      time.Time             `json:"year_at,omitzero"`       //
	JuvenileAt  time.Time             `json:"juvenile_at,omitzero"`   // the newest row without a date that speaks of a juvenile
	MoreAt      time.Time             `json:"more_at,omitzero"`       // the same, of rows that do so by more than the source's flag
	RetractedAt time.Time             `json:"retracted_at,omitzero"`  // the newest row whose flag says that it is none
	DoubtAt     time.Time             `json:"doubt_at,omitzero"`      // the newest row without a date that leaves it in doubt
	AdultAt     time.Time             `json:"adult_at,omitzero"`      // the oldest row that states the age of an adult
	Unread      bool                  `json:"unread,omitempty"`       // a row that could not be read speaks of a juvenile
	UnreadAt    time.Time             `json:"unread_at,omitzero"`     //
	Unknown     bool                  `json:"unknown,omitempty"`      // the newest row states no age, and its source withholds such

	RestrictedAt time.Time `json:"restricted_at,omitzero"` // the newest row that says that the record is restricted (StatesRestriction)
	NamedAt      time.Time `json:"named_at,omitzero"`      // the newest row since the first of those that names the person
}

// Add folds in what a row says. A row is late when a newer one of the claim is known already: what cannot
// be read in it is no reason to doubt what is known since.
func (e *Evidence) Add(a Age, late bool) {
	// What the row itself states of the birth leaves its own doubt as it is.
	doubted := !e.disbelieves(a, late)
	e.born(a)
	if a.Adult && (e.AdultAt.IsZero() || a.At.Before(e.AdultAt)) {
		e.AdultAt = a.At
	}
	if a.Sign == snapshot.SignNo {
		e.RetractedAt = newest(e.RetractedAt, a.At)
	}
	if !late {
		e.Unknown = a.Doubt == snapshot.DoubtUnknown
	}
	if a.DOB != nil || a.Doubt == snapshot.DoubtUnknown {
		return // BirthReason has what it says, or it says nothing
	}
	switch a.Withheld {
	case models.WithheldJuvenile:
		e.JuvenileAt = newest(e.JuvenileAt, a.At)
		if a.Sign != snapshot.SignFlag {
			e.MoreAt = newest(e.MoreAt, a.At)
		}
	case models.WithheldMaybeJuvenile:
		if doubted {
			e.DoubtAt = newest(e.DoubtAt, a.At)
		}
	}
}

// born keeps the newest date and the newest year of birth. A row of the same instant corrects the one before, as its
// document was read again, but never from a juvenile to an adult: rows of one instant are in no order.
func (e *Evidence) born(a Age) {
	if a.DOB != nil && (a.At.After(e.BirthAt) || a.At.Equal(e.BirthAt) && !e.BirthReason.Over(AboutAge(a.Withheld))) {
		e.Birth, e.BirthAt, e.BirthReason = a.DOB, a.At, AboutAge(a.Withheld)
	}
	if a.Year != 0 && !a.At.Before(e.YearAt) {
		e.Year, e.YearAt = a.Year, a.At
	}
}

// disbelieves reports whether a doubt about a stated age says nothing, because more is known. An adult does
// not become a child by a text that cannot be read, unless it may speak of one.
func (e *Evidence) disbelieves(a Age, late bool) bool {
	if a.Doubt == "" {
		return false
	}
	aged := !e.AdultAt.IsZero() && !e.AdultAt.After(a.At)
	born := e.Year != 0 && e.reason() == models.Published
	return late || born || a.Doubt != snapshot.DoubtYoung && aged
}

// Reason is why the claim by itself forbids publishing its record, for the person's age: empty, juvenile or maybe juvenile.
// A juvenile stays one until a row states another date of birth, or the flag that alone said so is taken
// back, which leaves it to a review. A doubt lasts until a row states a year or date of birth.
func (e *Evidence) Reason() models.WithheldReason {
	r := e.reason()
	if e.Unread && r == models.Published && e.UnreadAt.After(e.BirthAt) {
		return models.WithheldMaybeJuvenile
	}
	if r == models.Published && e.Unknown && !e.stated() {
		return models.WithheldMaybeJuvenile
	}
	return r
}

// stated reports whether some row states a birth, or the age of an adult.
func (e *Evidence) stated() bool { return e.Birth != nil || e.Year != 0 || !e.AdultAt.IsZero() }

// reason is Reason without rows that could not be read. Births and signs of a juvenile count by their instants, so rows may
// come in any order.
func (e *Evidence) reason() models.WithheldReason {
	switch {
	case e.JuvenileAt.IsZero() || e.JuvenileAt.Before(e.BirthAt):
	case e.JuvenileAt.Equal(e.BirthAt) && e.BirthReason != models.WithheldJuvenile:
		return models.WithheldMaybeJuvenile // rows of one instant contradict each other
	case e.Retracted():
		return models.WithheldMaybeJuvenile
	default:
		return models.WithheldJuvenile
	}
	if e.BirthReason != models.Published {
		return e.BirthReason
	}
	if !e.DoubtAt.IsZero() && e.DoubtAt.After(e.BirthAt) && !e.DoubtAt.Before(e.YearAt) {
		return models.WithheldMaybeJuvenile
	}
	return models.Published
}

// Retracted reports whether the source called the person a juvenile by nothing but its flag, and took that back.
func (e *Evidence) Retracted() bool {
	return !e.JuvenileAt.IsZero() && e.MoreAt.IsZero() && !e.RetractedAt.Before(e.JuvenileAt)
}

// Equal reports whether two claims say the same of somebody's age.
func (e Evidence) Equal(o Evidence) bool {
	same := (e.Birth == nil) == (o.Birth == nil) && (e.Birth == nil || *e.Birth == *o.Birth)
	e.Birth, o.Birth = nil, nil
	return same && e == o
}

// newest is the later of two instants.
func newest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Minor reports whether somebody born on a date was under models.AdultAge on a day.
func Minor(born, day models.Date) bool {
	of := models.Date{Year: born.Year + models.AdultAge, Month: born.Month, Day: born.Day}
	return of.After(day)
}

// Birth is when somebody was born, as far as it is known.
type Birth struct {
	DOB  *models.Date
	Year int16 // set whenever DOB is
}

// Births picks the birth of a record from the claims that speak of it, and from late rows too: the date that is claimed
// since the latest, else the year. Takeovers come last.
func Births[F any](claims []*Claim[F]) (b Birth) {
	var dated, yeared *Claim[F]
	for _, c := range speaking(claims) {
		if c.Age.Birth != nil && (dated == nil || c.countsSince("dob").After(dated.countsSince("dob"))) {
			dated = c
		}
		if c.Age.Year != 0 && (yeared == nil || c.countsSince("birth_year").After(yeared.countsSince("birth_year"))) {
			yeared = c
		}
	}
	switch {
	case dated != nil:
		return Birth{DOB: dated.Age.Birth, Year: int16(dated.Age.Birth.Year)} //nolint:gosec // ParseDate keeps years below 10000
	case yeared != nil:
		return Birth{Year: yeared.Age.Year}
	default:
		return Birth{}
	}
}

// Ages is what the claims of a court case or of a corrections record say together of its person's age: the strictest
// counts. Bookings have ownReason. Where one source calls somebody a juvenile without a date of birth, and another
// states that of an adult, a review decides. A takeover says nothing where a source states a date.
func Ages[F any](claims []*Claim[F]) (why models.WithheldReason) {
	dated, adult := false, map[string]bool{}
	for _, c := range claims {
		if c.Age.Birth != nil && !c.Source.Import {
			dated = true
			adult[c.Source.ID] = adult[c.Source.ID] || c.Age.BirthReason == models.Published
		}
	}
	for _, c := range claims {
		reason := c.Age.Reason()
		if c.Source.Import && dated {
			continue
		}
		if reason == models.WithheldJuvenile && c.Age.Birth == nil && !adult[c.Source.ID] && len(adult) > 0 && anyOf(adult) {
			reason = models.WithheldMaybeJuvenile
		}
		if reason.Over(why) {
			why = reason
		}
	}
	return why
}

// anyOf reports whether a set holds anything.
func anyOf(set map[string]bool) bool {
	for _, in := range set {
		if in {
			return true
		}
	}
	return false
}

// AboutAge returns a reason if it is about somebody's age, else Published.
func AboutAge(why models.WithheldReason) models.WithheldReason {
	if why == models.WithheldJuvenile || why == models.WithheldMaybeJuvenile {
		return why
	}
	return models.Published
}
