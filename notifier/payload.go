package notifier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"rollcall/models"
)

// Versions of the payload. The first is SPEC.md's and closed; the second is for endpoints that ask for it.
const (
	PayloadV1 = 1
	PayloadV2 = 2
)

// Event is one thing that happened to one record, seen by one watcher.
type Event struct {
	// ID is made once and is the webhook-id of every delivery of the event, on every attempt and to every
	// endpoint.
	ID string
	// Kind is an activity or a retraction; other notices have bodies of their own (notice.go).
	Kind models.EventKind
	// AlertID is the watcher's.
	AlertID string
	// At is when the change was detected.
	At time.Time
	// Record is as it was when the change was detected.
	Record Record
	// Match is why the watcher matched; nil only for a test delivery.
	Match *Match
	// Retracts is the event taken back; set if and only if Kind is EventRetraction.
	Retracts *Origin
}

// Record is a roster record at the moment of an event.
type Record struct {
	ID string
	// Name is as the jail wrote it.
	Name string
	// County is the display name.
	County string
	// BookingDate is written in Georgia's time.
	BookingDate time.Time
	// ReleaseDate appears in version 2 only; nil while booked.
	ReleaseDate *time.Time
	// Charges are descriptions, in the jail's order; nil is none.
	Charges []string
	// BondCents is in US cents; nil: none set. For a bond change it is the new amount.
	BondCents *int64
	// Status appears in version 2 only.
	Status models.RosterStatus
}

// Origin names an event that was sent before.
type Origin struct {
	EventID string
	Kind    models.EventKind
	// At is when that event's change was detected.
	At time.Time
}

// TestEvent returns what a test delivery carries: a booking of nobody, on no watcher's behalf. It is invented,
// so that no record leaves because somebody tries an endpoint.
func TestEvent(id string, at time.Time) Event {
	bond := int64(125_050)
	return Event{
		ID: id, Kind: models.EventBooking, AlertID: "test", At: at,
		Record: Record{
			ID: "example-2026-000000", Name: "EXAMPLE, TEST DELIVERY", County: "Example", BookingDate: at,
			Charges: []string{"THIS IS A TEST: NOBODY WAS BOOKED"}, BondCents: &bond, Status: models.Booked,
		},
	}
}

// Body serialises the event. The caller stores the bytes, and each attempt sends and signs those very bytes;
// they are never made a second time. Version 1 holds exactly the members of SPEC.md in SPEC.md's order.
// Retractions exist in version 2 only; asking for one in version 1 is an error.
func (e Event) Body(version int) ([]byte, error) {
	switch {
	case version == PayloadV1 && e.Kind != models.EventRetraction:
		return encode(payloadV1{
			Event: e.Kind, AlertID: e.AlertID, Timestamp: utc(e.At), Record: recordV1Of(e.Record),
		})
	case version == PayloadV2:
		return encode(e.payloadV2())
	}
	return nil, fmt.Errorf("payload version %d has no event %s", version, e.Kind)
}

// payloadV1 is the body of SPEC.md, "Delivery payload".
type payloadV1 struct {
	Event     models.EventKind `json:"event"`
	AlertID   string           `json:"alert_id"`
	Timestamp string           `json:"timestamp"`
	Record    recordV1         `json:"record"`
}

// recordV1 is the record of SPEC.md's body. No member is ever absent.
type recordV1 struct {
	ID          string        `json:"id"`
	Name        string        `json:"name"`
	County      string        `json:"county"`
	BookingDate string        `json:"booking_date"`
	Charges     []string      `json:"charges"`
	BondAmount  *models.Cents `json:"bond_amount"`
}

// recordV1Of converts a record; charges are [] where none are known.
func recordV1Of(r Record) recordV1 {
	charges := r.Charges
	if charges == nil {
		charges = []string{}
	}
	return recordV1{
		ID: r.ID, Name: r.Name, County: r.County, BookingDate: civil(r.BookingDate), Charges: charges,
		BondAmount: (*models.Cents)(r.BondCents),
	}
}

// payloadV2 is version 1 with its own version and id, the state of the record, why it matched and, for a
// retraction, what is taken back. docs/webhooks.md describes it for receivers.
type payloadV2 struct {
	Version   int              `json:"version"`
	ID        string           `json:"id"`
	Event     models.EventKind `json:"event"`
	AlertID   string           `json:"alert_id"`
	Timestamp string           `json:"timestamp"`
	Record    recordV2         `json:"record"`
	Match     *matchV2         `json:"match"`
	Retracts  *retractsV2      `json:"retracts"`
}

type recordV2 struct {
	recordV1
	Status      models.RosterStatus `json:"status"`
	ReleaseDate *string             `json:"release_date"`
}

type matchV2 struct {
	Probability json.Number `json:"probability"`
	Level       string      `json:"level"`
	Reasons     []string    `json:"reasons"`
}

type retractsV2 struct {
	ID        string           `json:"id"`
	Event     models.EventKind `json:"event"`
	Timestamp string           `json:"timestamp"`
}

// payloadV2 returns the event in version 2.
func (e Event) payloadV2() payloadV2 {
	p := payloadV2{
		Version: PayloadV2, ID: e.ID, Event: e.Kind, AlertID: e.AlertID, Timestamp: utc(e.At),
		Record: recordV2{recordV1: recordV1Of(e.Record), Status: e.Record.Status},
	}
	if t := e.Record.ReleaseDate; t != nil {
		text := civil(*t)
		p.Record.ReleaseDate = &text
	}
	if m := e.Match; m != nil {
		p.Match = &matchV2{Probability: json.Number(m.probability()), Level: m.Level, Reasons: append([]string{}, m.Reasons...)}
	}
	if o := e.Retracts; o != nil {
		p.Retracts = &retractsV2{ID: o.EventID, Event: o.Kind, Timestamp: utc(o.At)}
	}
	return p
}

// encode returns v as JSON. It leaves <, > and & as they are: charges hold them, and receivers log what they
// get.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode payload: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// utc writes a system time, civil a time of the jail's clock, both in whole seconds (DECISIONS.md, "Dates,
// times, unknown facts").
func utc(t time.Time) string   { return t.UTC().Format(time.RFC3339) }
func civil(t time.Time) string { return t.In(models.Georgia).Format(time.RFC3339) }
