package ingest

import (
	"fmt"
	"io"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/mapping"
	"rollcall/models"
)

// sink takes what the pure stages make of a document. Only the function of the source's kind is called.
type sink struct {
	roster      func(*models.RosterRow) error
	court       func(*models.CourtRow) error
	corrections func(*models.CorrectionsRow) error
	rejected    func(*mapping.Rejected) error
	record      func(*decode.Record) // sees each record before it is mapped, or nil
}

// mapper makes the mapper of one run.
func (s *Source) mapper(counties *models.Counties) (*mapping.Mapper, error) {
	config := s.mapping()
	config.Counties = func(name string) (int16, bool) {
		if c := counties.ByName(name); c != nil {
			return c.ID, true
		}
		return 0, false
	}
	if s.County != "" {
		county, err := counties.BySlug(s.County)
		if err != nil {
			return nil, fmt.Errorf("county of source %s: %w", s.ID, err)
		}
		config.County = county.ID
	}
	return mapping.New(*config), nil
}

// rows takes one document through decode, split, map, normalise and validate. seen is the instant
// that the document speaks of.
func (s *Source) rows(m *mapping.Mapper, r io.Reader, seen time.Time, facts *decode.Facts, to sink) error {
	if !s.tellsItsEnd() {
		return s.Decode.Each(r, s.decodeLimits(), facts, func(rec *decode.Record) error { return s.row(m, rec, seen, to)() })
	}
	end := &ending{Reader: r}
	var last, cut func() error // what becomes of the newest row; the same when the document ends within it
	err := s.Decode.Each(end, s.decodeLimits(), facts, func(rec *decode.Record) error {
		before := last
		last = s.row(m, rec, seen, to)
		bad := &mapping.Rejected{Reason: "the document ends within this row", Line: rec.Line, Raw: rec.Raw()}
		cut = func() error { return to.rejected(bad) }
		if before == nil {
			return nil
		}
		return before()
	})
	if err != nil || last == nil {
		return err
	}
	if s.cutOff(facts, end) {
		return cut()
	}
	return last()
}

// cutOff tells whether a document of lines lacks the end that it should have. The line that declares the
// total comes behind the last row, so that row is whole even where the line itself is cut.
func (s *Source) cutOff(facts *decode.Facts, end *ending) bool {
	switch {
	case s.Decode.EndMarker != "" && !facts.Marker || s.Decode.Total != "" && facts.Total == nil:
		return true
	case s.Decode.Total != "":
		return false
	default:
		return s.Decode.Format == decode.Fixed && !end.closed()
	}
}

// tellsItsEnd tells whether a document of lines shows that it was cut off. Its last row is then not to
// be believed: half an amount is a wrong amount. Formats that are read whole notice by themselves.
func (s *Source) tellsItsEnd() bool {
	switch s.Decode.Format {
	case decode.CSV, decode.TSV, decode.Tagged:
		return s.Decode.EndMarker != "" || s.Decode.Total != ""
	case decode.Fixed:
		return true
	default:
		return false
	}
}

// ending remembers the last byte that was read.
type ending struct {
	io.Reader
	last byte
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if n > 0 {
		e.last = p[n-1]
	}
	return n, err
}

// closed tells whether the text ends with the end of a line, or the end mark of old systems.
func (e *ending) closed() bool { return e.last == '\n' || e.last == 0x1a }

// row maps one record and gives what is to be done with it.
func (s *Source) row(m *mapping.Mapper, rec *decode.Record, seen time.Time, to sink) func() error {
	if to.record != nil {
		to.record(rec)
	}
	var bad *mapping.Rejected
	switch {
	case rec.Bad != "":
		bad = &mapping.Rejected{Reason: rec.Bad, Line: rec.Line, Raw: rec.Raw()}
	case s.Kind == "roster":
		row, rejected := m.Roster(rec, seen)
		if bad = rejected; bad == nil {
			return func() error { return to.roster(row) }
		}
	case s.Kind == "courts":
		row, rejected := m.Court(rec, seen)
		if bad = rejected; bad == nil {
			return func() error { return to.court(row) }
		}
	default:
		row, rejected := m.Corrections(rec, seen)
		if bad = rejected; bad == nil {
			return func() error { return to.corrections(row) }
		}
	}
	return func() error { return to.rejected(bad) }
}
