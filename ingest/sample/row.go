// Package sample shows what a source makes of a sample: its rows as JSON has them, with what they say and without what they do
// not, and keys that several people share. Authors of source documents read it (`rollcall sources check`), and the shipped samples
// are compared with it (expect.json). It is pure, and what it returns may hold personal data.
package sample

import (
	"time"

	"rollcall/models"
	"rollcall/models/snapshot"
)

// view collects what a row says and leaves out what it does not.
type view map[string]any

func (v view) text(key, s string) {
	if s != "" {
		v[key] = s
	}
}

func (v view) day(key string, d models.Date) {
	if d != (models.Date{}) {
		v[key] = d.String()
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
		v[key] = models.Cents(*c).Decimal()
	}
}

// bail is the bail of a case: 0 says that none is set.
func (v view) bail(cents *int64) {
	if cents != nil && *cents == 0 {
		v["bail"] = "none"
		return
	}
	v.cents("bail", cents)
}

// Roster is a row of a roster. county returns the slug of a county by its id.
func Roster(r *snapshot.RosterRow, county func(int16) string) map[string]any {
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
	v.text("agency", r.Agency)
	v.text("withheld", string(r.Withheld))
	charges := make([]map[string]any, len(r.Charges))
	for i, c := range r.Charges {
		w := view{"description": c.Description}
		w.text("statute", c.Statute)
		w.text("severity", c.Severity)
		w.text("bond_text", c.BondText)
		w.text("bond_kind", string(c.BondKind))
		w.text("disposition", c.Disposition)
		w.cents("bond", c.BondCents)
		charges[i] = w
	}
	v["charges"] = charges
	return v
}

// Court is a row of a court. county returns the slug of a county by its id.
func Court(r *snapshot.CourtRow, county func(int16) string) map[string]any {
	v := view{"row": r.Line, "county": county(r.CountyID), "court_type": r.CourtType, "number": r.Number}
	v.text("party", r.Party)
	if c := r.Case; c != nil {
		w := view{"status": c.Status}
		w.day("filed", c.Filed)
		w.bail(c.BailCents)
		w.text("defendant", c.Defendant)
		w.text("booking", c.BookingKey)
		w.text("offense", c.Offense)
		w.text("status_text", c.StatusText)
		w.text("judge", c.Judge)
		w.text("link", c.HearingLink)
		w.text("withheld", string(c.Withheld))
		w.born(c.DOB, c.BirthYear)
		v["case"] = w
	}
	for _, c := range r.Charges {
		w := view{"seq": c.Seq, "description": c.Description}
		w.text("statute", c.Statute)
		w.text("severity", c.Severity)
		w.text("disposition", c.Disposition)
		w.day("offense_date", c.OffenseDate)
		w.day("arrest_date", c.ArrestDate)
		w.day("disposition_date", c.DispositionDate)
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
	v.text("judge", r.Judge)
	if len(r.Removed) > 0 {
		v["removed"] = r.Removed
	}
	return v
}

func (v view) add(key string, w view) {
	list, _ := v[key].([]view)
	v[key] = append(list, w)
}

// Corrections is a row of the corrections department.
func Corrections(r *snapshot.CorrectionsRow) map[string]any {
	v := view{"row": r.Line, "id": r.GDCID, "name": r.Name, "category": r.Category, "status": r.Status}
	v.born(r.DOB, r.BirthYear)
	v.text("institution", r.Institution)
	v.text("sentence", r.Sentence)
	v.text("status_text", r.StatusText)
	v.text("withheld", string(r.Withheld))
	if r.ReleaseDate != nil {
		v["release_date"] = r.ReleaseDate.String()
		v["projected"] = r.ReleaseProjected
	}
	if r.ParoleEnd != nil {
		v["parole_end"] = r.ParoleEnd.String()
	}
	return v
}
