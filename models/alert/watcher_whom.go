package alert

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"rollcall/match/watch"
	"rollcall/models"
)

// Bounds of what a watcher knows of a birth. What lies outside is a slip.
const (
	minBirthYear = 1900
	minAge       = 1
	maxAge       = 120
)

// DraftWatcher returns the watcher that CreateWatcher would store, without storing it. Previews match by it.
func (s *Store) DraftWatcher(n *models.NewWatcher) (*models.Watcher, error) { return s.watcher(n) }

// watcher validates n and applies the defaults: all events, level normal. The rules are those of
// DECISIONS.md, "Alerts". Id, account and creation are left to the caller.
func (s *Store) watcher(n *models.NewWatcher) (*models.Watcher, error) {
	w := &models.Watcher{Events: models.EventKinds(), Level: models.LevelNormal, Paused: n.Paused}
	return w, s.apply(w, &models.WatcherChange{
		Name: &n.Name, County: stated(n.County), Dob: stated(n.Dob), BirthYear: stated(n.BirthYear), Age: stated(n.Age), AgeOn: stated(n.AgeOn),
		Events: n.Events, Level: n.Level, Label: n.Label, Note: n.Note,
	})
}

// stated is the fact of a new watcher.
func stated[T any](v *T) models.Fact[T] { return models.Fact[T]{Given: v != nil, Value: v} }

// apply applies a change to a watcher and checks what it changes. Whom it watches for, and at which level, is checked as a
// whole if anything of it changes: a watcher that was stored before a rule stays, and its other members can be changed.
func (s *Store) apply(w *models.Watcher, c *models.WatcherChange) error {
	before, level := w.Whom(), w.Level
	if c.Name != nil {
		if err := setName(w, *c.Name); err != nil {
			return err
		}
	}
	if c.County.Given {
		w.County = nil
		if slug := c.County.Value; slug != nil {
			county, err := s.Counties().BySlug(*slug)
			if err != nil {
				return models.InvalidBody("county", err.Error())
			}
			w.County = county
		}
	}
	s.setBirth(w, c)
	if w.Whom() != before {
		if err := checkBirth(w, s.Now()); err != nil {
			return err
		}
	}
	if err := w.Apply(*c); err != nil || w.Whom() == before && w.Level == level {
		return err
	}
	return checkName(w)
}

// setName sets a name that can be shown. What is not visible parts initials, so a name must say enough with it as well.
func setName(w *models.Watcher, name string) error {
	valid := utf8.ValidString(name) && !strings.ContainsRune(name, 0)
	w.Name = models.Visible(name)
	if length := utf8.RuneCountInString(w.Name); !valid || length < models.MinWatcherName || length > models.MaxWatcherName ||
		strings.IndexFunc(w.Name, unicode.IsLetter) < 0 {
		return models.InvalidBody("name", "name must have 2 to 200 characters, one of them a letter")
	}
	if watch.KindOf(name) == watch.Nobody {
		return errNobody
	}
	return nil
}

// setBirth sets what is known of the birth. An age is of today unless the day is stated.
func (s *Store) setBirth(w *models.Watcher, c *models.WatcherChange) {
	put(&w.Dob, c.Dob)
	put(&w.BirthYear, c.BirthYear)
	put(&w.AgeOn, c.AgeOn)
	put(&w.Age, c.Age)
	switch {
	case c.Age.Given && c.Age.Value == nil && !c.AgeOn.Given:
		w.AgeOn = nil
	case w.Age != nil && (c.Age.Given && !c.AgeOn.Given || w.AgeOn == nil):
		w.AgeOn = new(models.DateOf(s.Now().In(models.Georgia)))
	}
}

// put sets a fact that is given.
func put[T any](to **T, f models.Fact[T]) {
	if f.Given {
		*to = f.Value
	}
}

// checkBirth refuses what cannot be true of a birth, and facts that contradict each other.
func checkBirth(w *models.Watcher, now time.Time) error {
	future := func(d *models.Date) bool { return d.In(time.UTC).After(now) }
	if w.Dob != nil {
		if w.BirthYear != nil && *w.BirthYear != w.Dob.Year {
			return models.InvalidBody("birth_year", "%s must be the year of %s, or be left out", "birth_year", "dob")
		}
		if w.Dob.Year < minBirthYear || future(w.Dob) {
			return models.InvalidBody("dob", "%s must be a day from 1900 to today", "dob")
		}
	}
	if w.BirthYear != nil && (*w.BirthYear < minBirthYear || *w.BirthYear > now.Year()) {
		return models.InvalidBody("birth_year", "%s must be a year from 1900 to this one", "birth_year")
	}
	if w.Age == nil {
		if w.AgeOn != nil {
			return models.InvalidBody("age_on", "%s needs an age: it is the day on which the age was stated", "age_on")
		}
		return nil
	}
	born := w.AgeOn.Year - *w.Age // or the year before
	switch {
	case *w.Age < minAge || *w.Age > maxAge:
		return models.InvalidBody("age", "age must be a whole number from 1 to 120")
	case future(w.AgeOn) || born <= minBirthYear:
		return models.InvalidBody("age_on", "%s must be a day up to today, and age must say a birth after 1900", "age_on")
	case w.Dob != nil && w.Dob.AgeOn(*w.AgeOn) != *w.Age:
		return models.InvalidBody("age", "age must be that of %s on %s, or be left out", "dob", "age_on")
	case w.BirthYear != nil && *w.BirthYear != born && *w.BirthYear != born-1:
		return models.InvalidBody("age", "age on %s must agree with %s, or be left out", "age_on", "birth_year")
	}
	return nil
}
