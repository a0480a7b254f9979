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
	return mapping.New(*config)
}

// rows takes one document through decode, split, map, normalise and validate. seen is the instant
// that the document speaks of.
func (s *Source) rows(m *mapping.Mapper, r io.Reader, seen time.Time, facts *decode.Facts, to sink) error {
	return s.Decode.Each(r, s.decodeLimits(), facts, func(rec *decode.Record) error {
		if rec.Bad != "" {
			return to.rejected(&mapping.Rejected{Reason: rec.Bad, Line: rec.Line, Raw: rec.Raw()})
		}
		var bad *mapping.Rejected
		switch s.Kind {
		case "roster":
			row, rejected := m.Roster(rec, seen)
			if bad = rejected; bad == nil {
				return to.roster(row)
			}
		case "courts":
			row, rejected := m.Court(rec, seen)
			if bad = rejected; bad == nil {
				return to.court(row)
			}
		default:
			row, rejected := m.Corrections(rec, seen)
			if bad = rejected; bad == nil {
				return to.corrections(row)
			}
		}
		return to.rejected(bad)
	})
}
