package person

import (
	"slices"
	"strconv"
	"strings"

	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// reportsShown is how many open reports the page shows, and how many decided ones. Each is a person to gather.
const reportsShown = 25

// report reports to operators that a record of the page is of somebody else.
func (s Site) report(v *page.Visit) error {
	id, record, note := v.Param("id"), v.R.PostFormValue("record"), v.R.PostFormValue("note")
	p, err := s.Store.PersonByID(v.R.Context(), id)
	if err != nil {
		return page.Hidden(err)
	}
	r := &models.PersonReport{Record: record, AccountID: v.Account.ID, Reporter: v.User.Email, Note: note}
	own := p.Records()
	if i := slices.IndexFunc(own, func(r *models.PersonRecord) bool { return r.ID() != record }); i >= 0 {
		r.Person = own[i].ID()
	}
	if r.Person == "" || p.Record(record) == nil {
		return s.refused(v, id, models.NotFound("this record is no longer on this page; nothing was reported"))
	}
	err = s.Store.ReportPerson(v.R.Context(), r)
	switch code := models.CodeOf(err); {
	case err == nil:
	case code == models.CodeConflict || code == models.CodeInvalidParameter:
		return s.refused(v, id, err)
	default:
		return err
	}
	if err := s.Pages.Trail(v, "record reported as another person’s", subject(r.Record, r.ID)); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, path(id)+"?done=person-reported")
}

// subject names a report in the trail, which leaves the record's id out while the record is withheld.
func subject(record string, report int64) string {
	return record + " · report " + strconv.FormatInt(report, 10)
}

// refused shows the page of a person with why a report was not taken.
func (s Site) refused(v *page.Visit, id string, why error) error {
	var data page.View
	data.Failed(why)
	data.Status = page.StatusOf(models.CodeOf(why))
	return s.show(v, id, data)
}

// reportsBody is what the page of reports shows.
type reportsBody struct {
	Open, Decided []reportRow
	// Total is how many reports are open.
	Total int

	// Asked is the report of a form that was refused, and Note what was written in it.
	Asked    int64
	Note     string
	decision string
}

// reportRow is a report with what it is about.
type reportRow struct {
	*models.PersonReport
	Path   string // of the person
	Called string // the person
	Row    row    // the record that is reported
	Beside row    // the record of the person that it is compared with
}

// reports shows the reports, and data's message. Those about records that are not published are left out.
func (s Site) reports(v *page.Visit, b reportsBody, data page.View) (err error) {
	ctx := v.R.Context()
	open, total, err := s.Store.PersonReports(ctx, true, reportsShown)
	if err != nil {
		return err
	}
	decided, _, err := s.Store.PersonReports(ctx, false, reportsShown)
	if err != nil {
		return err
	}
	if b.Open, err = s.reportRows(v, open); err != nil {
		return err
	}
	if b.Decided, err = s.reportRows(v, decided); err != nil {
		return err
	}
	b.Total = total
	data.Title, data.Script, data.At, data.Body = "People", "settings", "/operator/people", &b
	return s.Pages.Page(v, "person-reports", data)
}

// reportRows reads what reports are about.
func (s Site) reportRows(v *page.Visit, list []*models.PersonReport) (rows []reportRow, err error) {
	for _, r := range list {
		p, record, err := s.reported(v, r)
		switch {
		case models.CodeOf(err) == models.CodeNotFound:
			continue
		case err != nil:
			return nil, err
		}
		bonds, err := s.Store.BondsOf(v.R.Context(), bookingsOf(p))
		if err != nil {
			return nil, err
		}
		one := reportRow{PersonReport: r, Path: path(p.ID), Called: p.Name, Row: bornRow(record, bonds)}
		if beside := p.Record(r.Person); beside != nil {
			one.Beside = bornRow(beside, bonds)
		}
		for _, l := range slices.Concat(p.Links, p.Possible) {
			switch r.Record {
			case l.FromID():
				one.Row.Why = append(one.Row.Why, whyOf(l, l.To))
			case l.ToID():
				one.Row.Why = append(one.Row.Why, whyOf(l, l.From))
			}
		}
		rows = append(rows, one)
	}
	return rows, nil
}

// reported returns the person and the record that a report is about; CodeNotFound: one of the two is not published.
func (s Site) reported(v *page.Visit, r *models.PersonReport) (*models.Person, *models.PersonRecord, error) {
	ctx := v.R.Context()
	p, err := s.Store.PersonByID(ctx, r.Person)
	if err != nil {
		return nil, nil, err
	}
	if record := p.Record(r.Record); record != nil {
		return p, record, nil
	}
	other, err := s.Store.PersonByID(ctx, r.Record) // no link joins the two any more
	if err != nil {
		return nil, nil, err
	}
	record := other.Record(r.Record)
	if record == nil {
		return nil, nil, models.NotFound("the record was merged into another one")
	}
	return p, record, nil
}

// undo takes a decision back; the other decisions are states of reports.
const undo = "undo"

// decide ends a report: the record is of somebody else, or stays. Undo opens it again. The trail keeps each decision with its reason.
func (s Site) decide(v *page.Visit) error {
	id, err := strconv.ParseInt(v.Param("id"), 10, 64)
	if err != nil {
		return page.ErrNoPage
	}
	note, decision := v.R.PostFormValue("note"), v.R.PostFormValue("decision")
	r, err := s.Store.PersonReport(v.R.Context(), id)
	if err != nil {
		return page.Hidden(err)
	}
	reason, err := models.Grounds("note", strings.TrimSpace(note), 500)
	action, done := "report: same person", "person-kept"
	switch {
	case err != nil:
	case decision == string(models.ReportCut):
		action, done = "report: not the same person", "person-split"
		err = s.split(v, r, reason)
	case decision == undo:
		action = "report: undo"
		done, err = s.undo(v, id)
	default:
		err = s.Store.KeepPerson(v.R.Context(), id, v.User.Email, reason)
	}
	switch code := models.CodeOf(err); {
	case err == nil:
	case page.Mendable(err) || code == models.CodeNotFound:
		var data page.View
		data.Failed(err)
		if code != models.CodeInvalidParameter {
			data.Status = page.StatusOf(code)
		}
		return s.reports(v, reportsBody{Asked: id, Note: note, decision: decision}, data)
	default:
		return err
	}
	if err := s.Pages.Trail(v, action, subject(r.Record, id)+": "+reason); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/operator/people?done="+done)
}

// split keeps the record of a report apart from all other records of the person.
func (s Site) split(v *page.Visit, r *models.PersonReport, note string) error {
	p, record, err := s.reported(v, r)
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(p.Records(), func(o *models.PersonRecord) bool { return o.ID() == record.ID() })
	return s.Store.SplitPerson(v.R.Context(), r.ID, v.User.Email, note, record, others)
}

// undo opens a report again, and returns the message that says what that restored.
func (s Site) undo(v *page.Visit, id int64) (done string, err error) {
	links, err := s.Store.ReopenReport(v.R.Context(), id)
	if links == 0 {
		return "person-reopened", err
	}
	return "person-rejoined", err
}

// Basis returns the reason of a decision.
func (r reportRow) Basis() string { return text(r.Grounds) }

// decisionForm is a decision that the page offers.
type decisionForm struct {
	Report         int64
	Record         string // id, for readers who do not see the page
	Decision, Note string
	Offer, Says    words.Text // the button, and what it does
	Open           bool       // it was refused, and is unfolded
}

// Forms returns the decisions that are open: both, or to take one back.
func (b *reportsBody) Forms(r reportRow) (forms []decisionForm) {
	add := func(decision string, offer, says words.Text) {
		f := decisionForm{Report: r.ID, Record: r.Record, Decision: decision, Offer: offer, Says: says}
		if b.Asked == r.ID && b.decision == decision {
			f.Open, f.Note = true, b.Note
		}
		forms = append(forms, f)
	}
	if r.State != models.ReportOpen {
		add(undo, words.T("Undo"), words.T("The report opens again. Links that the decision dismissed are restored."))
		return forms
	}
	add(string(models.ReportCut), words.T("Not the same person"),
		words.T("The record leaves the person’s page at once. Its links to the person’s other records are dismissed."))
	add(string(models.ReportKept), words.T("Same person"), words.T("The record stays on the person’s page, and the report is closed."))
	return forms
}
