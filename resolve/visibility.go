package resolve

import (
	"time"

	"rollcall/models"
)

// Visibility is whether the public may see a record. The zero value is published.
//
// Reason, Because and Since describe the ground on which it would be withheld. An operator can lift a
// reviewable ground: the record is published then, and the ground is remembered, so that another or a
// newer one is reviewed again.
type Visibility struct {
	Reason  models.WithheldReason // empty: published
	Because *Ref                  // the record on whose account it is withheld; nil: its own claims say so
	Since   time.Time             // from when the ground holds without interruption
	Lifted  bool                  // an operator published it in spite of the ground
}

// Withheld is why the record is withheld at present, empty when it is published.
func (v Visibility) Withheld() models.WithheldReason {
	if v.Lifted {
		return models.Published
	}
	return v.Reason
}

// Same reports whether two visibilities have the same ground.
func (v Visibility) Same(w Visibility) bool {
	return v.Reason == w.Reason && (v.Because == nil) == (w.Because == nil) && (v.Because == nil || *v.Because == *w.Because)
}

// Cause is another record on whose account this one may have to be withheld.
type Cause struct {
	Of   Ref    // the record
	Rule string // which edge joins the two: number, person, name, link
	// Since is from when the other record is withheld as it is. What an operator decided before that was about less.
	Since time.Time
}
