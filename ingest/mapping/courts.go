package mapping

import (
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/value"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// Court maps one record of a court source: a case with what is nested in it, or, in a source of several
// record kinds, a part of a case. seen is the instant of the document. Exactly one result is nil.
func (m *Mapper) Court(rec *decode.Record, seen time.Time) (*snapshot.CourtRow, *Rejected) {
	row := &snapshot.CourtRow{SeenAt: seen, Line: rec.Line, Whole: rec.Kind == ""}
	m.line = rec.Line
	m.look(rec)
	bad := m.court(rec, row)
	if bad != nil {
		bad.County, bad.Line, bad.Raw = row.CountyID, rec.Line, rec.Raw()
		return nil, bad
	}
	row.Fingerprint = m.fingerprint.Court(row)
	return row, nil
}

// court reads everything that one record says of a case. The entity case comes first, as it names the key
// most fully.
func (m *Mapper) court(rec *decode.Record, row *snapshot.CourtRow) *Rejected {
	spoken := false
	for _, name := range m.courtOrder() {
		e := m.entities[name]
		if e == nil || e.when != rec.Kind {
			continue
		}
		if !spoken || name == "case" {
			spoken = true
			if bad := m.caseKey(name, e, rec, row); bad != nil {
				return bad
			}
		}
		parts, _ := m.parts(name, rec)
		if len(parts) > maxParts {
			return reject(name, "has more than %d of them", maxParts)
		}
		for _, part := range parts {
			if bad := m.courtPart(name, e, part, row); bad != nil {
				return bad
			}
		}
	}
	if !spoken {
		return reject("", "nothing is mapped from record kind %s", rec.Kind)
	}
	return nil
}

// courtOrder is the order in which the entities of a record are read, which maps do not have.
func (m *Mapper) courtOrder() []string {
	return []string{"case", "charge", "hearing", "disposition", "removal"}
}

// caseKey reads county, court, number and party. Numbers repeat from court to court, so all are needed.
// Without a party it is the first one, except in a removal, which then means the hearings of all parties.
func (m *Mapper) caseKey(entityName string, e *entity, rec decode.Fields, row *snapshot.CourtRow) (bad *Rejected) {
	if row.CountyID, bad = m.county(e.get("county"), rec); bad != nil {
		return bad
	}
	kind, _, bad := m.enum(e.get("court_type"), rec)
	if bad != nil {
		return bad
	}
	if kind == "" {
		return reject(entityName+".court_type", "is missing or unknown")
	}
	row.CourtType = kind
	if row.Number, bad = e.get("number").text(rec); bad != nil {
		return bad
	}
	if row.Party, bad = e.get("party").text(rec); bad != nil {
		return bad
	}
	if row.Party == "" && entityName != "removal" {
		row.Party = "1"
	}
	return nil
}

// courtPart reads one part of a case into row.
func (m *Mapper) courtPart(name string, e *entity, rec decode.Fields, row *snapshot.CourtRow) *Rejected {
	switch name {
	case "case":
		return m.caseFacts(e, rec, row)
	case "charge":
		return caseCharge(e, rec, row)
	case "hearing":
		return m.hearing(e, rec, row)
	case "disposition":
		return disposition(e, rec, row, "date", "outcome", "sentence")
	default:
		event, bad := e.get("event").text(rec)
		row.Removed = append(row.Removed, event)
		return bad
	}
}

// caseFacts reads the facts of the case itself. A day of filing in the future, or longer ago than a life, is
// none, and rejects the row.
func (m *Mapper) caseFacts(e *entity, rec decode.Fields, row *snapshot.CourtRow) (bad *Rejected) {
	c := &snapshot.CaseFacts{}
	if bad = m.observed(e.get("observed_at"), rec, &row.SeenAt); bad != nil {
		return bad
	}
	if c.Defendant, bad = name(e, "defendant", rec); bad != nil {
		bad.Field = qualified("case", bad.Field)
		return bad
	}
	filed, bad := e.get("filed").date(rec)
	if bad != nil {
		return bad
	}
	if filed == nil {
		return reject("case.filed", "is missing")
	}
	c.Filed = *filed
	filedAt := c.Filed.In(models.Georgia)
	switch {
	case filedAt.After(row.SeenAt.Add(36 * time.Hour)):
		return reject("case.filed", "lies in the future")
	case filedAt.Before(row.SeenAt.AddDate(-maxStay, 0, 0)):
		return reject("case.filed", "lies more than %d years back", maxStay)
	}
	b := m.born(e, rec, filedAt)
	c.DOB, c.BirthYear = b.dob, b.year
	if c.Status, c.StatusText, bad = m.enum(e.get("status"), rec); bad != nil {
		return bad
	}
	if c.Status == "" {
		c.Status = "unknown"
	} else {
		c.StatusText = ""
	}
	if bad = texts(e, rec, map[string]*string{"booking": &c.BookingKey, "offense": &c.Offense, "judge": &c.Judge}); bad != nil {
		return bad
	}
	if c.HearingLink, bad = m.link(e.get("link"), rec); bad != nil {
		return bad
	}
	flag, bad := m.juvenileFlag(e.get("juvenile"), rec)
	if bad != nil {
		return bad
	}
	// A court writes the age at filing or at arrest and not today's, so months since the filing raise no
	// doubt.
	if why, doubt := m.withhold(b, flag == flagYes, filedAt, row.SeenAt); doubt != snapshot.DoubtMonths {
		c.Withheld = why
	}
	c.Withheld = orMaybe(c.Withheld, flag)
	row.Case = c
	return disposition(e, rec, row, "disposition_date", "disposition", "sentence")
}

// texts reads several fields that need no conversion.
func texts(e *entity, rec decode.Fields, into map[string]*string) (bad *Rejected) {
	for name, to := range into {
		if *to, bad = e.get(name).text(rec); bad != nil {
			return bad
		}
	}
	return nil
}

// caseCharge reads a charge; without a sequence, its position is one.
func caseCharge(e *entity, rec decode.Fields, row *snapshot.CourtRow) (bad *Rejected) {
	c := snapshot.CaseCharge{}
	seq, ok, bad := e.get("sequence").whole(rec)
	if bad != nil {
		return bad
	}
	if !ok {
		seq = len(row.Charges) + 1
	}
	c.Seq = int32(seq) //nolint:gosec // whole keeps numbers below a billion
	if bad = texts(e, rec, map[string]*string{
		"description": &c.Description, "statute": &c.Statute, "severity": &c.Severity, "disposition": &c.Disposition,
	}); bad != nil {
		return bad
	}
	row.Charges = append(row.Charges, c)
	return nil
}

// hearing reads a hearing. A day is needed and a time is not: many calendars list only days. Without a number
// of its own, a hearing is known by day and time; resolve recognises it when the court numbers it later.
func (m *Mapper) hearing(e *entity, rec decode.Fields, row *snapshot.CourtRow) (bad *Rejected) {
	h := snapshot.HearingFacts{}
	day, bad := e.get("date").date(rec)
	if bad != nil {
		return bad
	}
	if day == nil {
		return reject("hearing.date", "is missing")
	}
	h.Date = *day
	if h.Time, bad = e.get("time").clock(rec); bad != nil {
		return bad
	}
	h.StartsAt = value.Civil(day.Year, day.Month, day.Day, 0, 0, 0, 0)
	if h.Time != "" {
		h.StartsAt = atClock(*day, h.Time)
	}
	if bad = texts(e, rec, map[string]*string{"event": &h.Event, "kind": &h.Kind, "judge": &h.Judge, "location": &h.Location}); bad != nil {
		return bad
	}
	if h.Link, bad = m.link(e.get("link"), rec); bad != nil {
		return bad
	}
	if h.Event == "" {
		h.Event = day.String() + "T" + h.Time
	}
	if h.Cancelled, _, bad = e.get("cancelled").yes(rec); bad != nil {
		return bad
	}
	row.Hearings = append(row.Hearings, h)
	return nil
}

// disposition reads an outcome with its day. Without both it is none: sources print empty columns for open
// cases.
func disposition(e *entity, rec decode.Fields, row *snapshot.CourtRow, date, outcome, sentence string) *Rejected {
	day, bad := e.get(date).date(rec)
	if bad != nil {
		return bad
	}
	d := snapshot.DispositionFacts{Seq: int16(len(row.Dispositions) + 1)} //nolint:gosec // bounded by maxParts
	if d.Outcome, bad = e.get(outcome).text(rec); bad != nil {
		return bad
	}
	if day == nil || d.Outcome == "" {
		return nil
	}
	d.Date = *day
	d.Sentence, bad = e.get(sentence).text(rec)
	row.Dispositions = append(row.Dispositions, d)
	return bad
}
