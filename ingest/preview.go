package ingest

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/mapping"
	"rollcall/internal/plural"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// Preview is what a source would make of a sample: for authors of source documents, and the form of
// expect.json. It may hold personal data.
type Preview struct {
	Rows     []map[string]any          `json:"rows"`
	Mistakes []string                  `json:"mistakes,omitempty"` // of the document itself, told by whoever loaded it
	Bad      []string                  `json:"bad,omitempty"`      // sentences with field and sample row
	Left     []string                  `json:"left,omitempty"`     // sentences on values that are left out of rows that are facts without them
	Unknown  map[string]map[string]int `json:"unknown,omitempty"`  // field -> text that no value map knows -> count
	Absent   []string                  `json:"-"`                  // sentences on what is mapped and in no row: likely slips of the document
	Total    *int                      `json:"total,omitempty"`    // declared by the document
	Doubt    string                    `json:"-"`                  // why the declared total of a file of lines does not prove the sample whole, or empty
}

// Preview takes a sample through the pure stages. name is its file name, from which its instant may
// come; seen stands in where it does not. Rows are counted from 1, as they stand in a file: headers, blank
// lines and the line that ends it are none, and where several make one record it is the row with which it begins.
func (s *Source) Preview(name string, data []byte, counties *models.Counties, seen time.Time) (*Preview, error) {
	m, err := s.mapper(counties)
	if err != nil {
		return nil, err
	}
	p := &Preview{Rows: []map[string]any{}}
	m.Dropped = func(r *mapping.Rejected) { p.Left = append(p.Left, r.InSample()) }
	absent := m.Absent()
	county := func(id int16) string { return counties.ByID(id).Slug }
	if mark := s.Transport.Refused(data); mark != "" {
		return nil, fmt.Errorf("read %s: it says %q, so it is a page that refuses (transport.refusals) and no record", name, mark)
	}
	var facts decode.Facts
	bookings, offenders := owners{"identity.booking", map[string]owner{}}, owners{"fields.offender.id", map[string]owner{}}
	to := sink{
		roster: func(r *snapshot.RosterRow) error {
			p.Rows = append(p.Rows, viewRoster(r, county))
			if !r.KeyOnly {
				p.foreign(bookings.see(r.Line, r.Key, snapshot.Identity{Name: r.Name, DOB: r.DOB}))
			}
			return nil
		},
		court: func(r *snapshot.CourtRow) error { p.Rows = append(p.Rows, viewCourt(r, county)); return nil },
		corrections: func(r *snapshot.CorrectionsRow) error {
			p.Rows = append(p.Rows, viewCorrections(r))
			p.foreign(offenders.see(r.Line, r.GDCID, snapshot.Identity{Name: r.Name, DOB: r.DOB}))
			return nil
		},
		rejected: func(r *mapping.Rejected) error { p.Bad = append(p.Bad, r.InSample()); return nil },
		// An author counts the rows of data, whatever line they stand in.
		record: func(rec *decode.Record) { rec.Line = rec.Row; absent.See(rec) },
	}
	err = decode.Open(name, bytes.NewReader(data), s.Limits.Bytes, func(inner string, packed bool, r io.Reader) error {
		at, ok, err := s.Transport.Observed.At(inner)
		if err != nil {
			return err
		}
		if !ok {
			at = seen
		}
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
	if s.Decode.Format.Lined() && s.Decode.Total != "" {
		p.Doubt = totalDoubt(facts)
	}
	p.Absent = absent.Sentences()
	if u := m.Unknown(); len(u) > 0 {
		p.Unknown = u
	}
	return p, nil
}

// foreign notes a row that an ingest would not take.
func (p *Preview) foreign(sentence string) {
	if sentence != "" {
		p.Bad = append(p.Bad, sentence)
	}
}

func totalDoubt(f decode.Facts) string {
	switch {
	case f.Total == nil:
		return "decode.total: the last line of the sample does not match"
	case *f.Total != f.Lines:
		return fmt.Sprintf("decode.total: the sample declares %s and has %d", plural.Of(*f.Total, "row"), f.Lines)
	default:
		return ""
	}
}

// view collects what a row says and leaves out what it does not.
type view map[string]any

func (v view) text(key, s string) {
	if s != "" {
		v[key] = s
	}
}

func (v view) time(key string, t *time.Time) {
	if t != nil {
		v[key] = t.In(models.Georgia).Format(time.RFC3339)
	}
}

func (v view) born(dob *models.Date, year int16) {
	if dob != nil {
		v["dob"] = dob.String()
	} else if year != 0 {
		v["birth_year"] = year
	}
}

func (v view) cents(key string, c *int64) {
	if c != nil {
		v[key] = fmt.Sprintf("%d.%02d", *c/100, *c%100)
	}
}

func viewRoster(r *snapshot.RosterRow, county func(int16) string) map[string]any {
	if r.KeyOnly {
		v := view{"row": r.Line, "key": r.Key, "key_only": true, "release_inferred": r.ReleaseInferred}
		v.time("released_at", r.ReleasedAt)
		v.time("planned_release", r.PlannedRelease)
		v.time("seen_at", &r.SeenAt)
		return v
	}
	v := view{"row": r.Line, "key": r.Key, "county": county(r.CountyID), "name": r.Name}
	v.text("person_key", r.PersonKey)
	v.text("locator", r.Locator)
	v.born(r.DOB, r.BirthYear)
	v.time("booked_at", &r.BookedAt)
	v.time("released_at", r.ReleasedAt)
	v.time("planned_release", r.PlannedRelease)
	v.time("seen_at", &r.SeenAt)
	if r.ReleaseInferred {
		v["release_inferred"] = true
	}
	v.cents("bond", r.BondCents)
	v.text("withheld", r.Withheld)
	charges := make([]map[string]any, len(r.Charges))
	for i, c := range r.Charges {
		w := view{"description": c.Description}
		w.text("statute", c.Statute)
		w.text("severity", c.Severity)
		w.text("bond_text", c.BondText)
		w.text("disposition", c.Disposition)
		w.cents("bond", c.BondCents)
		charges[i] = w
	}
	v["charges"] = charges
	return v
}

func viewCourt(r *snapshot.CourtRow, county func(int16) string) map[string]any {
	v := view{"row": r.Line, "county": county(r.CountyID), "court_type": r.CourtType, "number": r.Number}
	v.text("party", r.Party)
	if c := r.Case; c != nil {
		w := view{"filed": c.Filed.String(), "status": c.Status}
		w.text("defendant", c.Defendant)
		w.text("booking", c.BookingKey)
		w.text("offense", c.Offense)
		w.text("status_text", c.StatusText)
		w.text("judge", c.Judge)
		w.text("link", c.HearingLink)
		w.text("withheld", c.Withheld)
		w.born(c.DOB, c.BirthYear)
		v["case"] = w
	}
	for _, c := range r.Charges {
		w := view{"seq": c.Seq, "description": c.Description}
		w.text("statute", c.Statute)
		w.text("severity", c.Severity)
		w.text("disposition", c.Disposition)
		v.add("charges", w)
	}
	for _, h := range r.Hearings {
		w := view{"event": h.Event, "starts_at": h.StartsAt.Format(time.RFC3339)}
		w.text("time", h.Time)
		w.text("kind", h.Kind)
		w.text("judge", h.Judge)
		w.text("location", h.Location)
		w.text("link", h.Link)
		if h.Cancelled {
			w["cancelled"] = true
		}
		v.add("hearings", w)
	}
	for _, d := range r.Dispositions {
		w := view{"date": d.Date.String(), "outcome": d.Outcome}
		w.text("sentence", d.Sentence)
		v.add("dispositions", w)
	}
	if len(r.Removed) > 0 {
		v["removed"] = r.Removed
	}
	return v
}

func (v view) add(key string, w view) {
	list, _ := v[key].([]view)
	v[key] = append(list, w)
}

func viewCorrections(r *snapshot.CorrectionsRow) map[string]any {
	v := view{"row": r.Line, "id": r.GDCID, "name": r.Name, "category": r.Category, "status": r.Status}
	v.born(r.DOB, r.BirthYear)
	v.text("institution", r.Institution)
	v.text("sentence", r.Sentence)
	v.text("status_text", r.StatusText)
	v.text("withheld", r.Withheld)
	if r.ReleaseDate != nil {
		v["release_date"] = r.ReleaseDate.String()
		v["projected"] = r.ReleaseProjected
	}
	if r.ParoleEnd != nil {
		v["parole_end"] = r.ParoleEnd.String()
	}
	return v
}
