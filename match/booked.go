package match

import "rollcall/match/internal/lexicon"

// AsBooked returns the names under which a jail books the person that a name is written for: one for each reading, last name
// first. A last name is no single letter, so a reading that has one is left out.
func (n *Name) AsBooked() []Name {
	out := make([]Name, 0, len(n.readings))
	for _, r := range n.readings {
		if r.surs == 1 && r.surname[0].Initial() {
			continue
		}
		r.prior, r.how, r.cut, r.surnameLast = 0, asWritten, false, false
		out = append(out, Name{readings: []reading{r}})
	}
	return out
}

// Abbreviated reports whether a name's last name was cut to its initial: LISA F, LISA MARIE F. One reading has a single letter for its last
// name, and all others have a word that is more often a first name (F LISA). With a comma, or beside a word that is more often a last name,
// the letter is a first name's: WARD F, LISA, F.
func (n *Name) Abbreviated() bool {
	found := false
	for _, r := range n.readings {
		switch w := r.surname[0]; {
		case r.surs == 1 && w.Initial():
			found = true
		case r.surs != 1 || known().LeansGiven(w, lexicon.Origin{}) <= 0:
			return false
		}
	}
	return found
}
