package mapping

import (
	"fmt"
	"time"

	"rollcall/ingest/clean"
	"rollcall/ingest/decode"
	"rollcall/ingest/part"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// lifeYears is how files of numbers write a sentence for life: a number of years that nobody serves.
const lifeYears = 999

// Corrections maps one record of a corrections source. seen is the instant of the document, for rows that
// name none of their own. What the source does not state itself (the release date, the length) comes from the
// sentences: the longest that is not completed.
//
// Exactly one result is nil. A rejected row names the person only beside the offender id.
func (m *Mapper) Corrections(rec *decode.Record, seen time.Time) (*snapshot.CorrectionsRow, *Rejected) {
	row := &snapshot.CorrectionsRow{SeenAt: seen, Line: rec.Line}
	m.line = rec.Line
	m.look(rec)
	bad := m.corrections(rec, row)
	if bad == nil {
		bad = dirty(clean.Corrections(row))
	}
	if bad != nil {
		bad.Line, bad.Raw, bad.Key = rec.Line, rec.Raw(), row.GDCID
		if bad.Key != "" { // a name alone is shared by too many offenders
			bad.Who = row.Name
		}
		return nil, bad
	}
	row.Fingerprint, row.Photograph = m.fingerprint.Corrections(row), m.photograph("offender", rec)
	return row, nil
}

// corrections reads an offender: the facts of the record, then its sentences. An unknown status and category
// stay open to the sentences, or become offender.
func (m *Mapper) corrections(rec *decode.Record, row *snapshot.CorrectionsRow) (bad *Rejected) {
	e := m.entities["offender"]
	if bad = m.observed(e.get("observed_at"), rec, &row.SeenAt); bad != nil {
		return bad
	}
	if row.GDCID, bad = e.get("id").number(rec); bad != nil {
		return bad
	}
	if bad = texts(e, rec, map[string]*string{"institution": &row.Institution, "sentence": &row.Sentence}); bad != nil {
		return bad
	}
	if row.Name, bad = name(e, "name", rec); bad != nil {
		bad.Field = qualified("offender", bad.Field)
		return bad
	}
	b := m.born(e, rec, row.SeenAt)
	row.DOB, row.BirthYear = b.dob, b.year
	if row.Status, row.StatusText, bad = m.enum(e.get("status"), rec); bad != nil {
		return bad
	}
	if row.Status == "" {
		row.Status = "unknown"
	} else {
		row.StatusText = ""
	}
	if row.Category, _, bad = m.enum(e.get("category"), rec); bad != nil {
		return bad
	}
	if row.Category == "" {
		row.Category = "offender"
	}
	row.Categories = []string{row.Category}
	if row.ReleaseDate, bad = e.get("release_date").date(rec); bad != nil {
		return bad
	}
	if row.ReleaseProjected, _, bad = e.get("projected").yes(rec); bad != nil {
		return bad
	}
	if row.ParoleEnd, bad = e.get("parole_end").date(rec); bad != nil {
		return bad
	}
	flag, bad := m.juvenileFlag(e.get("juvenile"), rec)
	if bad != nil {
		return bad
	}
	row.Withheld, _ = m.withhold(b, flag == flagYes, row.SeenAt, row.SeenAt)
	row.Withheld = orMaybe(row.Withheld, flag)
	return m.sentences(rec, row)
}

// term is one sentence of an offender.
type term struct {
	years, months, days int
	text                string
	// open reports whether it is not yet served.
	open bool
	// release is nil if it is not stated.
	release *models.Date
}

// length is about how many days a sentence has, to compare sentences. Months have 30 days here, and no date
// is computed from it.
func (t term) length() int { return t.years*365 + t.months*30 + t.days }

// String returns a sentence as the department writes it, or its own text; empty without either.
func (t term) String() string {
	switch {
	case t.text != "":
		return t.text
	case t.years >= lifeYears:
		return "LIFE"
	case t.length() == 0:
		return ""
	}
	return fmt.Sprintf("%d YEARS, %d MONTHS, %d DAYS", t.years, t.months, t.days)
}

// sentences reads all sentences. Open ones count before those that were served; of these the longest is
// shown, and the latest release is the record's: a projected release of people inside, the end of parole, or
// the release of people who left.
func (m *Mapper) sentences(rec decode.Fields, row *snapshot.CorrectionsRow) *Rejected {
	e := m.entities["sentence"]
	if e == nil {
		return nil
	}
	var longest, latest *term
	parts, _ := m.parts("sentence", rec)
	open := len(parts) == 0
	if len(parts) > part.Max {
		return reject("sentence", "has more than %d sentences", part.Max)
	}
	for _, one := range parts {
		t, bad := sentence(e, one)
		if bad != nil {
			return bad
		}
		open = open || t.open
		if longest == nil || t.open && !longest.open || t.open == longest.open && t.length() > longest.length() {
			longest = &t
		}
		if t.release != nil && (latest == nil || t.open && !latest.open || t.open == latest.open && t.release.After(*latest.release)) {
			latest = &t
		}
	}
	if row.Sentence == "" && longest != nil {
		row.Sentence = longest.String()
	}
	if !open && row.Status == "unknown" && row.StatusText == "" {
		row.Status = "released" // no place is stated and every sentence is completed
	}
	if latest == nil {
		return nil
	}
	switch row.Status {
	case "incarcerated":
		if row.ReleaseDate == nil && latest.open {
			row.ReleaseDate, row.ReleaseProjected = latest.release, true
		}
	case "paroled":
		if row.ParoleEnd == nil && latest.open {
			row.ParoleEnd = latest.release
		}
	case "released":
		if row.ReleaseDate == nil && !latest.release.After(models.DateOf(row.SeenAt.In(models.Georgia))) {
			row.ReleaseDate = latest.release
		}
	}
	return nil
}

// sentence reads one sentence. Its release is the first of maximum release, end of probation and minimum
// release.
func sentence(e *entity, rec decode.Fields) (t term, bad *Rejected) {
	for name, into := range map[string]*int{"years": &t.years, "months": &t.months, "days": &t.days} {
		if *into, _, bad = e.get(name).whole(rec); bad != nil {
			return t, bad
		}
	}
	if t.text, bad = e.get("length").text(rec); bad != nil {
		return t, bad
	}
	done, _, bad := e.get("completed").yes(rec)
	if bad != nil {
		return t, bad
	}
	t.open = !done
	for _, name := range []string{"max_release", "probation_end", "min_release"} {
		day, bad := e.get(name).date(rec)
		if bad != nil {
			return t, bad
		}
		if t.release == nil {
			t.release = day
		}
	}
	return t, nil
}
