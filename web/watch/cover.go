package watch

import (
	"rollcall/models"
	"rollcall/web/words"
)

// cover is in how many counties an alert for all of Georgia finds people.
type cover struct{ Covered, All int }

// Says says it; nothing where none is covered, which pages warn of.
func (c cover) Says() words.Text {
	if c.Covered == 0 {
		return nil
	}
	return words.T("{1} of {2} counties covered", c.Covered, c.All)
}

// widened says what an alert watches that was for one county, and is for all of Georgia now.
func (c cover) widened(from *models.County, covered bool) words.Text {
	if covered {
		return words.T("Now watching the {1 covered county|covered counties}.", c.Covered)
	}
	return words.T("Now watching the {1 covered county|covered counties}. {2} County is not one of them.", c.Covered, from.Name)
}
