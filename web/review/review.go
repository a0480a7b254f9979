// Package review is the pages on which operators decide about withheld records, and about records that were merged.
//
// Its templates are among those of package web. It may import web/page, web/fact and models.
package review

import (
	"cmp"
	"errors"
	"html/template"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/models/store"
	"rollcall/web/page"
	"rollcall/web/words"
)

// reviewsShown is how many records the page of reviews shows: each has two forms, and the page must stay light.
const reviewsShown = 30

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	Pages *page.Pages
	Store *store.Store
	// Now is the clock.
	Now func() time.Time
}

// Funcs returns what the templates of this package call beside the functions of all pages.
func Funcs() template.FuncMap { return template.FuncMap{"choose": choose} }

// Routes adds the pages to a router, which guards it.
func (s Site) Routes(r chi.Router) {
	r.Get("/operator/merges", s.Pages.Operator(func(v *page.Visit) error { return s.showMerges(v, mergesBody{}, page.View{}) }))
	r.Post("/operator/merges/undo", s.Pages.Operator(s.unmerge))
	r.Get("/operator/review", s.Pages.Operator(func(v *page.Visit) (err error) {
		b := reviewsAsked(v.R.URL.Query().Get)
		b.Named = false // an address alone never shows names
		if b.Just, err = s.just(v, v.R.URL.Query().Get("record")); err != nil {
			return err
		}
		return s.showReviews(v, b, page.View{})
	}))
	r.Post("/operator/review", s.Pages.Operator(func(v *page.Visit) error {
		b := reviewsAsked(v.R.PostFormValue)
		b.Named = true
		return s.showReviews(v, b, page.View{})
	}))
	r.Post("/operator/review/several", s.Pages.Operator(s.decideSeveral))
	r.Post("/operator/review/lift", s.Pages.Operator(s.decide(models.ReviewLifted, "lifted")))
	r.Post("/operator/review/withhold", s.Pages.Operator(s.restrict))
	r.Post("/operator/review/keep", s.Pages.Operator(s.decide(models.ReviewKept, "kept")))
}

// reviewsBody is what the page of reviews shows.
type reviewsBody struct {
	// The list is that of decided records; otherwise of those that wait.
	Decided bool
	// Shown with the people's names, which no other page shows.
	Named bool
	// Filter narrows the list, and From is how many of its records stand on the pages before.
	Filter  reviewFilter
	From    int
	Records []pendingRow
	// How many there are on this list, and on the other.
	Total, others int
	Now           time.Time

	// Record of a decision that was refused, and the grounds that were written.
	asked, note string
	decision    models.ReviewDecision
	// The grounds are what was wrong with it.
	noteless bool

	// picked are the records that were ticked in a form that was refused, and SeveralNote its grounds.
	picked      []string
	SeveralNote string

	// Just is the record that was decided a moment ago, and Several that several were.
	Just    *pendingRow
	Several bool

	// Hide is the record of a request to withhold one that was refused, and Why its grounds.
	Hide, Why string
}

// Waiting returns how many records wait.
func (b *reviewsBody) Waiting() int {
	if b.Decided {
		return b.others
	}
	return b.Total
}

// Reviewed returns how many were decided.
func (b *reviewsBody) Reviewed() int {
	if b.Decided {
		return b.Total
	}
	return b.others
}

// pendingRow is a record on the page of reviews.
type pendingRow struct {
	*models.Pending
	// Title of its source.
	Source string
	// The page, for the state of its forms.
	body *reviewsBody
}

// Why returns why the record is withheld, in words that name nobody: people who pass by the
// screen may read it.
func (p pendingRow) Why() words.Text {
	of, filed := models.EmptyIfNil(p.Because), p.Family == models.Courts
	switch {
	case p.Reason == models.WithheldVanished:
		return words.T("The department’s newest complete file no longer has this record.")
	case p.Reason == models.WithheldRestricted:
		return words.T("An operator withheld it.")
	case p.Reason == models.WithheldMaybeRestricted:
		return words.T("The source called this record restricted, but names the person again.")
	case p.TakenBack:
		return words.T("The source marked the person as a juvenile, then removed the mark.")
	case strings.HasPrefix(of, "case-") && !filed:
		return words.T("Based on court case {1}, this person may have been under 17 at booking.", of)
	case of != "" && filed:
		return words.T("Refers to a withheld juvenile booking: {1}.", of)
	case of != "":
		return words.T("This may be the same person as in booking {1}, which is withheld as a juvenile’s.", of)
	case p.BirthYear != nil && p.At != nil:
		if filed {
			return words.T("Based on the birth date or age, this person may have been under 17 at filing.")
		}
		return words.T("Based on the birth date or age, this person may have been under 17 at booking.")
	}
	return words.T("We can’t confirm that the person was 17 or older.")
}

// Cause returns the id of the record on whose account this one is withheld, where it stands on the same page; empty: it does not.
func (p pendingRow) Cause() string {
	for _, other := range p.body.Records {
		if p.Because != nil && other.ID == *p.Because {
			return other.ID
		}
	}
	return ""
}

// Began returns what At is the time of.
func (p pendingRow) Began() words.Text {
	if p.Family == models.Courts {
		return words.T("Filed")
	}
	return words.T("Booked")
}

// Page returns where the record is read while it is published.
func (p pendingRow) Page() string {
	return map[models.Family]string{models.Roster: "/roster/", models.Courts: "/cases/", models.Corrections: "/corrections/"}[p.Family] + p.ID
}

// Lifted reports whether a review published the record.
func (p pendingRow) Lifted() bool { return p.Pending.Lifted() }

// reviewForm is a decision that the page offers.
type reviewForm struct {
	Action      string
	Offer, Says words.Text
	Grounds     string // id of the list of reasons that it offers
	// Open unfolds the form after it was refused.
	Danger, Open bool
	// What was written then.
	Note  string
	Wrong template.HTMLAttr
}

// Forms returns the decisions that are open: both, or after one of them the other.
func (p pendingRow) Forms() (forms []reviewForm) {
	if !p.Lifted() {
		f := reviewForm{
			Action: "lift", Offer: words.T("Publish"),
			Says: words.T("Everyone with access will see this record, and anything hidden only because of it. " +
				"If the person is in jail, alerts for the name fire. Publish only if the person was 17 or older."),
			Grounds: liftGrounds[p.Reason].ID, Danger: true,
		}
		switch p.Reason {
		case models.WithheldVanished:
			f.Says = words.T("The record is shown as in the last file that had it. Publish only if the department still has it.")
		case models.WithheldMaybeRestricted, models.WithheldRestricted:
			f.Says = words.T("Everyone with access will see this record. Alerts that reported it before show their hit again and send nothing. " +
				"If the person is in jail, other alerts for the name fire. Publish only if the order to restrict it was lifted.")
		}
		forms = append(forms, p.form(f, models.ReviewLifted))
	}
	if p.Decision == nil {
		forms = append(forms, p.form(reviewForm{
			Action: "keep", Offer: words.T("Keep hidden"), Says: words.T("The record stays hidden and moves to Decided."), Grounds: kept.ID,
		}, models.ReviewKept))
	} else if p.Lifted() {
		forms = append(forms, p.form(reviewForm{
			Action: "keep", Offer: words.T("Hide again"), Says: words.T("No one will see this record any more. Alerts for it stop."), Grounds: p.hideGrounds(),
		}, models.ReviewKept))
	}
	return forms
}

// hideGrounds names the reasons to hide the record again.
func (p pendingRow) hideGrounds() string {
	if p.Reason == models.WithheldRestricted || p.Reason == models.WithheldMaybeRestricted {
		return withheld.ID
	}
	return kept.ID
}

// form opens the form again that was sent without its grounds.
func (p pendingRow) form(f reviewForm, decision models.ReviewDecision) reviewForm {
	if b := p.body; b.asked == p.ID && b.decision == decision {
		f.Open, f.Note, f.Wrong = true, b.note, page.Wrong(b.noteless)
	}
	return f
}

// showReviews shows one of the lists. The trail records who saw the names.
func (s Site) showReviews(v *page.Visit, b reviewsBody, data page.View) error {
	ctx := v.R.Context()
	if b.Named {
		if err := s.Pages.Trail(v, "withheld records: show the names", ""); err != nil {
			return err
		}
	}
	f, err := b.filter(s.Store.Counties(), s.Now())
	if err != nil {
		return err
	}
	list, total, err := s.Store.ReviewsOf(ctx, f, reviewsShown)
	if err != nil {
		return err
	}
	if len(list) == 0 && b.From > 0 { // the records of this page were decided
		b.From, f.Skip = 0, 0
		if list, total, err = s.Store.ReviewsOf(ctx, f, reviewsShown); err != nil {
			return err
		}
	}
	sources, err := s.Store.Sources(ctx)
	if err != nil {
		return err
	}
	titles := map[string]string{}
	for _, src := range sources {
		titles[src.ID] = src.Title
	}
	for _, p := range list {
		b.Records = append(b.Records, pendingRow{p, cmp.Or(titles[p.SourceID], p.SourceID), &b})
	}
	f.Decided, f.Skip = !f.Decided, 0
	if _, b.others, err = s.Store.ReviewsOf(ctx, f, 1); err != nil {
		return err
	}
	b.choices(s.Store.Counties(), sources)
	b.Total, b.Now = total, s.Now()
	data.Title, data.Script, data.At, data.Body = "Review", "review", "/operator/review", &b
	return s.Pages.Page(v, "review", data)
}

// subject names a record in the trail, which the whole account can read: it leaves the id out while the record is withheld.
func subject(p *models.Pending) string { return p.ID + " · " + p.SourceID + ", " + string(p.Reason) }

// action says in the trail which button was chosen about a record, as it was before.
func action(was *models.Pending, chosen models.ReviewDecision) string {
	switch {
	case chosen == models.ReviewLifted:
		return "record: publish"
	case was.Lifted():
		return "record: hide again"
	}
	return "record: keep hidden"
}

// decide returns the handler of a decision.
func (s Site) decide(decision models.ReviewDecision, said string) func(*page.Visit) error {
	return func(v *page.Visit) error {
		form := v.R.PostFormValue
		b := reviewsAsked(form)
		p, err := s.decided(v, decision)
		var data page.View
		switch code := models.CodeOf(err); {
		case err == nil:
			if err := s.Pages.Trail(v, action(p, decision), subject(p)); err != nil {
				return err
			}
			said := said
			if p.Lifted() && decision == models.ReviewKept {
				said = "hidden-again"
			}
			if !b.Named {
				return page.Redirect(v.W, v.R, b.after(said, p.ID))
			}
			data.Done = words.Fixed(s.Pages.Done[said])
			if b.Just, err = s.just(v, p.ID); err != nil {
				return err
			}
		case page.Mendable(err) || code == models.CodeNotFound:
			data.Failed(err)
			b.asked, b.note, b.decision, b.noteless = form("record"), form("note"), decision, data.Field == "note"
			if code != models.CodeInvalidParameter {
				data.Status = page.StatusOf(code)
			}
		default:
			return err
		}
		return s.showReviews(v, b, data)
	}
}

// just returns a record that was decided, for the message about that; nil: the address names none.
func (s Site) just(v *page.Visit, id string) (*pendingRow, error) {
	p, err := s.Store.ReviewOf(v.R.Context(), id)
	if err != nil || p == nil || p.Decision == nil {
		return nil, err
	}
	return &pendingRow{Pending: p}, nil
}

// restrict withholds the record that the form names, published or not. The trail leaves its id out while it is withheld.
func (s Site) restrict(v *page.Visit) error {
	b := reviewsAsked(v.R.PostFormValue)
	b.Hide, b.Why = v.R.PostFormValue("record"), v.R.PostFormValue("note")
	var from string
	err := error(models.Invalid("note", "write a reason: later readers rely on it"))
	if strings.TrimSpace(b.Why) != "" {
		from, err = s.Store.Restrict(v.R.Context(), b.Hide, v.User.Email, b.Why)
	}
	var data page.View
	switch code := models.CodeOf(err); {
	case err == nil:
		about, record := from, ""
		p, err := s.Store.ReviewOf(v.R.Context(), strings.TrimPrefix(strings.ToLower(strings.TrimSpace(b.Hide)), "gdc-"))
		if err != nil {
			return err
		}
		if p != nil {
			about, record = subject(p), p.ID
		}
		if err := s.Pages.Trail(v, "record: withhold", about); err != nil {
			return err
		}
		return page.Redirect(v.W, v.R, (&reviewsBody{Decided: true}).after("withheld", record))
	case page.Mendable(err) || code == models.CodeNotFound:
		if data.Failed(err); code == models.CodeNotFound {
			data.Status = page.StatusOf(code)
		}
		return s.showReviews(v, b, data)
	default:
		return err
	}
}

// decided decides about the record that the form names, as the form showed it. CodeConflict: the
// record changed since, so the operator has not seen what would be published.
func (s Site) decided(v *page.Visit, decision models.ReviewDecision) (*models.Pending, error) {
	form := v.R.PostFormValue
	if strings.TrimSpace(form("note")) == "" {
		return nil, models.Invalid("note", "write a reason: later readers rely on it")
	}
	return s.review(v, form("record"), form("seen"), decision)
}

// review stores the decision about one record, on the grounds of the form. seen is the version that its reader saw.
func (s Site) review(v *page.Visit, record, seen string, decision models.ReviewDecision) (*models.Pending, error) {
	p, err := s.Store.ReviewAsSeen(v.R.Context(), record, cmp.Or(seen, "none"), decision, v.User.Email, v.R.PostFormValue("note"))
	switch {
	case errors.Is(err, models.ErrChanged):
		err = &models.Error{Code: models.CodeConflict, Message: "this record was decided or updated after you opened the page; nothing was changed. Check it again"}
	case models.CodeOf(err) == models.CodeNotFound:
		err = models.NotFound("this record is no longer in review; nothing was changed")
	}
	return p, err
}
