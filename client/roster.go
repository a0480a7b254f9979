package client

import (
	"context"
	"iter"
	"net/url"
	"strings"
	"time"
)

// RosterFilter narrows a list of bookings. Empty fields do not narrow.
type RosterFilter struct {
	// County is a slug, such as ben-hill.
	County string
	// Name is a part of a name, in any letter case and word order.
	Name string
	// Status is Booked or Released.
	Status string
	// From and To are days of booking, YYYY-MM-DD, both included.
	From, To string
	// UpdatedSince leaves records whose facts changed at or after it.
	UpdatedSince time.Time
}

// query returns the filter as parameters.
func (f RosterFilter) query() url.Values {
	return query("county", f.County, "name", f.Name, "status", f.Status, "from_date", f.From, "to_date", f.To, "updated_since", instant(f.UpdatedSince))
}

// Roster returns a page of bookings, newest booking first.
func (c *Client) Roster(ctx context.Context, f RosterFilter, o PageOptions) (Page[Booking], error) {
	q := f.query()
	o.add(q)
	return list[Booking](ctx, c, "/roster", "records", q)
}

// AllRoster yields the bookings of all pages, newest booking first. An error is the last that it yields.
func (c *Client) AllRoster(ctx context.Context, f RosterFilter) iter.Seq2[Booking, error] {
	return all[Booking](ctx, c, "/roster", "records", f.query())
}

// Booking returns one booking with its link. An unknown id is CodeNotFound.
func (c *Client) Booking(ctx context.Context, id string) (BookingDetail, error) {
	return show[BookingDetail](ctx, c, "/roster/"+url.PathEscape(id))
}

// CaseFilter narrows a list of court cases. With Number every other field is ignored, and at most one case is found.
type CaseFilter struct {
	// Name is a part of the defendant's name.
	Name string
	// Number is the exact case number.
	Number string
	// CourtType is state, superior, magistrate or warrants.
	CourtType string
	// County is a slug.
	County string
	// Status is pending, closed or warrant.
	Status string
	// UpdatedSince leaves cases whose facts changed at or after it.
	UpdatedSince time.Time
}

// query returns the filter as parameters.
func (f CaseFilter) query() url.Values {
	return query("name", f.Name, "case_number", f.Number, "court_type", f.CourtType, "county", f.County, "status", f.Status, "updated_since", instant(f.UpdatedSince))
}

// Courts returns a page of court cases, latest filed first.
func (c *Client) Courts(ctx context.Context, f CaseFilter, o PageOptions) (Page[Case], error) {
	q := f.query()
	o.add(q)
	return list[Case](ctx, c, "/courts", "records", q)
}

// AllCourts yields the cases of all pages, latest filed first. An error is the last that it yields.
func (c *Client) AllCourts(ctx context.Context, f CaseFilter) iter.Seq2[Case, error] {
	return all[Case](ctx, c, "/courts", "records", f.query())
}

// Case returns one case with its hearings and dispositions. When several courts use the number, it is the latest filed.
func (c *Client) Case(ctx context.Context, number string) (CaseDetail, error) {
	return show[CaseDetail](ctx, c, "/courts/"+url.PathEscape(number))
}

// OffenderFilter narrows a list of corrections records.
type OffenderFilter struct {
	// Name is a part of a name.
	Name string
	// GDCID is an exact offender id.
	GDCID string
	// Category is offender, parolee or sex_offender.
	Category string
	// Status is incarcerated, paroled or released.
	Status string
	// UpdatedSince leaves records whose facts changed at or after it.
	UpdatedSince time.Time
}

// query returns the filter as parameters.
func (f OffenderFilter) query() url.Values {
	return query("name", f.Name, "gdc_id", f.GDCID, "category", f.Category, "status", f.Status, "updated_since", instant(f.UpdatedSince))
}

// Corrections returns a page of corrections records, by name.
func (c *Client) Corrections(ctx context.Context, f OffenderFilter, o PageOptions) (Page[Offender], error) {
	q := f.query()
	o.add(q)
	return list[Offender](ctx, c, "/corrections", "records", q)
}

// AllCorrections yields the corrections records of all pages, by name. An error is the last that it yields.
func (c *Client) AllCorrections(ctx context.Context, f OffenderFilter) iter.Seq2[Offender, error] {
	return all[Offender](ctx, c, "/corrections", "records", f.query())
}

// Offender returns one corrections record with the bookings of the same person.
func (c *Client) Offender(ctx context.Context, gdcID string) (OffenderDetail, error) {
	return show[OffenderDetail](ctx, c, "/corrections/"+url.PathEscape(gdcID))
}

// query returns parameters from names and values; empty values are left out.
func query(pairs ...string) url.Values {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if strings.TrimSpace(pairs[i+1]) != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return q
}

// instant returns a time as a parameter; empty for the zero time.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
