package watch

import (
	"context"
	"strings"

	"rollcall/match"
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// newBody is the form of a new alert. Its script previews whom it would find; without the script the form does the same in two steps
// where the alert is wide or would find many.
type newBody struct {
	alertForm
	// Ask says what is to be thought over before it is created, and Sure holds whom the reader was asked about; empty: nobody.
	Ask  words.Text
	Sure string
}

const (
	lately   = 30 // days behind us of which bookings are compared with a new alert
	manyHits = 3  // of them that a reader should think over; alert-new.js has the same
)

// newAlert shows the form, filled from the link that led here.
func (s Site) newAlert(v *page.Visit) error {
	q := v.R.URL.Query()
	f := alertForm{Name: q.Get("name"), County: q.Get("county"), Born: q.Get("born")}
	f.choices = choices{Events: models.EventKinds(), Level: models.LevelNormal, Across: true}
	return s.newAlertPage(v, &newBody{alertForm: f}, page.View{})
}

// newAlertPage shows the form with what data says.
func (s Site) newAlertPage(v *page.Visit, b *newBody, data page.View) error {
	counties, err := s.Counties(v.R.Context())
	if err != nil {
		return err
	}
	b.Counties = page.Choose(counties, b.County)
	data.Title, data.Script, data.At, data.Body = "New alert", "alert-new", "/alerts/new", b
	return s.Page(v, "alert-new", data)
}

// createAlert creates the alert of the form. One that is wide, or would have found many, is asked about first.
func (s Site) createAlert(v *page.Visit) error {
	b := &newBody{alertForm: readAlertForm(v.R.PostForm)} //nolint:forbidigo // lists of values
	b.Across = true
	n, err := b.watcher()
	if err == nil {
		b.Ask, err = s.asksFirst(v.R.Context(), n)
	}
	if meant := b.meant(); err == nil && len(b.Ask) > 0 && v.R.PostFormValue("sure") != meant {
		b.Sure = meant
		return s.newAlertPage(v, b, page.View{})
	}
	b.Ask = nil
	var w *models.Watcher
	if err == nil {
		w, err = s.Store.CreateWatcher(v.R.Context(), v.Account.ID, n)
	}
	switch {
	case err == nil:
		if err := s.Trail(v, "alert created", w.Name+" ("+w.ID+")"); err != nil {
			return err
		}
		return page.Redirect(v.W, v.R, "/alerts/"+w.ID+"?done=created")
	case refused(err) == 0:
		return err
	}
	data := page.View{Status: refused(err)}
	data.Failed(err)
	data.Field = fieldOf(err)
	b.Wrong = data.Field == "events"
	return s.newAlertPage(v, b, data)
}

// meant is whom the form watches for and how, in one text.
func (b *newBody) meant() string {
	return strings.Join([]string{b.Name, b.County, b.Born, string(b.Level)}, "|")
}

// watcher returns what the form asks to be created.
func (b *newBody) watcher() (*models.NewWatcher, error) {
	var c models.WatcherChange
	if err := born(b.Born, &c); err != nil {
		return nil, err
	}
	if len(b.Events) == 0 {
		return nil, errNoKind
	}
	return &models.NewWatcher{
		Name: b.Name, County: models.NilIfEmpty(b.County), Events: &b.Events, Level: &b.Level, Dob: c.Dob.Value, BirthYear: c.BirthYear.Value,
		Age: c.Age.Value, Label: models.NilIfEmpty(b.Label), Note: models.NilIfEmpty(b.Note),
	}, nil
}

// asksFirst says what a reader should think over before an alert is created; empty: nothing.
func (s Site) asksFirst(ctx context.Context, n *models.NewWatcher) (words.Text, error) {
	w, err := s.Store.DraftWatcher(n)
	if err != nil {
		return nil, err
	}
	found, err := s.foundLately(ctx, w)
	switch {
	case err != nil:
		return nil, err
	case found > manyHits:
		return words.T("This alert would have found {1 booking|bookings} of the last 30 days. To create it anyway, press Create alert again.", found), nil
	case w.Level == models.LevelWide:
		return words.T("Level wide sends the most wrong alerts. To create it anyway, press Create alert again."), nil
	}
	return nil, nil
}

// foundLately counts the bookings of the last days that an alert would have found.
func (s Site) foundLately(ctx context.Context, w *models.Watcher) (found int, err error) {
	draft, err := w.Compared("new")
	if err != nil {
		return 0, err
	}
	index := match.NewIndex()
	index.Add(draft)
	err = s.Store.PeopleBookedSince(ctx, s.Now().AddDate(0, 0, -lately), w.County, func(p *models.BookedPerson) bool {
		booking := p.Compared()
		hits, _ := index.Match(nil, &booking)
		found += len(hits)
		return true
	})
	return found, err
}
