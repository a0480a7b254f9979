package mapping

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"rollcall/ingest/clean"
	"rollcall/ingest/decode"
	"rollcall/ingest/part"
	"rollcall/ingest/value"
	"rollcall/match"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// Roster maps one record of a roster. seen is the instant that the document speaks of, for rows that name
// none of their own. Exactly one result is nil. A rejected row still carries name, key and whether it speaks
// of a child, as far as they can be read: so the person is not taken for absent, and a juvenile is hidden.
func (m *Mapper) Roster(rec *decode.Record, seen time.Time) (*snapshot.RosterRow, *Rejected) {
	row := &snapshot.RosterRow{SeenAt: seen, Line: rec.Line}
	m.line = rec.Line
	bad := m.roster(rec, row)
	if bad == nil {
		bad = dirty(clean.Roster(row))
	}
	if !row.KeyOnly { // such a row lacks all fields but the release's, which says nothing of them
		m.look(rec)
	}
	if bad != nil {
		if row.CountyID == 0 { // it was refused before that was read
			row.CountyID, _ = m.county(m.entities["booking"].get("county"), rec)
		}
		bad.County, bad.Line, bad.Raw, bad.Who, bad.Key, bad.Child = row.CountyID, rec.Line, rec.Raw(), row.Name, m.keyOfRejected(rec, row), m.ofChild(rec, row)
		return nil, bad
	}
	row.Fingerprint, row.Photograph = m.fingerprint.Roster(row), m.photograph("booking", rec)
	return row, nil
}

// roster reads a booking with its person and charges. What a row needs at least comes first, so that the
// reason of a rejected row is the plainest one. Birth and age come before what may be rejected, because a key
// can be made of them.
func (m *Mapper) roster(rec *decode.Record, row *snapshot.RosterRow) (bad *Rejected) {
	if ok, bad := m.keyOnly(rec, row); ok {
		return bad
	}
	row.Changes = m.config.Changes
	booking, person := m.entities["booking"], m.entities["person"]
	if row.Name, bad = name(person, "name", rec); bad != nil {
		bad.Field = qualified("person", bad.Field)
		return bad
	}
	if bad = m.observed(booking.get("observed_at"), rec, &row.SeenAt); bad != nil {
		return bad
	}
	if row.CountyID, bad = m.county(booking.get("county"), rec); bad != nil {
		return bad
	}
	if bad = bookedAt(booking, rec, row); bad != nil {
		return bad
	}
	b := m.born(person, rec, row.BookedAt)
	row.DOB, row.BirthYear, row.Age = b.dob, b.year, int16(b.age) //nolint:gosec // born keeps it within a life
	if bad = m.released(booking, rec, row); bad != nil {
		return bad
	}
	if row.Agency, bad = booking.get("agency").text(rec); bad != nil {
		return bad
	}
	flag, bad := m.juvenileFlag(booking.get("juvenile"), rec)
	if bad != nil {
		return bad
	}
	row.Withheld, row.AgeDoubt = m.withhold(b, flag == flagYes, row.BookedAt, row.SeenAt)
	if row.Withheld = orMaybe(row.Withheld, flag); flag == flagUnclear {
		row.AgeDoubt = ""
	}
	if m.config.WithholdUnknown && row.Withheld == "" && flag == flagSilent && b.unknown() {
		row.Withheld, row.AgeDoubt = models.WithheldMaybeJuvenile, snapshot.DoubtUnknown
	}
	if row.Sign = b.sign(flag, row.Withheld, row.BookedAt, row.SeenAt); row.Flagged() {
		m.flags++
	}
	row.Adult = row.Withheld == "" && b.age > 0
	if bad = m.charges(rec, row); bad != nil {
		return bad
	}
	return m.rosterKeys(rec, row)
}

// maxStay is how many years ago a booking may be, or how far ahead a planned release; beyond it the date is
// none.
const maxStay = 80

// bookedAt reads when the person was booked. Some sources have day and time in two columns. A day and a half
// ahead is accepted, as clocks and zones of vendors differ.
func bookedAt(booking *entity, rec decode.Fields, row *snapshot.RosterRow) *Rejected {
	m, ok, bad := booking.get("booked_at").moment(rec)
	if bad != nil {
		return bad
	}
	if !ok {
		return reject("booking.booked_at", "is missing")
	}
	row.BookedAt = m.At
	if clock, bad := booking.get("booked_time").clock(rec); bad != nil {
		return bad
	} else if clock != "" {
		row.BookedAt = atClock(models.DateOf(m.At), clock)
	}
	if row.BookedAt.After(row.SeenAt.Add(36 * time.Hour)) {
		return reject("booking.booked_at", "lies in the future")
	}
	if row.BookedAt.Before(row.SeenAt.AddDate(-maxStay, 0, 0)) {
		return reject("booking.booked_at", "lies more than %d years back", maxStay)
	}
	return nil
}

// atClock returns the instant of HH:MM on a day in Georgia.
func atClock(day models.Date, clock string) time.Time {
	hour, _ := strconv.Atoi(clock[:2])
	minute, _ := strconv.Atoi(clock[3:])
	return value.Civil(day.Year, day.Month, day.Day, hour, minute, 0, 0)
}

// released reads whether and when a person left, or is to leave. A release stated by its day alone is over
// with that day where being listed means to be held (docs/decisions/0010-released-today.md): until then it is
// a posted one, and the person stays booked.
func (m *Mapper) released(booking *entity, rec decode.Fields, row *snapshot.RosterRow) *Rejected {
	told, ok, bad := booking.get("released_at").moment(rec)
	if bad != nil {
		return bad
	}
	// A release of today without a time is posted: it counts when the day is over, or if the row itself says
	// that the person left.
	posted := ok && m.config.Held && !told.Clock && models.DateOf(told.At) == models.DateOf(row.SeenAt.In(models.Georgia))
	if !ok || posted {
		gone, said, bad := booking.get("released").yes(rec)
		if bad != nil {
			return bad
		}
		posted = !gone
		if !ok {
			if row.Held = said && !gone; gone {
				row.ReleasedAt, row.ReleaseInferred = new(row.SeenAt), true
			}
			return nil
		}
	}
	at := told.At
	// Midnight lies before the booking of the same day; a release by its day alone means some time after the
	// booking.
	if !told.Clock && at.Before(row.BookedAt) && models.DateOf(at) == models.DateOf(row.BookedAt.In(models.Georgia)) {
		at = row.BookedAt
	}
	// In the night when an hour happens twice, only the second one may lie after the booking.
	if second, twice := value.Again(at); told.Wall && told.Clock && twice && at.Before(row.BookedAt) {
		at = second
	}
	switch {
	case at.Before(row.BookedAt):
		return reject("booking.released_at", "lies before the booking")
	case at.After(row.SeenAt.AddDate(maxStay, 0, 0)): // a sentinel of some kind: still in jail
	case posted, at.After(row.SeenAt):
		row.PlannedRelease = &at
	default:
		row.ReleasedAt = &at
	}
	return nil
}

// charges reads the charges, and the bond with them. A charge without a description is not listed, but its
// bond counts.
func (m *Mapper) charges(rec decode.Fields, row *snapshot.RosterRow) *Rejected {
	charge := m.entities["charge"]
	parts, unpaired := m.parts("charge", rec)
	if len(parts) > part.Max {
		return reject("charge", "has more than %d charges", part.Max)
	}
	type ordered struct {
		snapshot.Charge
		order int
	}
	list := make([]ordered, 0, len(parts))
	charged, bad := m.unpairedBonds(rec, unpaired)
	if bad != nil {
		return bad
	}
	for i, one := range parts {
		c, order, bad := chargeOf(charge, one, i)
		if bad != nil {
			return bad
		}
		b, bad := charge.get("bond").bond(one)
		if bad != nil {
			return bad
		}
		m.drop(b.unread)
		charged.add(b)
		c.BondCents, c.BondText, c.BondKind = b.cents(), b.text, b.Kind
		if c.Description != "" {
			list = append(list, ordered{c, order})
		}
	}
	slices.SortStableFunc(list, func(a, b ordered) int { return a.order - b.order })
	for _, c := range list {
		row.Charges = append(row.Charges, c.Charge)
	}
	return m.bond(rec, row, charged)
}

// chargeOf reads charge i; order is where the source places it, else i.
func chargeOf(charge *entity, part decode.Fields, i int) (c snapshot.Charge, order int, bad *Rejected) {
	for _, f := range []struct {
		name string
		into *string
	}{{"description", &c.Description}, {"statute", &c.Statute}, {"severity", &c.Severity}, {"disposition", &c.Disposition}} {
		if *f.into, bad = charge.get(f.name).text(part); bad != nil {
			return c, 0, bad
		}
	}
	order, ok, bad := charge.get("order").whole(part)
	if !ok {
		order = i
	}
	return c, order, bad
}

// keyOfRejected returns the key that a rejected row states all the same, so that its booking is not taken for
// absent; empty where what the key is made of could not be read.
func (m *Mapper) keyOfRejected(rec decode.Fields, row *snapshot.RosterRow) string {
	if row.KeyOnly || row.Name == "" {
		return row.Key
	}
	if bad := m.rosterKeys(rec, row); bad != nil {
		return ""
	}
	return row.Key
}

// ofChild reports whether a row that cannot be taken speaks of a person under 17: that counts all the same.
func (m *Mapper) ofChild(rec decode.Fields, row *snapshot.RosterRow) bool {
	if row.Withheld != "" { // it was read as far as that
		return true
	}
	if flag, bad := m.juvenileFlag(m.entities["booking"].get("juvenile"), rec); bad == nil && flag == flagYes {
		return true
	}
	at := row.BookedAt
	if at.IsZero() {
		at = row.SeenAt
	}
	b := birth{dob: row.DOB}
	field := m.entities["person"].get("dob")
	if when, ok, bad := field.moment(rec); b.dob == nil && ok && bad == nil {
		m.takeDay(&b, field, when, at)
	}
	return juvenile(false, b.dob, at) != ""
}

// rosterKeys makes the keys of booking, person and locator. Parts are folded, so that a change of spelling
// makes no other booking. A row without a booking key is rejected: it could never be recognised again.
func (m *Mapper) rosterKeys(rec decode.Fields, row *snapshot.RosterRow) (bad *Rejected) {
	part := func(of string) string {
		switch of {
		case "booking.booked_at":
			if row.BookedAt.IsZero() {
				return "" // of a row that was rejected for it
			}
			return row.BookedAt.UTC().Format("2006-01-02T15:04:05")
		case "person.name":
			return match.Fold(row.Name)
		case "person.dob":
			if row.DOB != nil {
				return row.DOB.String()
			}
			return ""
		case "booking.county":
			return strconv.Itoa(int(row.CountyID))
		}
		name, fieldName, _ := strings.Cut(of, ".")
		f := m.entities[name].get(fieldName)
		said, rejected := f.number(rec)
		if rejected != nil && rejected.Reason == value.NoNumber {
			m.drop(rejected) // as if it were not stated; another key may do
		} else if rejected != nil {
			bad = rejected
		}
		return said
	}
	row.Key = key(m.config.Identity.Booking, part)
	row.PersonKey = key(m.config.Identity.Person, part)
	row.Locator = key(m.config.Identity.Locator, part)
	row.Number, _ = m.entities["booking"].get("number").number(rec) // an unreadable one names nothing
	if bad == nil && row.Key == "" {
		bad = reject("identity.booking", "none of its keys can be made of this row")
	}
	if bad == nil && len(row.Key) > 500 {
		bad = reject("identity.booking", "is longer than 500 bytes")
	}
	return bad
}
