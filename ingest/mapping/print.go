package mapping

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"rollcall/models"
)

// printVersion goes into every fingerprint; raise it when rows are mapped otherwise, so that each
// record is looked at once more.
const printVersion = 1

// printer collects the facts of a row for its fingerprint.
type printer struct{ b []byte }

func (p *printer) text(s string) {
	p.b = binary.AppendUvarint(p.b, uint64(len(s)))
	p.b = append(p.b, s...)
}

func (p *printer) number(n int64) { p.b = binary.AppendVarint(p.b, n) }

func (p *printer) flag(v bool) {
	if v {
		p.b = append(p.b, 1)
		return
	}
	p.b = append(p.b, 0)
}

func (p *printer) day(d *models.Date) {
	if p.flag(d != nil); d != nil {
		p.number(int64(d.Year*10000 + int(d.Month)*100 + d.Day))
	}
}

func (p *printer) at(t *time.Time) {
	if p.flag(t != nil); t != nil {
		p.number(t.UnixMicro())
	}
}

func (p *printer) cents(n *int64) {
	if p.flag(n != nil); n != nil {
		p.number(*n)
	}
}

// print gives 16 bytes, enough for no two of a billion rows to meet by chance.
func (p *printer) print() []byte {
	sum := sha256.Sum256(p.b)
	return sum[:16]
}

func (m *Mapper) printer() *printer {
	return &printer{b: append(m.buf[:0], printVersion)}
}

func (m *Mapper) printRoster(r *models.RosterRow) []byte {
	p := m.printer()
	p.text(r.Key)
	p.text(r.PersonKey)
	p.text(r.Locator)
	p.number(int64(r.CountyID))
	p.text(r.Name)
	p.day(r.DOB)
	p.number(int64(r.BirthYear))
	p.at(&r.BookedAt)
	p.flag(r.ReleaseInferred)
	if !r.ReleaseInferred { // an inferred release has the time of the run, which is no fact of the row
		p.at(r.ReleasedAt)
	}
	p.at(r.PlannedRelease)
	p.cents(r.BondCents)
	p.text(r.Withheld)
	p.number(int64(len(r.Charges)))
	for _, c := range r.Charges {
		p.text(c.Description)
		p.text(c.Statute)
		p.text(c.Severity)
		p.text(c.BondText)
		p.text(c.Disposition)
		p.cents(c.BondCents)
	}
	if r.BondUnread { // only then: the prints of all other rows stay what they were
		p.flag(true)
	}
	m.buf = p.b
	return p.print()
}

func (m *Mapper) printCourt(r *models.CourtRow) []byte {
	p := m.printer()
	if c := r.Case; c != nil {
		for _, s := range []string{c.Defendant, c.BookingKey, c.Offense, c.Status, c.StatusText, c.Judge, c.HearingLink, c.Withheld} {
			p.text(s)
		}
		p.day(c.DOB)
		p.number(int64(c.BirthYear))
		p.day(&c.Filed)
	}
	for _, c := range r.Charges {
		p.number(int64(c.Seq))
		p.text(c.Description + "\x00" + c.Statute + "\x00" + c.Severity + "\x00" + c.Disposition)
	}
	for _, h := range r.Hearings {
		p.at(&h.StartsAt)
		p.text(h.Event + "\x00" + h.Time + "\x00" + h.Kind + "\x00" + h.Judge + "\x00" + h.Location + "\x00" + h.Link)
		p.flag(h.Cancelled)
	}
	for _, d := range r.Dispositions {
		p.day(&d.Date)
		p.text(d.Outcome + "\x00" + d.Sentence)
	}
	m.buf = p.b
	return p.print()
}

func (m *Mapper) printCorrections(r *models.CorrectionsRow) []byte {
	p := m.printer()
	for _, s := range []string{r.GDCID, r.Name, r.Category, r.Institution, r.Sentence, r.Status, r.StatusText, r.Withheld} {
		p.text(s)
	}
	for _, c := range r.Categories {
		p.text(c)
	}
	p.day(r.DOB)
	p.number(int64(r.BirthYear))
	p.day(r.ReleaseDate)
	p.flag(r.ReleaseProjected)
	p.day(r.ParoleEnd)
	m.buf = p.b
	return p.print()
}
