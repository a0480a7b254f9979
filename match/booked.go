package match

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
