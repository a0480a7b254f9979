package models

// HitShare says how the hits of a watcher stand to what would narrow it: to a year of birth, or to a county.
type HitShare struct {
	// All are its hits. Agree are those with that year or county, and Silent those whose jail states no birth.
	All, Agree, Silent int
}

// Others returns the hits with another year or county.
func (h HitShare) Others() int { return h.All - h.Agree - h.Silent }
