// Package scalar binds the GraphQL scalars, the Node interface and answers that no table has to the
// types of models. gqlgen.yml names its functions, and graph/generated calls them. It knows no
// schema and no resolver.
package scalar

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rollcall/models"
)

// Node is a record that can be fetched again by its id: *models.Booking, *models.CourtCase or
// *models.CorrectionsRecord.
type Node any

// NodeOf is a record that was loaded as a node: none where there is no record.
func NodeOf[T any](record *T, err error) (Node, error) {
	if record == nil || err != nil {
		return nil, err
	}
	return record, nil
}

// NewCalendarFeed is a calendar subscription that was just made, with its address. The address
// holds a token and is shown only once.
type NewCalendarFeed struct {
	Feed *models.CalendarSubscription
	// URL is the full address, below ROLLCALL_BASE_URL's host.
	URL string
}

// AlertPreview is what a watcher would have found.
type AlertPreview struct {
	Covered           bool
	ExpectedPer30Days int
	People            int
	WrongPerYear      *float64
	Hits              []*models.Hit
	// Draft is the watcher that was tried, for what is computed only when it is asked for.
	Draft *models.Watcher
}

// MarshalDate writes a calendar day as "YYYY-MM-DD".
func MarshalDate(d models.Date) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(AppendDate(make([]byte, 0, 12), d)) })
}

// AppendDate appends what MarshalDate writes.
func AppendDate(b []byte, d models.Date) []byte { return append(d.AppendTo(append(b, '"')), '"') }

// UnmarshalDate reads a strict YYYY-MM-DD. Its errors are shown to the client.
func UnmarshalDate(v any) (models.Date, error) {
	s, ok := v.(string)
	if !ok {
		return models.Date{}, errors.New("a Date is a string like 2026-03-08")
	}
	return models.ParseDate(s)
}

// MarshalDateTime writes an instant as RFC 3339 with whole seconds, in the zone that it carries:
// civil times come in Georgia's, system times in UTC.
func MarshalDateTime(t time.Time) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(AppendDateTime(make([]byte, 0, 32), t)) })
}

// AppendDateTime appends what MarshalDateTime writes.
func AppendDateTime(b []byte, t time.Time) []byte {
	return append(t.AppendFormat(append(b, '"'), time.RFC3339), '"')
}

// UnmarshalDateTime reads RFC 3339, whose 5.6 lets t and z stand. Its errors are shown to the client and repeat at most 40 bytes.
func UnmarshalDateTime(v any) (time.Time, error) {
	if s, ok := v.(string); ok {
		if t, err := time.Parse(time.RFC3339, strings.ToUpper(s)); err == nil {
			return t, nil
		}
		return time.Time{}, errors.New(strconv.Quote(clip(s)) + " is not an instant like 2026-03-08T14:30:00Z")
	}
	return time.Time{}, errors.New("a DateTime is a string like 2026-03-08T14:30:00Z")
}

// clip bounds what an error repeats of a client's text.
func clip(s string) string { return s[:min(len(s), 40)] }

// Mugshot is the photograph of a booking at an address that works for a time.
type Mugshot struct {
	URL       string
	Width     int // in pixels
	Height    int
	ExpiresAt time.Time // of the address
	TakenAt   time.Time // when it was brought
}
