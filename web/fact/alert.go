package fact

import (
	"strconv"

	"rollcall/models"
	"rollcall/web/words"
)

// AlertBirth says what an alert knows of the birth; nothing where it knows none.
func AlertBirth(w *models.Watcher) words.Text {
	switch {
	case w.Dob != nil:
		return words.T("born {1}", words.Day(*w.Dob))
	case w.BirthYear != nil:
		return words.T("born {1}", strconv.Itoa(*w.BirthYear))
	case w.Age != nil && w.AgeOn != nil:
		return words.T("aged {1} on {2}", *w.Age, words.Day(*w.AgeOn))
	}
	return nil
}

// AlertLine is what tells an alert from others with its name: where it watches, the birth and the label.
func AlertLine(w *models.Watcher) words.Text {
	where, label := words.T("all of Georgia"), words.Plain("")
	if w.County != nil {
		where = words.T("{1} County", w.County.Name)
	}
	if w.Label != nil {
		label = words.Plain(*w.Label)
	}
	return words.Join(", ", where, AlertBirth(w), label)
}
