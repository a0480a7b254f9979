package fact

import (
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
	return Chip{Word(status), states[strings.ToLower(string(status))]}
}

// confidences are how sure a link is.
var confidences = map[models.Confidence]Chip{
	models.High: {words.T("high confidence"), "good"}, models.Medium: {words.T("medium confidence"), "warn"}, models.Low: {words.T("low confidence"), ""},
}

// Sure returns how sure a link is.
func Sure(c models.Confidence) Chip { return confidences[c] }

// sources are how current sources are.
var sources = map[models.SourceState]Chip{
	models.SourceOK: {words.T("on schedule"), "good"}, models.SourceLate: {words.T("late"), "warn"}, models.SourceDown: {words.T("down"), "bad"},
	models.SourceHeld: {words.T("held for a check"), "held"}, models.SourceRefused: {words.T("refuses to answer"), "bad"},
}

// Current returns how current a source is.
func Current(s models.SourceState) Chip { return sources[s] }

// Severity returns how grave a charge is, in the source's word. said is the word in small letters where that is shouted.
func Severity(said string) Chip {
	c := Chip{Word: words.Word(strings.ToLower(said)), Tone: "plain"}
	if strings.HasPrefix(strings.ToLower(said), "f") {
		c.Tone = "plain grave"
	}
	return c
}
