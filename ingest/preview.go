package ingest

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/mapping"
	"rollcall/ingest/sample"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// Preview is what a source would make of a sample: for authors of source documents, and the form of
// expect.json. It may hold personal data.
type Preview struct {
	// Rows are what each row would become, by field.
	Rows []map[string]any `json:"rows"`
	// Mistakes are those of the document itself, from whoever loaded it.
	Mistakes []string `json:"mistakes,omitempty"`
	// Bad has a sentence for each row that an ingest would not take, with its field and place.
	Bad []string `json:"bad,omitempty"`
	// Left has one for each value that is left out of a row that is a fact without it.
	Left []string `json:"left,omitempty"`
	// Unknown counts, by field, the texts that no value map knows.
	Unknown map[string]map[string]int `json:"unknown,omitempty"`
	// Absent has a sentence on each field that is mapped and in no row: likely a slip of the document.
	Absent []string `json:"-"`
	// Total is what the document declares; nil: nothing.
	Total *int `json:"total,omitempty"`
	// Doubt is why the declared total does not prove the sample whole; empty if it does.
	Doubt string `json:"-"`
	// Notes has a sentence on each thing that an ingest of the sample would report beside its rows.
	Notes []string `json:"-"`
	// BadReasons and LeftReasons are Bad and Left with one sentence for all rows of a reason.
	BadReasons, LeftReasons sample.Tally `json:"-"`
}

// Preview takes a sample through the pure stages. name is its file name, from which its instant may
// come; seen stands in where it does not. Rows are counted from 1, as they stand in a file: headers, blank
// lines and the line that ends it are none, and where several make one record it is the row with which it begins.
func (s *Source) Preview(name string, data []byte, counties *models.Counties, seen time.Time) (*Preview, error) {
	return s.preview(name, data, counties, seen, time.Time{})
}

// PreviewAt is Preview as an ingest at an instant would have it: a row that speaks of the future then is bad, and so is a
// sample whose name does.
func (s *Source) PreviewAt(name string, data []byte, counties *models.Counties, at time.Time) (*Preview, error) {
	return s.preview(name, data, counties, at, at.Add(Ahead))
}

// preview is Preview for instants up to latest; zero: for all of them.
func (s *Source) preview(name string, data []byte, counties *models.Counties, seen, latest time.Time) (*Preview, error) {
	// Nothing of a preview is stored, so authors can try samples of real people.
	m, err := s.mapper(counties)
	if err != nil {
		return nil, err
	}
	p := &Preview{Rows: []map[string]any{}}
	m.Dropped = func(r *mapping.Rejected) {
		p.Left = append(p.Left, r.InSample())
		p.LeftReasons.Add(r.String(), r.InSample(), r.Text())
	}
	m.Latest = latest
	// What is mapped and in no row is most likely a slip of the document.
	absent := m.Absent()
	// A captcha that was saved as a sample would otherwise be a file without rows.
	if mark := s.Transport.Refused(data); mark != "" {
		return nil, fmt.Errorf("read %s: it says %q, so it is a page that refuses (transport.refusals) and no record", name, mark)
	}
	var facts decode.Facts
	to := p.sink(func(id int16) string { return counties.ByID(id).Slug }, absent.See)
	err = decode.Open(name, bytes.NewReader(data), s.Limits.Bytes, func(inner string, packed bool, r io.Reader) error {
		at, ok, err := s.Transport.Observed.At(inner)
		if err != nil {
			return err
		}
		if !ok {
			at = seen
			p.Notes = append(p.Notes, sample.Unnamed(s.Transport.Observed.Regex, inner)...)
		}
		if err := tooEarly(at, latest); err != nil {
			return err
		}
		m.Within = s.countyOf(inner, counties)
		facts.Whole = packed || s.Transport.Kind == "http" // what is asked for comes whole, but for servers of old
		if err := s.rows(m, r, at, &facts, to); err != nil {
			return fmt.Errorf("read %s: %w", inner, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.Total = facts.Total
	p.Doubt = sample.TotalDoubt(&s.Decode, facts, s.Transport.Kind == "http")
	for _, column := range s.drift(facts.Header) {
		p.Notes = append(p.Notes, "decode.columns: "+column)
	}
	p.Absent = absent.Sentences()
	if u := m.Unknown(); len(u) > 0 {
		p.Unknown = u
	}
	return p, nil
}

// sink takes the rows of a sample. county gives the slug of a county, and see is called with every record.
func (p *Preview) sink(county func(id int16) string, see func(*decode.Record)) sink {
	bookings, offenders := sample.OwnersOf("identity.booking"), sample.OwnersOf("fields.offender.id")
	return sink{
		roster: func(r *snapshot.RosterRow) error {
			p.Rows = append(p.Rows, sample.Roster(r, county))
			if !r.KeyOnly {
				p.foreign(bookings.See(r.Line, r.Key, snapshot.Identity{Name: r.Name, DOB: r.DOB, Year: r.BirthYear}))
			}
			return nil
		},
		court: func(r *snapshot.CourtRow) error { p.Rows = append(p.Rows, sample.Court(r, county)); return nil },
		corrections: func(r *snapshot.CorrectionsRow) error {
			p.Rows = append(p.Rows, sample.Corrections(r))
			p.foreign(offenders.See(r.Line, r.GDCID, snapshot.Identity{Name: r.Name, DOB: r.DOB, Year: r.BirthYear}))
			return nil
		},
		rejected: func(r *mapping.Rejected) error { p.bad(r.String(), r.InSample(), r.Subject()); return nil },
		// An author counts the rows of data, whatever line they stand in.
		record: func(rec *decode.Record) { rec.Line = rec.Row; see(rec) },
	}
}

// bad notes a row that an ingest would not take. text is what did not fit, where other rows may have other such texts.
func (p *Preview) bad(reason, sentence, text string) {
	p.Bad = append(p.Bad, sentence)
	p.BadReasons.Add(reason, sentence, text)
}

// foreign notes a row whose key another person has, if there is a sentence about it.
func (p *Preview) foreign(sentence string) {
	if sentence != "" {
		p.bad("foreign", sentence, "")
	}
}
