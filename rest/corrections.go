package rest

import (
	"net/http"

	"rollcall/models"
)

// listCorrections answers GET /corrections. gdc_id is joined with the other filters by and
// (DECISIONS, "Lists and parameters"). Records whose status is unknown are not served on /v1.
// With gdc_id at most one record returns.
func (h *api) listCorrections(a *answer, r *http.Request) error {
	p := newParams(r.URL.RawQuery)
	f := models.CorrectionsFilter{
		Name: p.text("name"), GdcID: p.text("gdc_id"),
		Category:     enum(p, "category", models.Offender, models.Parolee, models.SexOffender),
		Status:       enum(p, "status", models.Incarcerated, models.Paroled, models.ReleasedByPrison),
		UpdatedSince: p.updatedSince(),
	}
	f.KnownStatus = f.Status == nil // a wanted status is a known one
	at := p.cursorPage()
	if p.err != nil {
		return p.err
	}
	page, err := h.root.Query().Corrections(r.Context(), &f, &at.limit, &at.offset, at.after, nil)
	if err != nil {
		return cursorError(err)
	}
	a.family = models.Corrections
	a.openList(page.Total, page.Limit, page.Offset, "records")
	for _, o := range page.Records {
		a.offender(o)
		a.endObject()
	}
	a.closeList()
	return h.link(a, r, at, page.PageInfo.HasNextPage, page.PageInfo.End)
}

// showOffender answers GET /corrections/{gdc_id}: a record with the bookings linked to it. One
// whose status is unknown is 404. The bookings are those of all counties, newest first.
func (h *api) showOffender(a *answer, r *http.Request) error {
	ctx := r.Context()
	id, err := pathText(r, "gdc_id")
	if err != nil {
		return err
	}
	o, err := h.root.Query().CorrectionsRecord(ctx, id, nil)
	if err != nil {
		return err
	}
	if o.Status == models.UnknownCustody {
		return models.NotFound("corrections record not found")
	}
	booked, err := h.root.CorrectionsRecord().CountyRecords(ctx, o)
	if err != nil {
		return err
	}
	a.family = models.Corrections
	a.offender(o)
	a.array("county_records")
	for _, c := range booked {
		address, err := h.root.CountyRecord().RosterURL(ctx, c)
		if err != nil {
			return err
		}
		a.countyRecord(c, address)
	}
	a.endArray()
	a.endObject()
	return nil
}

// offender writes the members of a corrections record and leaves the object open.
func (e *encoder) offender(o *models.CorrectionsRecord) {
	e.object()
	e.text("gdc_id", o.GdcID)
	e.text("name", o.Name)
	e.birthDate(o.Dob)
	e.text("category", string(o.Category))
	e.optionalText("institution", o.Institution)
	e.optionalText("sentence", o.Sentence)
	e.text("status", string(o.Status))
	e.optionalDate("release_date", o.ReleaseDate)
	e.optionalDate("parole_end_date", o.ParoleEndDate)
}

// countyRecord writes a booking that is linked to a corrections record; address is its URL in
// /v1.
func (e *encoder) countyRecord(c *models.CountyRecord, address string) {
	e.object()
	e.text("roster_id", c.RosterID())
	e.text("county", c.County().Name)
	e.instant("booking_date", c.BookingDate())
	e.text("status", string(c.Status()))
	e.text("roster_url", address)
	e.endObject()
}
