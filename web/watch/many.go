package watch

import (
	"errors"
	"strconv"

	"rollcall/internal/plural"
	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// asked is what the form of the list asks for.
type asked struct {
	place
	// Do is the button that was pressed.
	Do string
	// Which is "ticked", "page" or "all": the alerts of the label, or of the account.
	Which string
	// IDs are the alerts that are ticked, or those of the page.
	IDs []string
	// Rev is the revision of watchers that the reader has seen.
	Rev int64
	// Sure reports whether a deletion was confirmed.
	Sure bool
}

// errNotTicked is for a form that chooses nothing.
var errNotTicked = models.InvalidBody("which", "select the alerts first, or choose all of them: nothing was changed")

// errOfSearch is for a form that chooses all that a search finds: what is found by the time of the change may be more than was
// shown.
var errOfSearch = models.InvalidBody("which", "to change alerts of a search, select them or choose all on this page: nothing was changed")

// askedBy reads the form.
func askedBy(v *page.Visit) (*asked, error) {
	form := v.R.PostForm //nolint:forbidigo // lists of values
	at, err := placeOf(form)
	if err != nil {
		return nil, err
	}
	a := &asked{place: at, Do: form.Get("do"), Which: form.Get("which"), IDs: form["id"], Sure: form.Get("sure") == "yes"}
	if a.Which == "page" {
		a.IDs = form["shown"]
	}
	if a.Rev, err = strconv.ParseInt(form.Get("rev"), 10, 64); err != nil || len(a.IDs) > models.MaxLimit {
		return nil, &models.Error{Code: models.CodeInvalidRequest, Message: "the form arrived incomplete; open the list and try again. Nothing was changed"}
	}
	return a, nil
}

// chosen are the alerts that the form is about.
func (a *asked) chosen() (alert.Chosen, error) {
	c := alert.Chosen{Seen: &a.Rev}
	switch {
	case a.Which != "all":
		c.IDs = a.IDs
	case a.Name != "" || a.Duplicates():
		return c, errOfSearch
	case a.Label != "":
		c.Label = &a.Label
	default:
		c.All = true
	}
	if a.Which != "all" && len(a.IDs) == 0 {
		return c, errNotTicked
	}
	return c, nil
}

// deed is what a button of the list does.
type deed struct {
	change alert.ManyChange
	// trail is the action in the trail.
	trail string
	// done says what became of a number of alerts, the value after that number.
	done func(n int) words.Text
}

// deedOf returns what the button of a form does to alerts that stay.
func deedOf(do, label, level string) (*deed, error) {
	switch do {
	case "pause":
		return &deed{alert.ManyChange{Paused: new(true)}, "alerts paused", func(n int) words.Text { return words.T("{1 alert is|alerts are} paused.", n) }}, nil
	case "resume":
		return &deed{alert.ManyChange{Paused: new(false)}, "alerts resumed", func(n int) words.Text { return words.T("{1 alert is|alerts are} watching again.", n) }}, nil
	case "unlabel":
		return &deed{alert.ManyChange{Label: new("")}, "alerts changed", func(n int) words.Text { return words.T("{1 alert has|alerts have} no label now.", n) }}, nil
	case "level":
		l := models.MatchLevel(level)
		return &deed{alert.ManyChange{Level: &l}, "alerts changed", func(n int) words.Text { return words.T("{1 alert is|alerts are} at level {2}.", n, words.Word(level)) }}, nil
	case "label":
		if label = models.Visible(label); label == "" {
			return nil, models.InvalidBody("named", "write the label first: nothing was changed")
		}
		return &deed{alert.ManyChange{Label: &label}, "alerts changed", func(n int) words.Text { return words.T("{1 alert is|alerts are} labelled {2}.", n, label) }}, nil
	}
	return nil, page.ErrNoPage
}

// changeAlerts does what the form of the list asks for, and shows the list again. A deletion is confirmed first.
func (s Site) changeAlerts(v *page.Visit) error {
	a, err := askedBy(v)
	if err != nil {
		return err
	}
	which, err := a.chosen()
	if err != nil {
		return s.again(v, a, err)
	}
	if a.Do == "delete" {
		return s.deleteAlerts(v, a, which)
	}
	d, err := deedOf(a.Do, v.R.PostFormValue("named"), v.R.PostFormValue("level"))
	if err != nil {
		return s.again(v, a, err)
	}
	d.change.By = models.Actor{UserID: v.User.ID}
	out, err := s.Store.ChangeWatchers(v.R.Context(), v.Account.ID, which, d.change)
	if err != nil {
		return s.again(v, a, err)
	}
	return s.after(v, a, out, d)
}

// deleteBody is what the page shows that confirms a deletion.
type deleteBody struct {
	*asked
	// Count is how many would be deleted.
	Count int
	// Names are the first of them, where they were chosen one by one.
	Names []*models.Watcher
}

// Line tells an alert from others with its name.
func (deleteBody) Line(w *models.Watcher) words.Text { return fact.AlertLine(w) }

// More counts those that are not named.
func (b deleteBody) More() int { return b.Count - len(b.Names) }

// namesShown is how many alerts a page names that are to be deleted.
const namesShown = 20

// deleteAlerts deletes alerts once the reader has confirmed how many.
func (s Site) deleteAlerts(v *page.Visit, a *asked, which alert.Chosen) error {
	if !a.Sure {
		found, err := s.Store.ChosenWatchers(v.R.Context(), v.Account.ID, which)
		if err != nil {
			return s.again(v, a, err)
		}
		b := deleteBody{asked: a, Count: found.Found - found.Newer}
		if b.Names, err = s.namesOf(v, a); err != nil {
			return err
		}
		return s.Page(v, "alerts-delete", page.View{Title: "Delete alerts", Script: "settings", At: a.Here(), Body: b})
	}
	out, err := s.Store.DeleteWatchers(v.R.Context(), v.Account.ID, which)
	if err != nil {
		return s.again(v, a, err)
	}
	return s.after(v, a, out, &deed{trail: "alerts deleted", done: func(n int) words.Text { return words.T("{1 alert was|alerts were} deleted.", n) }})
}

// namesOf returns the first of the alerts that were chosen one by one, but for those that somebody changed since.
func (s Site) namesOf(v *page.Visit, a *asked) (names []*models.Watcher, err error) {
	if a.Which == "all" {
		return nil, nil
	}
	all, err := s.Store.WatchersByID(v.R.Context(), v.Account.ID, a.IDs)
	for _, w := range all {
		if w.Rev <= a.Rev && len(names) < namesShown {
			names = append(names, w)
		}
	}
	return names, err
}

// after writes the line in the trail that the API writes, and shows the list with what was done and what was left.
func (s Site) after(v *page.Visit, a *asked, out *alert.Many, d *deed) error {
	if out.Done > 0 {
		detail := plural.Of(out.Done, "alert")
		if a.Which == "all" && a.Label != "" {
			detail += " of " + a.Label
		}
		if err := s.Trail(v, d.trail, detail); err != nil {
			return err
		}
	}
	b := listBody{place: a.place, Left: out.Examples, More: out.Newer - len(out.Examples)}
	return s.listPage(v, b, page.View{Done: d.says(out, len(a.IDs))}, nil)
}

// says returns what was done. asked is how many alerts were named one by one.
func (d *deed) says(out *alert.Many, asked int) words.Text {
	var said []words.Text
	if out.Done > 0 || out.Newer == 0 {
		said = append(said, d.done(out.Done))
	}
	if same := out.Found - out.Newer - out.Done; same > 0 {
		said = append(said, words.T("{1 alert was|alerts were} so already.", same))
	}
	if gone := asked - out.Found; asked > 0 && gone > 0 {
		said = append(said, words.T("{1 alert was|alerts were} already deleted.", gone))
	}
	return words.Join(" ", said...)
}

// again shows the list with why nothing was done. What was ticked stays so.
func (s Site) again(v *page.Visit, a *asked, problem error) error {
	c := models.CodeOf(problem)
	if c != models.CodeInvalidRequest && c != models.CodeNotFound || errors.Is(problem, page.ErrNoPage) {
		return problem
	}
	var data page.View
	data.Failed(problem)
	return s.listPage(v, listBody{place: a.place}, data, a.IDs)
}
