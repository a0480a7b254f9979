package rest

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
)

// courtTypes are the spellings in responses; requests write them in lower case (SPEC.md, "Court
// case").
var courtTypes = map[models.CourtType]string{
	models.StateCourt: "State", models.SuperiorCourt: "Superior", models.MagistrateCourt: "Magistrate", models.WarrantsCourt: "Warrants",
}

// listCourts answers GET /courts. With case_number every other parameter is ignored, even an
// invalid one (SPEC.md, "GET /courts"). Cases whose status is unknown are not served on /v1, as
// its values are a closed set.
func (h *api) listCourts(a *answer, r *http.Request) error {
	p := newParams(r.URL.RawQuery)
	number := p.text("case_number")
	if p.err != nil {
		return p.err
	}
	if number != nil {
		return h.listCase(a, r, *number)
	}
	f := models.CourtFilter{
		Name: p.text("name"), County: p.text("county"),
		CourtType:    enum(p, "court_type", models.StateCourt, models.SuperiorCourt, models.MagistrateCourt, models.WarrantsCourt),
		Status:       enum(p, "status", models.PendingCase, models.ClosedCase, models.WarrantCase),
		UpdatedSince: p.updatedSince(),
	}
	f.KnownStatus = f.Status == nil // a wanted status is a known one
	at := p.cursorPage()
	if p.err != nil {
		return p.err
	}
	page, err := h.root.Query().Courts(r.Context(), &f, &at.limit, &at.offset, at.after, nil)
	if err != nil {
		return cursorError(err)
	}
	a.family, a.county = models.Courts, f.County
	a.openList(page.Total, page.Limit, page.Offset, "records")
	for _, c := range page.Records {
		a.courtCase(c)
		a.endObject()
	}
	a.closeList()
	return h.link(a, r, at, page.PageInfo.HasNextPage, page.PageInfo.End)
}

// listCase answers GET /courts?case_number= with the latest filed case of that number, or an
// empty list. How many cases share the number is in the header X-Case-Matches. Limit and offset
// are ignored too, and echoed as their defaults.
func (h *api) listCase(a *answer, r *http.Request, number string) error {
	found, err := h.casesByNumber(r, number)
	if err != nil {
		return err
	}
	a.family, a.matches = models.Courts, len(found)
	a.openList(min(len(found), 1), models.DefaultLimit, 0, "records")
	if len(found) > 0 {
		a.county = &found[0].County.Slug
		a.courtCase(found[0])
		a.endObject()
	}
	a.closeList()
	return nil
}

// casesByNumber returns the cases with exactly that number that /v1 serves, latest filed first. A
// number is unique only within county and court, so there may be several.
func (h *api) casesByNumber(r *http.Request, number string) ([]*models.CourtCase, error) {
	found, err := h.root.Query().CourtCases(r.Context(), number, nil, nil)
	if err != nil {
		return nil, err
	}
	served := make([]*models.CourtCase, 0, len(found)) // found may be shared with other requests
	for _, c := range found {
		if c.Status != models.UnknownCase {
			served = append(served, c)
		}
	}
	return served, nil
}

// showCase answers GET /courts/{case_number} and GET /courts/. Case numbers may hold slashes, so
// it takes the rest of the path. A slash at the end is tried as part of the number first, then
// without (DECISIONS, "Lists and parameters"). 404 when no case of that number is served.
func (h *api) showCase(a *answer, r *http.Request) error {
	if chi.URLParam(r, "*") == "" {
		return h.listCourts(a, r)
	}
	number, err := pathText(r, "*")
	if err != nil {
		return err
	}
	found, err := h.casesByNumber(r, number)
	if err == nil && len(found) == 0 && strings.HasSuffix(chi.URLParam(r, "*"), "/") {
		found, err = h.casesByNumber(r, strings.TrimSuffix(number, "/"))
	}
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return models.NotFound("court case not found")
	}
	a.matches = len(found)
	return h.caseDetail(a, r, found[0])
}

// caseDetail writes a case with its hearings and dispositions, both ascending. They come from
// clerks and may lag by up to 24 hours (SPEC.md, "What the service does"); the header
// X-Data-As-Of says when the court was read.
func (h *api) caseDetail(a *answer, r *http.Request, c *models.CourtCase) error {
	hearings, err := h.root.CourtCase().Hearings(r.Context(), c)
	if err != nil {
		return err
	}
	dispositions, err := h.root.CourtCase().Dispositions(r.Context(), c)
	if err != nil {
		return err
	}
	a.family, a.county = models.Courts, &c.County.Slug
	a.courtCase(c)
	a.array("hearings")
	for _, k := range hearings {
		a.hearing(k)
	}
	a.endArray()
	a.array("dispositions")
	for _, d := range dispositions {
		a.object()
		a.date("date", d.Date)
		a.text("outcome", d.Outcome)
		a.optionalText("sentence", d.Sentence)
		a.endObject()
	}
	a.endArray()
	a.endObject()
	return nil
}

// courtCase writes the members of a court case and leaves the object open. filed_date is never
// null here: a case without one shows the earliest date known of it (DECISIONS, "Dates, times,
// unknown facts"). next_hearing is computed when the case is read, so cached responses of courts
// end with the minute (decision 4).
func (e *encoder) courtCase(c *models.CourtCase) {
	e.object()
	e.text("case_number", c.CaseNumber)
	e.text("defendant", c.Defendant)
	e.text("offense", c.Offense)
	e.text("court_type", courtTypes[c.CourtType])
	e.text("county", c.County.Name)
	e.date("filed_date", c.FiledDate)
	e.text("status", string(c.Status))
	e.optionalText("judge", c.Judge)
	e.optionalInstant("next_hearing", c.NextHearing)
	e.optionalText("hearing_link", c.HearingLink)
}

// hearing writes a hearing. The contract has no null for its time, so an unknown one is 00:00.
func (e *encoder) hearing(k *models.Hearing) {
	e.object()
	e.date("date", k.Date)
	if k.Time == nil {
		e.text("time", "00:00")
	} else {
		e.text("time", *k.Time)
	}
	e.optionalText("judge", k.Judge)
	e.optionalText("location", k.Location)
	e.optionalText("zoom_link", k.ZoomLink)
	e.endObject()
}
