package mapping

import (
	"rollcall/ingest/bond"
	"rollcall/ingest/decode"
	"rollcall/ingest/part"
	"rollcall/models/snapshot"
)

// said is what a column says of a bond.
type said struct {
	bond.Bond
	// stated reports whether there is a text at all.
	stated bool
	// text is what may be published of a text without an amount.
	text string
	// unread is set if the text is neither an amount nor a word that says why there is none.
	unread *Rejected
}

// bond reads a bond. A text that a value map knows means what the map says.
func (f *field) bond(rec decode.Fields) (said, *Rejected) {
	v, bad := f.find(rec)
	if bad != nil {
		return said{}, bad
	}
	return f.bondOf(v), nil
}

// bondOf returns what a text that was found says of a bond. What a value map makes of it is always known.
func (f *field) bondOf(v found) said {
	if v.means == "" && bond.Blank(v.text) {
		return said{}
	}
	b := said{stated: true}
	if v.means != "" {
		b.Bond = bond.Read(v.means)
		b.Unread = false
	} else {
		b.Bond = bond.Read(v.text)
	}
	if b.Cents == 0 {
		b.text = bond.Text(v.text)
	}
	if b.Unread {
		b.unread = reject(f.name, "is neither an amount nor a known word")
		b.unread.value = v.text
	}
	return b
}

// cents returns the amount; nil if there is none, or none that could be read.
func (b said) cents() *int64 {
	if b.Cents == 0 {
		return nil
	}
	return &b.Cents
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
func (s *bonds) add(b said) {
	s.cents += b.Cents
	s.said = s.said || b.stated
	s.unread = s.unread || b.unread != nil
}

// settled reports whether the bond of the booking, from the same column, can change nothing any more.
func (s *bonds) settled() bool { return s.said && (s.unread || s.cents > 0) }

// unpairedBonds reads the bonds that pair with no charge. A list that is longer or shorter than the charges
// may hold the bonds of charges that are not stated, other amounts for the same charge, or a slip, so there
// is no sum. One value is the bond of all charges together.
func (m *Mapper) unpairedBonds(rec decode.Fields, unpaired []part.Loose) (s bonds, bad *Rejected) {
	f := m.entities["charge"].get("bond")
	if f == nil {
		return s, nil
	}
	for _, l := range unpaired {
		switch {
		case !f.says(l):
		case !l.Lone:
			s.said, s.unread = true, true
		case !m.readElsewhere("charge", l.Column):
			b, bad := f.bond(l.In(rec))
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
	var own said
	if !same || !charged.settled() { // reading the whole of a list costs more than the rest of its row
		own = f.bondOf(v)
	}
	switch {
	case own.Cents != 0 && (!same || charged.cents == 0 && !charged.unread): // of a list it would be the first amount alone
		row.BondCents = own.cents()
	case own.unread != nil && (!same || !charged.said): // as a whole a list is no amount; its charges read it
		m.drop(own.unread)
		row.BondUnread = true
	case charged.unread:
		row.BondUnread = true
	case charged.cents > 0:
		row.BondCents = &charged.cents
	case !own.stated && !charged.said:
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
