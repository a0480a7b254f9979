// Package fingerprint condenses what a row states into 16 bytes. A source mostly repeats yesterday's rows; a
// row whose fingerprint is known needs no second look. So every fact that a reader may see must be in the
// fingerprint, and nothing that differs from one run to the next.
//
// Package mapping makes the fingerprint of each row, and package claim compares it with that of the claim. A
// fact that is missing here is a change that nobody sees; a fact too many makes every run rewrite every
// record. The package is pure and imports only models.
package fingerprint

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"rollcall/models"
	"rollcall/models/snapshot"
)

// version begins every fingerprint. Raise it when rows are mapped otherwise: each record is then read once
// more.
const version = 3

// Maker makes fingerprints. The zero value is ready. It reuses its buffer from row to row, so it is not safe
// for concurrent use.
type Maker struct{ b []byte }

// text adds a text after its length, so that no two lists of texts look alike.
func (m *Maker) text(s string) {
	m.b = binary.AppendUvarint(m.b, uint64(len(s)))
	m.b = append(m.b, s...)
}

// number adds a whole number.
func (m *Maker) number(n int64) { m.b = binary.AppendVarint(m.b, n) }

// flag adds a yes or no.
func (m *Maker) flag(v bool) {
	if v {
		m.b = append(m.b, 1)
		return
	}
	m.b = append(m.b, 0)
}

// day adds a day, or that there is none.
func (m *Maker) day(d *models.Date) {
	if m.flag(d != nil); d != nil {
		m.number(int64(d.Year*10000 + int(d.Month)*100 + d.Day))
	}
}

// at adds an instant in microseconds, as PostgreSQL stores it, or that there is none. The zone does not
// count.
func (m *Maker) at(t *time.Time) {
	if m.flag(t != nil); t != nil {
		m.number(t.UnixMicro())
	}
}

// cents adds an amount, or that there is none.
func (m *Maker) cents(n *int64) {
	if m.flag(n != nil); n != nil {
		m.number(*n)
	}
}

// sum returns 16 bytes: enough that among a billion rows no two share a fingerprint by chance.
func (m *Maker) sum() []byte {
	sum := sha256.Sum256(m.b)
	return sum[:16]
}

// begin starts a fingerprint over.
func (m *Maker) begin() { m.b = append(m.b[:0], version) }

// Roster returns the fingerprint of a booking with its charges. The order of the charges counts, as readers
// see it.
func (m *Maker) Roster(r *snapshot.RosterRow) []byte {
	m.begin()
	m.text(r.Key)
	m.text(r.PersonKey)
	m.text(r.Number)
	m.text(r.Locator)
	m.number(int64(r.CountyID))
	m.text(r.Name)
	m.day(r.DOB)
	m.number(int64(r.BirthYear))
	m.at(&r.BookedAt)
	m.flag(r.ReleaseInferred)
	if !r.ReleaseInferred { // an inferred release has the time of the run, which is no fact of the row
		m.at(r.ReleasedAt)
	}
	m.at(r.PlannedRelease)
	m.cents(r.BondCents)
	m.text(string(r.Withheld))
	m.number(int64(len(r.Charges)))
	for _, c := range r.Charges {
		m.text(c.Description)
		m.text(c.Statute)
		m.text(c.Severity)
		m.text(c.BondText)
		m.text(c.Disposition)
		m.cents(c.BondCents)
		m.text(string(c.BondKind))
	}
	if r.BondUnread { // only then: the fingerprints of all other rows stay what they were
		m.flag(true)
	}
	if r.Held {
		m.text("held")
	}
	if r.Agency != "" {
		m.text("agency")
		m.text(r.Agency)
	}
	return m.sum()
}

// Court returns the fingerprint of what one row states of a case: its facts, charges, hearings and
// dispositions. The key of the case is not in it, because a fingerprint is only compared with that of the
// same key.
func (m *Maker) Court(r *snapshot.CourtRow) []byte {
	m.begin()
	if c := r.Case; c != nil {
		for _, s := range []string{c.Defendant, c.BookingKey, c.Offense, c.Status, c.StatusText, c.Judge, c.HearingLink, string(c.Withheld)} {
			m.text(s)
		}
		m.day(c.DOB)
		m.number(int64(c.BirthYear))
		m.day(&c.Filed)
		m.cents(c.BailCents)
	}
	m.text(r.Judge)
	for _, c := range r.Charges {
		m.number(int64(c.Seq))
		m.text(c.Description + "\x00" + c.Statute + "\x00" + c.Severity + "\x00" + c.Disposition)
		for _, day := range []models.Date{c.OffenseDate, c.ArrestDate, c.DispositionDate} {
			m.day(&day)
		}
	}
	for _, h := range r.Hearings {
		m.at(&h.StartsAt)
		m.text(h.Event + "\x00" + h.Time + "\x00" + h.Kind + "\x00" + h.Judge + "\x00" + h.Location + "\x00" + h.Link)
		m.flag(h.Cancelled)
	}
	for _, d := range r.Dispositions {
		m.day(&d.Date)
		m.text(d.Outcome + "\x00" + d.Sentence)
	}
	return m.sum()
}

// Corrections returns the fingerprint of a record of the Department of Corrections.
func (m *Maker) Corrections(r *snapshot.CorrectionsRow) []byte {
	m.begin()
	for _, s := range []string{r.GDCID, r.Name, r.Category, r.Institution, r.Sentence, r.Status, r.StatusText, string(r.Withheld)} {
		m.text(s)
	}
	for _, c := range r.Categories {
		m.text(c)
	}
	m.day(r.DOB)
	m.number(int64(r.BirthYear))
	m.day(r.ReleaseDate)
	m.flag(r.ReleaseProjected)
	m.day(r.ParoleEnd)
	return m.sum()
}
