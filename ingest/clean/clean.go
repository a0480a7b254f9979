// Package clean is the last thing that every text of a row passes before it can be stored, whatever family it is of and
// whatever road it came by: a source, a replay, or the takeover of another system. Controls and marks of direction go, runs
// of blanks become one blank, social security numbers are blotted, and lengths are bounded.
//
// A number by which a record is known is not blotted but refused: else all records with such a number would be one. The
// package changes rows in place. It is pure, and knows no source document.
package clean

import (
	"fmt"

	"rollcall/ingest/value"
	"rollcall/internal/ssn"
	"rollcall/models/snapshot"
)

// Bounds in bytes. A longer text is a broken row, not a fact.
const (
	maxName   = 200
	maxNumber = 500
	maxKey    = 500
)

// Bad is why a row cannot be taken. It holds no personal data.
type Bad struct {
	// Field is the name of what cannot be taken, such as "name".
	Field string
	// Reason is the end of a sentence that begins with the field.
	Reason string
}

// road cleans one text after the other, and keeps the first that cannot be taken.
type road struct{ bad *Bad }

// fail notes why the row cannot be taken.
func (r *road) fail(field, format string, args ...any) {
	if r.bad == nil {
		r.bad = &Bad{field, fmt.Sprintf(format, args...)}
	}
}

// text cleans a text of any kind.
func (r *road) text(field string, into *string) {
	if *into == "" {
		return
	}
	if bad := value.Malformed(*into); bad != "" {
		r.fail(field, "%s", bad)
		return
	}
	*into = ssn.Blot(value.Squeeze(*into))
}

// bounded cleans a text that has at most so many bytes.
func (r *road) bounded(field string, into *string, most int) {
	if r.text(field, into); len(*into) > most {
		r.fail(field, "is longer than %d bytes", most)
	}
}

// name cleans the name of a person.
func (r *road) name(field string, into *string) { r.bounded(field, into, maxName) }

// number cleans a number by which a record is known.
func (r *road) number(field string, into *string) {
	if *into = value.Squeeze(*into); ssn.Holds(*into) {
		r.fail(field, "%s", value.NoNumber)
		return
	}
	r.bounded(field, into, maxNumber)
}

// Roster cleans a booking with its charges.
func Roster(row *snapshot.RosterRow) *Bad {
	var r road
	r.name("name", &row.Name)
	r.bounded("key", &row.Key, maxKey)
	r.bounded("person key", &row.PersonKey, maxKey)
	r.bounded("locator", &row.Locator, maxKey)
	r.number("number", &row.Number)
	r.text("agency", &row.Agency)
	for i := range row.Charges {
		c := &row.Charges[i]
		r.text("charge", &c.Description)
		r.text("statute", &c.Statute)
		r.text("severity", &c.Severity)
		r.text("bond", &c.BondText)
		r.text("disposition", &c.Disposition)
	}
	return r.bad
}

// Imported cleans a booking of another system. Its id is kept to the letter, as clients hold it: one that holds anything
// else than an id is refused.
func Imported(row *snapshot.ImportedBooking) *Bad {
	var r road
	r.exact("id", row.ID)
	if r.bad != nil {
		return r.bad
	}
	return Roster(&row.RosterRow)
}

// Link checks the ids of a link of another system, which are those of its records.
func Link(link *snapshot.ImportedLink) *Bad {
	var r road
	r.exact("roster_id", link.RosterID)
	r.exact("gdc_id", link.GDCID)
	return r.bad
}

// exact refuses an id that cleaning would change.
func (r *road) exact(field, id string) {
	cleaned := id
	if r.number(field, &cleaned); r.bad == nil && cleaned != id {
		r.fail(field, "holds control characters, or several blanks in a row")
	}
}

// Corrections cleans a corrections record.
func Corrections(row *snapshot.CorrectionsRow) *Bad {
	var r road
	r.number("id", &row.GDCID)
	r.name("name", &row.Name)
	r.text("institution", &row.Institution)
	r.text("sentence", &row.Sentence)
	r.text("status", &row.StatusText)
	return r.bad
}

// Court cleans a case, or the parts of a case that a row has.
func Court(row *snapshot.CourtRow) *Bad {
	var r road
	r.number("case number", &row.Number)
	r.number("party", &row.Party)
	r.text("judge", &row.Judge)
	if c := row.Case; c != nil {
		r.name("defendant", &c.Defendant)
		r.number("booking", &c.BookingKey)
		r.text("offense", &c.Offense)
		r.text("status", &c.StatusText)
		r.text("judge", &c.Judge)
		r.text("link", &c.HearingLink)
	}
	for i := range row.Charges {
		c := &row.Charges[i]
		r.text("charge", &c.Description)
		r.text("statute", &c.Statute)
		r.text("severity", &c.Severity)
		r.text("disposition", &c.Disposition)
	}
	for i := range row.Hearings {
		h := &row.Hearings[i]
		r.number("hearing", &h.Event)
		r.text("kind of hearing", &h.Kind)
		r.text("judge", &h.Judge)
		r.text("location", &h.Location)
		r.text("link", &h.Link)
	}
	for i := range row.Dispositions {
		d := &row.Dispositions[i]
		r.text("outcome", &d.Outcome)
		r.text("sentence", &d.Sentence)
	}
	for i := range row.Removed {
		r.number("hearing", &row.Removed[i])
	}
	return r.bad
}
