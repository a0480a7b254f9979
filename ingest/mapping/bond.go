package mapping

import (
	"rollcall/ingest/decode"
	"rollcall/ingest/value"
	"rollcall/models/snapshot"
)

// bond is what one text says of a bond.
type bond struct {
	// cents is nil if the text is no amount. A bond is never 0: a text of $0.00 means that none is set.
	cents *int64
	// note is the text where it is no amount, such as NO BOND.
	note string
	// said reports whether there is a text at all.
	said bool
	// unread is set if the text is neither an amount nor a word that says why there is none.
	unread *Rejected
}

// bond reads a bond. A text that a value map knows means what the map says.
func (f *field) bond(rec decode.Fields) (bond, *Rejected) {
	v, bad := f.find(rec)
	if bad != nil {
		return bond{}, bad
	}
	return f.bondOf(v), nil
}

// bondOf returns what a text that was found says of a bond. Social security numbers in it are masked.
func (f *field) bondOf(v found) bond {
	if v.text == "" {
		return bond{}
	}
	text := v.text
	if v.means != "" {
		text = v.means
	}
	if amount, ok := value.Money(text); ok {
		return bond{cents: &amount, said: true}
	}
	b := bond{note: value.BlotSSN(v.text), said: true}
	if v.means == "" && !value.NoAmount(text) {
		b.unread = reject(f.name, "is no amount and no known word")
		b.unread.value = v.text
	}
	return b
}

// bonds sums up the bonds of the charges of one record.
type bonds struct {
	// cents is the sum of the amounts that could be read.
	cents int64
	// said reports whether one of them has a text.
	said bool
	// unread reports whether one of them cannot be read, so that there is no sum.
	unread bool
}

// add adds the bond of one charge.
func (s *bonds) add(b bond) {
	if b.cents != nil {
		s.cents += *b.cents
	}
	s.said = s.said || b.said
	s.unread = s.unread || b.unread != nil
}

// settled reports whether the bond of the booking, from the same column, can change nothing any more.
func (s *bonds) settled() bool { return s.said && (s.unread || s.cents > 0) }

// unpairedBonds reads the bonds that pair with no charge. A list that is longer or shorter than the charges
// may hold the bonds of charges that are not stated, other amounts for the same charge, or a slip, so there
// is no sum. One value is the bond of all charges together.
func (m *Mapper) unpairedBonds(rec decode.Fields, unpaired []loose) (s bonds, bad *Rejected) {
	f := m.entities["charge"].get("bond")
	if f == nil {
		return s, nil
	}
	for _, l := range unpaired {
		switch {
		case !f.says(l):
		case !l.lone:
			s.said, s.unread = true, true
		case !m.readElsewhere("charge", l.column):
			b, bad := f.bond(element{rec, []string{l.column}, l.texts})
			if bad != nil {
				return s, bad
			}
			m.drop(b.unread)
			s.add(b)
		}
	}
	return s, nil
}

// bond settles the bond of a booking: its own amount, else the sum of its charges. A bond that cannot be read
// is marked so and counted, and the row is taken without it: what is known of the bond stays. Otherwise a
// slip would alert accounts of a change.
func (m *Mapper) bond(rec decode.Fields, row *snapshot.RosterRow, charged bonds) *Rejected {
	f := m.entities["booking"].get("bond")
	v, bad := f.find(rec)
	if bad != nil {
		return bad
	}
	same := bondColumn(m.config.Fields["booking"]) == bondColumn(m.config.Fields["charge"])
	var own bond
	if !same || !charged.settled() { // reading the whole of a list costs more than the rest of its row
		own = f.bondOf(v)
	}
	switch {
	case own.cents != nil && (!same || charged.cents == 0 && !charged.unread): // of a list it would be the first amount alone
		row.BondCents = own.cents
	case own.unread != nil && (!same || !charged.said): // as a whole a list is no amount; its charges read it
		m.drop(own.unread)
		row.BondUnread = true
	case charged.unread:
		row.BondUnread = true
	case charged.cents > 0:
		row.BondCents = &charged.cents
	case !own.said && !charged.said:
		row.BondUnread = row.Changes // a blank says nothing
	}
	return nil
}

// bondColumn returns the column that the bonds of an entity come from. A booking's bond from the same column
// is the total of a list that has one amount for all charges; it never replaces the sum.
func bondColumn(e *Entity) string {
	if e == nil || len(e.Fields["bond"].ways) == 0 || len(e.Fields["bond"].ways[0].From) == 0 {
		return ""
	}
	return e.Fields["bond"].ways[0].From[0]
}
