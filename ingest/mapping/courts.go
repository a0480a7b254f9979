package mapping

import (
	"time"

	"rollcall/ingest/clean"
	"rollcall/ingest/decode"
	"rollcall/ingest/part"
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
	if bad == nil {
		bad = dirty(clean.Court(row))
	}
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
		if len(parts) > part.Max {
			return reject(name, "has more than %d of them", part.Max)
		}
		for _, one := range parts {
			if bad := m.courtPart(name, e, one, row); bad != nil {
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
	return []string{"case", "judge", "charge", "hearing", "disposition", "removal"}
}

// caseKey reads county, court, number and party. Numbers repeat from court to court, so all are needed.
// Without a party it is the first one, except in a removal and in a judge's record: these then concern all parties, as every
// other part does whose party is "*".
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
	if row.Number, bad = e.get("number").number(rec); bad != nil {
		return bad
	}
	if row.Party, bad = e.get("party").number(rec); bad != nil {
		return bad
	}
	switch {
	case row.Party == "" && entityName != "removal" && entityName != "judge":
		row.Party = "1"
	case row.Party == everyParty && entityName == "case":
		return reject("case.party", "means every party, but a case has one")
	}
	return nil
}

// courtPart reads one part of a case into row.
func (m *Mapper) courtPart(name string, e *entity, rec decode.Fields, row *snapshot.CourtRow) *Rejected {
	switch name {
	case "case":
		return m.caseFacts(e, rec, row)
	case "charge":
		return m.caseCharge(e, rec, row)
	case "hearing":
		return m.hearing(e, rec, row)
	case "judge":
		return judge(e, rec, row)
	case "disposition":
		return disposition(e, rec, row, "date", "outcome", "sentence")
	default:
		event, bad := e.get("event").number(rec)
		row.Removed = append(row.Removed, event)
		return bad
	}
}

// everyParty is the party of a part that concerns all parties of its case.
const everyParty = "*"

// caseFacts reads the facts of the case itself. A day of filing in the future, or longer ago than a life, is
// none, and rejects the row. Without one, ages are those of the day on which the row was seen; resolve knows all days of the
// case.
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
	filedAt := row.SeenAt
	if filed != nil {
		if bad = past("case.filed", *filed, row.SeenAt); bad != nil {
			return bad
		}
		c.Filed, filedAt = *filed, filed.In(models.Georgia)
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
	if bad = texts(e, rec, map[string]*string{"offense": &c.Offense, "judge": &c.Judge}); bad != nil {
		return bad
	}
	if c.BookingKey, bad = e.get("booking").number(rec); bad != nil { // the case is one without it
		m.drop(bad)
	}
	if c.HearingLink, bad = m.link(e.get("link"), rec); bad != nil {
		return bad
	}
	if c.BailCents, bad = m.bail(e.get("bail"), rec); bad != nil {
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

// past returns why a day cannot be one on which something of a case happened, as of an instant: it is in the future, or longer
// ago than a life.
func past(field string, day models.Date, seen time.Time) *Rejected {
	switch at := day.In(models.Georgia); {
	case at.After(seen.Add(36 * time.Hour)):
		return reject(field, "lies in the future")
	case at.Before(seen.AddDate(-maxStay, 0, 0)):
		return reject(field, "lies more than %d years back", maxStay)
	}
	return nil
}

// bail reads the bail of a case; nil: it is not stated, 0: none is set. A text that is no amount and says nothing else is left
// out and counted.
func (m *Mapper) bail(f *field, rec decode.Fields) (*int64, *Rejected) {
	b, bad := f.bond(rec)
	if bad != nil || !b.stated {
		return nil, bad
	}
	if b.unread != nil {
		m.drop(b.unread)
		return nil, nil //nolint:nilnil // what cannot be read says nothing
	}
	return &b.Cents, nil
}

// judge reads the judge of a case. A blank says nothing.
func judge(e *entity, rec decode.Fields, row *snapshot.CourtRow) *Rejected {
	name, bad := e.get("name").text(rec)
	switch {
	case row.Case == nil:
		row.Judge = name
	case row.Case.Judge == "":
		row.Case.Judge = name
	}
	return bad
}

// caseCharge reads a charge; without a sequence, its position is one.
func (m *Mapper) caseCharge(e *entity, rec decode.Fields, row *snapshot.CourtRow) (bad *Rejected) {
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
	c.OffenseDate = m.day(e.get("offense_date"), rec, row.SeenAt)
	c.ArrestDate = m.day(e.get("arrest_date"), rec, row.SeenAt)
	c.DispositionDate = m.day(e.get("disposition_date"), rec, row.SeenAt)
	row.Charges = append(row.Charges, c)
	return nil
}

// day reads a day that a row can do without. One that is none, or cannot be right, is left out and counted.
func (m *Mapper) day(f *field, rec decode.Fields, seen time.Time) models.Date {
	day, bad := f.date(rec)
	if bad == nil && day != nil {
		bad = past(f.name, *day, seen)
	}
	if m.drop(bad); bad != nil || day == nil {
		return models.Date{}
	}
	return *day
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
	if bad = texts(e, rec, map[string]*string{"kind": &h.Kind, "judge": &h.Judge, "location": &h.Location}); bad != nil {
		return bad
	}
	if h.Link, bad = m.link(e.get("link"), rec); bad != nil {
		return bad
	}
	if h.Event, bad = e.get("event").number(rec); bad != nil {
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
	d := snapshot.DispositionFacts{Seq: int16(len(row.Dispositions) + 1)} //nolint:gosec // bounded by part.Max
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
