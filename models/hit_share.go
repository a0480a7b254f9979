package models

// HitShare says how the hits of a watcher stand to what would narrow it: to a birth date, a year of birth, or a county.
type HitShare struct {
	// All are its hits. Agree are those with that date, year or county, and Silent those whose jail states too little of the birth.
	All, Agree, Silent int
}

// Others returns the hits with another date, year or county.
func (h HitShare) Others() int { return h.All - h.Agree - h.Silent }
