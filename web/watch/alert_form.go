package watch

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// choices are the kinds of events and the level that a form of an alert has.
type choices struct {
	Events []models.EventKind
	Level  models.MatchLevel
	// Across puts the kinds in one line.
	Across bool
	// Wrong means that no kind is chosen.
	Wrong bool
}

// Has reports whether a kind of event is chosen.
func (c choices) Has(kind string) bool { return slices.Contains(c.Events, models.EventKind(kind)) }

// Offers are the kinds of events that the form offers.
func (choices) Offers() []fact.Offer { return fact.EventOffers }

// At reports whether a level is chosen.
func (c choices) At(level string) bool { return c.Level == models.MatchLevel(level) }

// alertForm is what may be changed of an alert, as its form holds it.
type alertForm struct {
	Name, County, Label, Note string
	// Born is what is known of the birth, as it is typed.
	Born words.Text
	choices
	// Seen is the version of the alert that the reader saw.
	Seen     string
	Counties []page.County
}

// formOfAlert returns the form of an alert as it is.
func formOfAlert(w *models.Watcher) alertForm {
	f := alertForm{
		Name: w.Name, Born: bornText(w), Label: models.EmptyIfNil(w.Label), Note: models.EmptyIfNil(w.Note),
		choices: choices{Events: w.Events, Level: w.Level}, Seen: w.Version(),
	}
	if w.County != nil {
		f.County = w.County.Slug
	}
	return f
}

// readAlertForm reads a form that was sent. Modules ask /graphql with the values of its boxes, so they are in capitals.
func readAlertForm(form url.Values) alertForm {
	f := alertForm{
		Name: form.Get("name"), County: form.Get("county"), Born: words.Plain(strings.TrimSpace(form.Get("born"))),
		Label: strings.TrimSpace(form.Get("label")), Note: strings.TrimSpace(form.Get("note")), Seen: form.Get("seen"),
		choices: choices{Level: models.MatchLevel(strings.ToLower(form.Get("level")))},
	}
	for _, kind := range form["events"] {
		f.Events = append(f.Events, models.EventKind(strings.ToLower(kind)))
	}
	return f
}

// bornText is what an alert knows of a birth in one field: a date, a year or an age.
func bornText(w *models.Watcher) words.Text {
	switch {
	case w.Dob != nil:
		return words.Plain(w.Dob.AsTyped())
	case w.BirthYear != nil:
		return words.Plain(strconv.Itoa(*w.BirthYear))
	case w.Age != nil:
		return words.T("aged {1}", *w.Age)
	}
	return nil
}

// errNoKind is for a form without a kind of event.
var errNoKind = models.InvalidBody("events", "choose at least one kind of event")

// born sets in c what a text says of a birth; the other two are taken away.
func born(text string, c *models.WatcherChange) error {
	typed, err := models.ReadBirth(text)
	c.Dob = models.Fact[models.Date]{Given: true, Value: typed.Day}
	c.BirthYear = models.Fact[int]{Given: true, Value: typed.Year}
	c.Age = models.Fact[int]{Given: true, Value: typed.Age}
	return err
}

// leaves reports whether a text says of the birth what an alert knows.
func leaves(text string, w *models.Watcher) bool {
	typed, err := models.ReadBirth(text)
	return err == nil && same(typed.Day, w.Dob) && same(typed.Year, w.BirthYear) && same(typed.Age, w.Age)
}

// same reports whether two facts are one, or neither is known.
func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// change returns what the form changes of an alert. A birth that was left as it stood is not touched, so an age keeps its day.
func (f *alertForm) change(w *models.Watcher) (c models.WatcherChange, err error) {
	c = models.WatcherChange{
		Name: &f.Name, County: models.Fact[string]{Given: true, Value: models.NilIfEmpty(f.County)},
		Events: &f.Events, Level: &f.Level, Label: &f.Label, Note: &f.Note, Seen: &f.Seen,
	}
	if !leaves(f.Born.String(), w) {
		err = born(f.Born.String(), &c)
	}
	if err == nil && len(f.Events) == 0 {
		err = errNoKind
	}
	return c, err
}

// fieldOf returns the field of the form that an error is about.
func fieldOf(err error) string {
	known, ok := errors.AsType[*models.Error](err)
	if !ok {
		return ""
	}
	switch known.Field {
	case "dob", "birth_year", "age", "age_on":
		return "born"
	}
	return known.Field
}
