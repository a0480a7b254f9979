package court

import (
	"time"

	"rollcall/models"
	"rollcall/resolve"
)

// filed sets the day of filing, after the parts of the case are set. Some courts state none. Then it is the earliest day known of
// the case: of its charges, hearings and dispositions, or the day on which a source first reported it, which bounds them. A
// hearing to come says nothing of the past.
func (s *State) filed(claims []*Claim) {
	day, by := pick(claims, caseFiled, func(r *Report) models.Date { return r.Filed })
	if by != nil && day != (models.Date{}) {
		s.Filed = day
		return
	}
	s.FiledInferred = true
	for _, c := range claims {
		s.known(models.DateOf(c.FirstAt.In(models.Georgia)))
	}
	for _, c := range s.Charges {
		s.known(c.OffenseDate)
		s.known(c.ArrestDate)
		s.known(c.DispositionDate)
	}
	for i := range s.Hearings {
		s.known(s.Hearings[i].Date)
	}
	for _, d := range s.Dispositions {
		s.known(d.Date)
	}
}

// known notes a day of a case without a day of filing; zero: none.
func (s *State) known(day models.Date) {
	if day != (models.Date{}) && (s.Filed == models.Date{} || s.Filed.After(day)) {
		s.Filed = day
	}
}

// young withholds the case of a person who was under 17 when it was filed. A row states the age at its own day of filing. Where no
// row states one, a year of birth alone leaves it in doubt at the earliest day known.
func (s *State) young() {
	switch {
	case s.DOB != nil:
		if resolve.Minor(*s.DOB, s.Filed) {
			s.Own = models.WithheldJuvenile
		}
	case s.FiledInferred && s.Own == models.Published && s.BirthYear != 0 && s.Filed.Year-int(s.BirthYear) <= models.AdultAge:
		s.Own = models.WithheldMaybeJuvenile
	}
}

// MinorBefore reports whether the person of a case was under 17, or may have been, when a booking that the case names began. That is
// up to two years before the case was filed. With a year of birth alone, or without a day of filing, the answer is yes where
// it is in doubt. The database asks the same where it looks for such bookings (minor_before).
func MinorBefore(filed models.Date, dob *models.Date, year int16) bool {
	if filed == (models.Date{}) {
		return dob != nil || year != 0
	}
	began := models.DateOf(filed.In(time.UTC).AddDate(-2, 0, 0))
	if filed.Month == time.February && filed.Day == 29 {
		began.Month, began.Day = time.February, 28
	}
	if dob != nil {
		return resolve.Minor(*dob, began)
	}
	return year != 0 && began.Year-int(year) <= models.AdultAge // born late in the year
}
