package fact

import (
	"slices"
	"strings"

	"rollcall/models"
	"rollcall/web/words"
)

// Chip is a word with a tone, as the design has it. One meaning has one colour: static/site.css lists them.
type Chip struct {
	Word words.Text
	Tone string
}

// states are the tones of where a record stands.
var states = map[string]string{
	"booked": "booked", "incarcerated": "booked", "released": "released", "paroled": "released", "pending": "accent", "warrant": "warn",
}

// State returns where a record stands.
func State[T ~string](status T) Chip {
	c := Chip{Word(status), states[strings.ToLower(string(status))]}
	if strings.EqualFold(string(status), string(models.Booked)) {
		c.Word = words.T("in custody")
	}
	return c
}

// Custody returns where the person of a booking is, as far as is known: a release that nobody reported is not told as a fact.
func Custody(b *models.Booking) Chip {
	if b.Release().Absent() {
		return Chip{words.T("no longer listed"), states[string(models.Released)]}
	}
	return State(b.Status)
}

// CustodyOf returns where the person of several bookings is: held by any jail, else as after the last release.
func CustodyOf(all []*models.Booking) Chip {
	if i := slices.IndexFunc(all, func(b *models.Booking) bool { return b.ReleaseDate == nil }); i >= 0 {
		return Custody(all[i])
	}
	if len(all) == 0 {
		return Chip{}
	}
	return Custody(slices.MaxFunc(all, func(a, b *models.Booking) int { return a.ReleaseDate.Compare(*b.ReleaseDate) }))
}

// confidences are how sure a link is.
var confidences = map[models.Confidence]Chip{
	models.High: {words.T("high confidence"), "good"}, models.Medium: {words.T("medium confidence"), "warn"}, models.Low: {words.T("low confidence"), ""},
}

// Sure returns how sure a link is.
func Sure(c models.Confidence) Chip { return confidences[c] }

// sources are how current sources are, by the word that pages show.
var sources = map[string]Chip{
	"ok": {words.T("on schedule"), "good"}, "late": {words.T("late"), "warn"}, "down": {words.T("down"), "bad"},
	"held": {words.T("held for a check"), "held"}, "refused": {words.T("refuses to answer"), "bad"},
}

// Current returns how current a source is, by models.Source.Shown.
func Current(shown string) Chip {
	if c, ok := sources[shown]; ok {
		return c
	}
	return Chip{Word: Word(shown)}
}

// Severity returns how grave a charge is, in the source's word. said is the word in small letters where that is shouted.
func Severity(said string) Chip {
	c := Chip{Word: words.Word(strings.ToLower(said)), Tone: "plain"}
	if strings.HasPrefix(strings.ToLower(said), "f") {
		c.Tone = "plain grave"
	}
	return c
}
