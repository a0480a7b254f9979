package resolve

import (
	"time"

	"rollcall/models"
)

// Age is what one row says of how old somebody is.
type Age struct {
	At       time.Time
	Withheld models.Withheld // why the row by itself must not be published: empty, juvenile or maybe juvenile
	DOB      *models.Date
	Year     int16 // of birth; set whenever DOB is
	Sign     models.Sign
	Doubt    models.AgeDoubt // set where the row is withheld for nothing but this
	Grown    bool            // it states the age of an adult
}

// Evidence is what all rows of a claim say of how old somebody is. Each part goes by the newest row that
// speaks of it, so the order in which rows arrive does not matter.
type Evidence struct {
	Birth       *models.Date    `json:"birth,omitempty"`        // of the newest row that states a date
	BirthAt     time.Time       `json:"birth_at,omitzero"`      //
	BirthReason models.Withheld `json:"birth_reason,omitempty"` // why that row by itself must not be published
	Year        int16           `json:"year,omitempty"`         // of the newest row that states a year
	YearAt      time.Time       `json:"year_at,omitzero"`       //
	JuvenileAt  time.Time       `json:"juvenile_at,omitzero"`   // the newest row without a date that speaks of a juvenile
	MoreAt      time.Time       `json:"more_at,omitzero"`       // the same, of rows that do so by more than the source's flag
	RetractedAt time.Time       `json:"retracted_at,omitzero"`  // the newest row whose flag says that it is none
	DoubtAt     time.Time       `json:"doubt_at,omitzero"`      // the newest row without a date that leaves it in doubt
	AdultAt     time.Time       `json:"adult_at,omitzero"`      // the oldest row that states the age of an adult
	Unread      bool            `json:"unread,omitempty"`       // a row that could not be read speaks of a juvenile
	UnreadAt    time.Time       `json:"unread_at,omitzero"`     //
}

// Add folds in what a row says. A row is late when a newer one of the claim is known already: what cannot
// be read in it is no reason to doubt what is known since.
func (e *Evidence) Add(a Age, late bool) {
	e.born(a)
	if a.Grown && (e.AdultAt.IsZero() || a.At.Before(e.AdultAt)) {
		e.AdultAt = a.At
	}
	if a.Sign == models.SignNo {
		e.RetractedAt = newest(e.RetractedAt, a.At)
	}
	if a.DOB != nil {
		return // BirthReason has what it says
	}
	switch a.Withheld {
	case models.WithheldJuvenile:
		e.JuvenileAt = newest(e.JuvenileAt, a.At)
		if a.Sign != models.SignFlag {
			e.MoreAt = newest(e.MoreAt, a.At)
		}
	case models.WithheldMaybeJuvenile:
		if !e.disbelieves(a, late) {
			e.DoubtAt = newest(e.DoubtAt, a.At)
		}
	}
}

// born keeps the newest date and the newest year of birth. Of two dates of one instant the one that
// forbids more counts.
func (e *Evidence) born(a Age) {
	if a.DOB != nil && (e.Birth == nil || a.At.After(e.BirthAt) || a.At.Equal(e.BirthAt) && a.Withheld.Over(e.BirthReason)) {
		e.Birth, e.BirthAt, e.BirthReason = a.DOB, a.At, a.Withheld
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
	known := !e.AdultAt.IsZero() && !e.AdultAt.After(a.At) || e.Year != 0 && e.reason() == models.Published
	return late || a.Doubt != models.DoubtYoung && known
}

// Reason is why the claim by itself forbids publishing its record: empty, juvenile or maybe juvenile.
// A juvenile stays one until a row states another date of birth, or the flag that alone said so is taken
// back, which leaves it to a review. A doubt lasts until a row states a year or date of birth.
func (e *Evidence) Reason() models.Withheld {
	r := e.reason()
	if e.Unread && r == models.Published && e.UnreadAt.After(e.BirthAt) {
		return models.WithheldMaybeJuvenile
	}
	return r
}

func (e *Evidence) reason() models.Withheld {
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

// newest is the later of two instants.
func newest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Minor reports whether somebody born on a date was under 17 on a day. Georgia tries people of 17 as adults.
func Minor(born, day models.Date) bool {
	of := models.Date{Year: born.Year + adult, Month: born.Month, Day: born.Day}
	return of.After(day)
}

// adult is the age from which on a person's arrest is a public record.
const adult = 17
