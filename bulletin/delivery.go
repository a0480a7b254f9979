package bulletin

import (
	"encoding/json"
	"fmt"
	"time"

	"rollcall/models"
)

// body is the payload of a delivery, version 2 (docs/webhooks.md): the facts of its moment, frozen when it was made.
type body struct {
	Timestamp time.Time `json:"timestamp"`
	Record    struct {
		ID          string       `json:"id"`
		Name        string       `json:"name"`
		County      string       `json:"county"`
		BookingDate time.Time    `json:"booking_date"`
		ReleaseDate *time.Time   `json:"release_date"`
		Charges     []string     `json:"charges"`
		BondAmount  *json.Number `json:"bond_amount"`
	} `json:"record"`
	Match *struct {
		Reasons []string `json:"reasons"`
	} `json:"match"`
	// Source and Alerts are those of a notice about a source.
	Source *struct {
		Title       string     `json:"title"`
		Counties    []string   `json:"counties"`
		LastSuccess *time.Time `json:"last_success"`
	} `json:"source"`
	Alerts int `json:"alerts"`
}

// OfFacts is an event of a booking by the facts of its moment. Who is watched, and why it matched, is left to the caller.
func OfFacts(id string, kind models.EventKind, at time.Time, f *models.EventFacts) *Event {
	return &Event{
		ID: id, Kind: kind, At: at, RecordID: f.RecordID, Name: f.Name, County: f.County.Name, Dob: f.Dob, BirthYear: f.BirthYear,
		BookedAt: f.BookingDate, Release: f.Release(), Charges: f.Charges, Bond: f.Bond(), BeforeCents: f.BeforeCents,
	}
}

// Of reads the event of a delivery from its frozen body.
func Of(d *models.QueuedDelivery) (*Event, error) {
	var b body
	if err := json.Unmarshal(d.Body, &b); err != nil {
		return nil, fmt.Errorf("read body of delivery %s: %w", d.ID, err)
	}
	e := &Event{
		ID: d.MessageID, Kind: d.Kind, At: b.Timestamp, RecordID: b.Record.ID, Name: b.Record.Name, County: b.Record.County,
		Dob: d.Dob, BirthYear: d.BirthYear, BookedAt: b.Record.BookingDate, Release: d.Release(b.Record.ReleaseDate), Charges: b.Record.Charges,
		BeforeCents: d.BeforeCents, Watched: d.Watched, Test: d.Test,
	}
	if b.Source != nil {
		e.Source = &Source{Title: b.Source.Title, Counties: b.Source.Counties, LastRead: b.Source.LastSuccess, Watchers: b.Alerts}
	}
	if b.Match != nil {
		e.Reasons = b.Match.Reasons
	}
	var bond *int64
	if b.Record.BondAmount != nil {
		cents, err := models.ParseCents(b.Record.BondAmount.String())
		if err != nil {
			return nil, fmt.Errorf("read bond of delivery %s: %w", d.ID, err)
		}
		bond = (*int64)(&cents)
	}
	e.Bond = models.BondOf(bond, d.BondCharges)
	return e, nil
}
