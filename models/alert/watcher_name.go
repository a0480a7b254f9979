package alert

import (
	"strings"

	"rollcall/match"
	"rollcall/match/watch"
	"rollcall/models"
)

// errNobody is for a name that is nobody's.
var errNobody = models.InvalidBody("name", "name must have a first or last name of two letters or more: "+
	"initials and Jr, Sr or II alone match no one or everyone, and UNKNOWN, FNU and LNU are not names; write the full name")

// checkName refuses a name that could hit nobody, or everybody. A surname needs something that narrows it, and every name
// has to find itself at the watcher's level (watch.Meant).
func checkName(w *models.Watcher) error {
	switch watch.KindOf(w.Name) {
	case watch.Nobody:
		return errNobody
	case watch.Particles:
		return models.InvalidBody("name", "name has only the start of a last name (de la, van, Mc): write the full name")
	case watch.Abbreviated:
		return models.InvalidBody("name", "name has a single letter as its last name, and no jail writes that: write the last name in full; "+
			"if the letter is the first name, write the last name first with a comma (Scott, J)")
	case watch.Unreadable:
		return models.InvalidBody("name", "name has a character that could not be read (U+FFFD): write the name again")
	case watch.Foreign:
		return models.InvalidBody("name", "name has letters of another alphabet, which Georgia's jails never use: "+
			"write it in Latin letters, as on a driver's license")
	case watch.OneWord:
		if w.County == nil && w.Born().Year == 0 {
			return models.InvalidBody("name", "one word is read as a last name, which matches everyone who has it: "+
				"add the first name, or a county, %s, %s or age", "dob", "birth_year")
		}
	case watch.Full:
	}
	meant, err := meantBy(w)
	if err != nil || meant.Finds() {
		return err
	}
	return findsNobody(w.Level, meant)
}

// meantBy returns what the rule about names knows of a watcher.
func meantBy(w *models.Watcher) (watch.Meant, error) {
	level, err := match.ParseLevel(string(w.Level))
	return watch.Meant{Name: w.Name, County: w.County != nil, Born: w.Born(), Level: level}, err
}

// findsNobody is the error of a name that does not find itself, with each remedy that helps.
func findsNobody(level models.MatchLevel, m watch.Meant) error {
	says := []string{"name is not enough at level " + string(level) + ": write first and last name in full"}
	for _, r := range m.Remedies() {
		says = append(says, remedies[r])
	}
	return models.InvalidBody("name", strings.Join(says, ", or "))
}

// remedies are the ways out of findsNobody beside a fuller name, in words of all interfaces.
var remedies = map[watch.Remedy]string{
	watch.AddYear: "add the year of birth", watch.AddDate: "add the birth date", watch.AddCounty: "add a county",
	watch.ChooseWide: "choose level wide",
}

// keepsFinding refuses another level for one of many watchers if it finds nobody there. A message holds no name, so it says
// the id.
func keepsFinding(w *models.Watcher, level *models.MatchLevel) error {
	if level == nil || models.MatchLevel(strings.ToLower(string(*level))) == w.Level {
		return nil
	}
	as := *w
	if err := as.Apply(models.WatcherChange{Level: level}); err != nil {
		return err
	}
	if err := checkName(&as); err != nil {
		return models.InvalidBody("level", "alert "+w.ID+" would find no one at level "+string(as.Level)+", so no alert was changed: "+
			"complete its name or birth date first, or leave the alert out")
	}
	return nil
}
