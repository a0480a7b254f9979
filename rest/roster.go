package rest

import (
	"context"
	"net/http"

	"rollcall/models"
)

// listRoster answers GET /roster (SPEC.md, "GET /roster"). Filters are joined by and; from_date
// and to_date are whole local days. 400 for a filter that is not valid, also for an unknown
// county.
func (h *api) listRoster(a *answer, r *http.Request) error {
	p := newParams(r.URL.RawQuery)
	f := models.RosterFilter{
		County: p.text("county"), Name: p.text("name"), Status: enum(p, "status", models.Booked, models.Released),
		FromDate: p.date("from_date"), ToDate: p.date("to_date"), UpdatedSince: p.updatedSince(),
	}
	at := p.cursorPage()
	if p.err != nil {
		return p.err
	}
	page, err := h.root.Query().Roster(r.Context(), &f, &at.limit, &at.offset, at.after, nil)
	if err != nil {
		return cursorError(err)
	}
	a.family, a.county = models.Roster, f.County
	a.openList(page.Total, page.Limit, page.Offset, "records")
	for _, b := range page.Records {
		if err := h.booking(r.Context(), a, b); err != nil {
			return err
		}
		a.endObject()
	}
	a.closeList()
	return h.link(a, r, at, page.PageInfo.HasNextPage, page.PageInfo.End)
}

// showBooking answers GET /roster/{id}: a booking with its link to a corrections record. A
// withheld booking is 404 like an unknown one. One that was merged answers under its old id too.
// gdc_match is null without a link.
func (h *api) showBooking(a *answer, r *http.Request) error {
	ctx := r.Context()
	id, err := pathText(r, "id")
	if err != nil {
		return err
	}
	b, err := h.root.Query().RosterRecord(ctx, id, nil)
	if err != nil {
		return err
	}
	link, err := h.root.RosterRecord().GdcMatch(ctx, b)
	if err != nil {
		return err
	}
	a.family, a.county = models.Roster, &b.County.Slug
	if err := h.booking(ctx, a, b); err != nil {
		return err
	}
	if err := h.gdcMatch(ctx, a, link); err != nil {
		return err
	}
	a.endObject()
	return nil
}

// booking writes the members of a roster record and leaves the object open, so that a detail can
// follow. mugshot_url is our own address or null, never that of a vendor.
func (h *api) booking(ctx context.Context, a *answer, b *models.Booking) error {
	mugshot, err := h.root.RosterRecord().MugshotURL(ctx, b)
	if err != nil {
		return err
	}
	a.object()
	a.text("id", b.ID)
	a.text("name", b.Name)
	a.birthDate(b.Dob)
	a.text("county", b.County.Name)
	a.instant("booking_date", b.BookingDate)
	a.optionalInstant("release_date", b.ReleaseDate)
	a.texts("charges", b.Charges)
	a.money("bond_amount", b.BondCents)
	a.text("status", string(b.Status))
	a.optionalText("mugshot_url", mugshot)
	return nil
}

// gdcMatch writes the linked corrections record. It is null also when /v1 does not serve that
// record, because its status is unknown: corrections_url would be 404. confidence is high, medium
// or low (SPEC.md, "Roster detail record").
func (h *api) gdcMatch(ctx context.Context, a *answer, link *models.GdcLink) error {
	if link == nil || !link.KnownStatus {
		a.null("gdc_match")
		return nil
	}
	address, err := h.root.GdcMatch().CorrectionsURL(ctx, link)
	if err != nil {
		return err
	}
	a.name("gdc_match")
	a.object()
	a.text("gdc_id", link.GdcID)
	a.text("confidence", string(link.Confidence))
	a.bool("mugshot_match", link.MugshotMatch)
	a.text("corrections_url", address)
	a.endObject()
	return nil
}
