package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAnEditSaysWhatItChanged(t *testing.T) {
	t.Parallel()
	base := models.Watcher{Name: "Wren Moonsail", Events: models.EventKinds(), Level: models.LevelNormal}
	changed := func(member models.WatcherMember, from, to string) []models.MemberChange {
		return []models.MemberChange{{Member: member, From: models.NilIfEmpty(from), To: models.NilIfEmpty(to)}}
	}
	for name, c := range map[string]struct {
		edit func(*models.Watcher)
		want []models.MemberChange
	}{
		"nothing":                {func(*models.Watcher) {}, nil},
		"another name":           {func(w *models.Watcher) { w.Name = "Wren Moonsale" }, changed("name", "Wren Moonsail", "Wren Moonsale")},
		"a county":               {func(w *models.Watcher) { w.County = &models.County{Slug: "fulton"} }, changed("county", "", "fulton")},
		"a birth date":           {func(w *models.Watcher) { w.Dob = &models.Date{Year: 1990, Month: 2, Day: 3} }, changed("dob", "", "1990-02-03")},
		"a year of birth":        {func(w *models.Watcher) { w.BirthYear = new(1990) }, changed("birth_year", "", "1990")},
		"fewer kinds of events":  {func(w *models.Watcher) { w.Events = w.Events[:2] }, changed("events", "booking, release, bond_change", "booking, release")},
		"a level":                {func(w *models.Watcher) { w.Level = models.LevelWide }, changed("level", "normal", "wide")},
		"a label":                {func(w *models.Watcher) { w.Label = new("desk") }, changed("label", "", "desk")},
		"a note, without a text": {func(w *models.Watcher) { w.Note = new("ask Bea first") }, changed("note", "", "")},
		"a pause":                {func(w *models.Watcher) { w.Paused = true }, changed("paused", "false", "true")},
		"an age, with its day": {
			func(w *models.Watcher) { w.Age, w.AgeOn = new(34), &models.Date{Year: 2026, Month: 3, Day: 10} },
			append(changed("age", "", "34"), changed("age_on", "", "2026-03-10")...),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := base
			c.edit(&w)
			require.Equal(t, c.want, w.ChangesSince(&base))
		})
	}
}
