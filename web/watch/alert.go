package watch

import (
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// alertSize is how many hits, and how many edits, a page of an alert shows. A hit is some 2 KB, and pages stay light.
const alertSize = 25

// alertPlace is a page of an alert: the hit and the edit behind which its lists begin; empty: with the newest.
type alertPlace struct{ After, Edits string }

// alertPlaceOf reads a place from a query or a form.
func alertPlaceOf(asked url.Values) alertPlace {
	return alertPlace{asked.Get("after"), asked.Get("edits")}
}

// address returns the address of a place of an alert.
func (p alertPlace) address(id string) string {
	asked := url.Values{}
	for name, value := range map[string]string{"after": p.After, "edits": p.Edits} {
		if value != "" {
			asked.Set(name, value)
		}
	}
	return (&url.URL{Path: "/alerts/" + id, RawQuery: asked.Encode()}).String()
}

// alertBody is what the page of an alert shows.
type alertBody struct {
	*models.Watcher
	alertPlace
	// Covered reports whether a source reports a jail that it looks at; else it finds nobody.
	Covered bool
	// Cover is in how many counties it looks, where it looks at all of Georgia.
	Cover     cover
	Receivers receivers
	Total     models.HitTotal
	Hits      []hitRow
	History   []edit
	// MoreHits and MoreEdits are the addresses of what comes behind; empty: nothing does.
	MoreHits, MoreEdits string
	// Form is what may be changed of it, as it is or as it was sent.
	Form alertForm
	// Other means that somebody changed the alert meanwhile: the form holds something else.
	Other bool
	// Open means that the form is shown unfolded.
	Open bool
	// Against is an answer that contradicts the one just given; nil: none does.
	Against *opposite
}

// Here returns the address of the page.
func (b *alertBody) Here() string { return b.address(b.ID) }

// Line is what stands below the name: the label, or where it watches.
func (b *alertBody) Line() words.Text {
	switch {
	case b.Label != nil:
		return words.Plain(*b.Label)
	case b.Watcher.County != nil:
		return words.T("{1} County", b.Watcher.County.Name)
	}
	return words.T("All of Georgia")
}

// Birth says what the alert knows of the birth; nothing where it knows none.
func (b *alertBody) Birth() words.Text {
	switch w := b.Watcher; {
	case w.Dob != nil:
		return words.Day(*w.Dob)
	case w.BirthYear != nil:
		return words.Plain(strconv.Itoa(*w.BirthYear))
	case w.Age != nil && w.AgeOn != nil:
		return words.T("aged {1} on {2}", *w.Age, words.Day(*w.AgeOn))
	}
	return nil
}

// Stored is the form as the alert is.
func (b *alertBody) Stored() alertForm { return formOfAlert(b.Watcher) }

// Figured reports whether a match on the page has a figure.
func (b *alertBody) Figured() bool {
	return slices.ContainsFunc(b.Hits, func(r hitRow) bool { return r.BornCompared() && !r.Dismissed() })
}

// When are the kinds of events of which it notifies.
func (b *alertBody) When() words.Text { return fact.Events(b.Events) }

// Later reports whether it also notifies of what happens to people who are in custody already.
func (b *alertBody) Later() bool {
	return slices.ContainsFunc(b.Events, func(kind models.EventKind) bool { return kind != models.EventBooking })
}

// Reaches says who is told what it finds; nothing where nobody is.
func (b *alertBody) Reaches() words.Text { return b.Receivers.Of(b.Events) }

// Rate says how often a hit was the person, of those with an answer.
func (b *alertBody) Rate() words.Text {
	var open words.Text
	answered := b.Total.Confirmed + b.Total.Dismissed
	if n := b.Total.Count - answered; n > 0 {
		open = words.T("{1 hit|hits} without an answer", n)
	}
	if answered > 0 {
		share := int(math.Round(100 * float64(b.Total.Confirmed) / float64(answered)))
		return words.Join("; ", words.T("{1} of {2} confirmed ({3}%)", b.Total.Confirmed, answered, share), open)
	}
	if open == nil {
		return words.T("no hit yet")
	}
	return open
}

// showAlert shows the page of an alert.
func (s Site) showAlert(v *page.Visit) error {
	w, err := s.ofAlert(v)
	if err != nil {
		return page.Hidden(err)
	}
	said, err := s.saysWidened(v, w)
	if err != nil {
		return err
	}
	b := &alertBody{Watcher: w, alertPlace: alertPlaceOf(v.R.URL.Query()), Form: formOfAlert(w)}
	return s.alertPage(v, b, page.View{Done: said})
}

// saysWidened says what the alert watches where it was just for the county in ?widened=; nothing else can be said by that.
func (s Site) saysWidened(v *page.Visit, w *models.Watcher) (words.Text, error) {
	from := s.Store.Counties().Find(v.R.URL.Query().Get("widened"))
	if from == nil || w.County != nil {
		return nil, nil
	}
	covered, err := s.Store.CoveredJails(v.R.Context())
	if err != nil {
		return nil, err
	}
	return cover{Covered: len(covered)}.widened(from, covered.Has(from)), nil
}

// alertPage shows an alert with what data says.
func (s Site) alertPage(v *page.Visit, b *alertBody, data page.View) error {
	if err := s.fillAlert(v, b); err != nil {
		return err
	}
	data.Title, data.Script, data.At, data.Body = b.Name, "alert", b.Here(), b
	return s.Page(v, "alert", data)
}

// fillAlert reads what the page shows: each part in one statement.
func (s Site) fillAlert(v *page.Visit, b *alertBody) (err error) {
	ctx, account := v.R.Context(), v.Account.ID
	covered, err := s.Store.CoveredJails(ctx)
	if err != nil {
		return err
	}
	b.Covered = covered.Has(b.Watcher.County)
	if b.Watcher.County == nil {
		b.Cover = cover{len(covered), len(s.Store.Counties().All())}
	}
	totals, err := s.Store.HitTotals(ctx, account, []string{b.ID})
	if err != nil {
		return err
	}
	b.Total = totals[b.ID]
	if b.Receivers, err = s.receiversOf(v); err != nil {
		return err
	}
	if err := s.fillAlertHits(v, b); err != nil {
		return err
	}
	if err := s.fillHistory(v, b); err != nil {
		return err
	}
	counties, err := s.Counties(ctx)
	b.Form.Counties = page.Choose(counties, b.Form.County)
	return err
}

// fillAlertHits reads a page of the alert's hits, and one more to know whether there are others behind.
func (s Site) fillAlertHits(v *page.Visit, b *alertBody) error {
	found, err := s.Store.Hits(v.R.Context(), v.Account.ID, b.ID, models.Page{Limit: alertSize + 1, After: b.After})
	if err != nil {
		return page.Hidden(err)
	}
	if len(found) > alertSize {
		found = found[:alertSize]
		b.MoreHits = alertPlace{After: found[alertSize-1].ID}.address(b.ID)
	}
	if b.Hits, err = s.hitRows(v, found); err != nil {
		return err
	}
	return s.explain(v, b.Hits)
}

// judgeHit does what a button at a hit of an alert asks for, and shows the alert again. Somebody who saw a hit before a colleague handled
// it changes nothing, and reads who that was.
func (s Site) judgeHit(v *page.Visit) error {
	w, err := s.ofAlert(v)
	if err != nil {
		return err
	}
	form := v.R.PostForm //nolint:forbidigo // the same names as in the address
	b := &alertBody{Watcher: w, alertPlace: alertPlaceOf(form), Form: formOfAlert(w)}
	a, _, err := s.handle(v, form.Get("do"), "")
	if err == nil {
		b.Against = a.against
		return s.alertPage(v, b, page.View{Done: a.says})
	}
	data := page.View{Status: refused(err)}
	if data.Status == 0 || errors.Is(err, errNotWhole) {
		return err
	}
	data.Failed(err)
	return s.alertPage(v, b, data)
}
