package fact

import (
	"slices"
	"time"

	"rollcall/models"
	"rollcall/web/words"
)

// releases are what pages call a release, by how it is known: its label, the line that has its time, and the label of how long
// the stay lasted that it ended.
var releases = map[models.ReleaseBasis]struct{ Name, Line, Stay words.Text }{
	models.ReleaseReported: {words.T("Released"), words.T("released {1}"), words.T("Held for")},
	models.ReleaseUntimed:  {words.T("Released about"), words.T("released about {1}"), words.T("Held for")},
	models.ReleaseAbsent:   {words.T("No longer listed since"), words.T("no longer listed since {1}"), words.T("Listed for")},
}

// ReleaseName is the label of a release.
func ReleaseName(r *models.Release) words.Text { return releases[r.Basis].Name }

// StayName is the label of how long the stay lasted that a release ended.
func StayName(r *models.Release) words.Text { return releases[r.Basis].Stay }

// Stay is how long a stay lasted. Where the jail stated a day without a time, the days of the calendar count.
func Stay(booked, released time.Time) words.Text {
	if !models.DayAlone(booked) && !models.DayAlone(released) {
		return words.Span(released.Sub(booked))
	}
	day := func(t time.Time) time.Time { return models.DateOf(t.In(models.Georgia)).In(time.UTC) }
	if n := int(day(released).Sub(day(booked)) / (24 * time.Hour)); n > 0 {
		return words.T("{1 day|days}", n)
	}
	return words.T("less than a day")
}

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
