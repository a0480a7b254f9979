package watch

import (
	"strings"

	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// newBody is the form of a new alert. Its script previews whom it would find; without the script the form does the same in two steps.
type newBody struct {
	alertForm
	// Typed is what Born says, for the script; it reads none by itself.
	Typed models.TypedBirth
	// Sent reports whether an alert was to be created.
	Sent bool
	// Look is what is to be thought over before it is created, and Sure holds whom the reader was asked about; nil and empty: nobody.
	Look *look
	Sure string
}

// newAlert shows the form, filled from the link that led here.
func (s Site) newAlert(v *page.Visit) error {
	q := v.R.URL.Query()
	b := &newBody{alertForm: alertForm{Name: q.Get("name"), County: q.Get("county"), Born: words.Plain(q.Get("born"))}}
	b.choices = choices{Events: models.EventKinds(), Level: models.LevelNormal, Across: true}
	var data page.View
	var err error
	if b.Typed, err = models.ReadBirth(q.Get("born")); err != nil {
		data.Failed(err)
		data.Field = fieldOf(err)
	}
	if b.Typed.Day != nil {
		b.Born = words.Plain(b.Typed.Day.AsTyped())
	}
	return s.newAlertPage(v, b, data)
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

// createAlert creates the alert of the form, once the reader has seen what it would have found.
func (s Site) createAlert(v *page.Visit) error {
	b := &newBody{alertForm: readAlertForm(v.R.PostForm), Sent: true} //nolint:forbidigo // lists of values
	b.Across = true
	if v.R.PostFormValue("everywhere") != "" {
		b.County = ""
	}
	n, err := b.watcher()
	if meant := b.meant(); err == nil && v.R.PostFormValue("sure") != meant {
		if b.Look, err = s.lookAt(v, n); err == nil {
			b.Sure = meant
			return s.newAlertPage(v, b, page.View{})
		}
	}
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
	return strings.Join([]string{b.Name, b.County, b.Born.String(), string(b.Level)}, "|")
}

// watcher returns what the form asks to be created.
func (b *newBody) watcher() (*models.NewWatcher, error) {
	var c models.WatcherChange
	if err := born(b.Born.String(), &c); err != nil {
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
