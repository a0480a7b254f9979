package fact

import (
	"slices"

	"rollcall/models"
	"rollcall/web/words"
)

// releases are what pages call a release, by how it is known: its label, and the line that has its time.
var releases = map[models.ReleaseBasis]struct{ Name, Line words.Text }{
	models.ReleaseReported: {words.T("Released"), words.T("released {1}")},
	models.ReleaseUntimed:  {words.T("Released about"), words.T("released about {1}")},
	models.ReleaseAbsent:   {words.T("No longer listed since"), words.T("no longer listed since {1}")},
}

// ReleaseName is the label of a release.
func ReleaseName(r *models.Release) words.Text { return releases[r.Basis].Name }

// Released is a release in one line; nothing of who is in custody.
func Released(r *models.Release) words.Text {
	if r == nil {
		return nil
	}
	return slices.Concat(releases[r.Basis].Line, words.Text{words.When(r.At)})
}

// ReleaseNote says what nobody reported of a release; nothing where all is reported.
func ReleaseNote(r *models.Release) words.Text {
	switch r.Basis {
	case models.ReleaseAbsent:
		return words.T("The jail did not report a release.")
	case models.ReleaseUntimed:
		return words.T("The jail did not report the time.")
	}
	return nil
}

// Bond is a bond's amount, or why there is none.
func Bond(b models.Bond) words.Text {
	if b.Cents == nil {
		return words.Word(string(b.Case))
	}
	return words.Plain(models.Cents(*b.Cents).String())
}

// BondLine is the same as a part of a line, which leaves out what is not stated.
func BondLine(b models.Bond) words.Text {
	switch {
	case b.Cents != nil:
		return words.T("{1} bond", models.Cents(*b.Cents).String())
	case b.Case == models.BondNotStated:
		return nil
	}
	return Bond(b)
}
