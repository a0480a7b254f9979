// Package words is what the pages say, in each of their languages. A message is an English text with numbered places for
// values, such as "{1 hit|hits} of {2}", and that text is also its name: a catalogue maps it to another language, and what a
// catalogue lacks stays English. Nothing of it reaches the interfaces for programs, records or mails.
//
// Three places have messages. Templates stay plain English: their source is translated once, at the start, so that each
// language has templates of its own (template.go). Go code writes T("..."), a text that the template of the reader's language
// puts into words (text.go). Modules write t("...") and get the messages that they use as one module (static/words.js).
//
// en.json lists all messages with the files that use them; `go generate` makes it (package gather). es.json is written by people:
// what a speaker has checked is under "reviewed", what a machine wrote under "machine". The tests name what is missing.
//
// It knows no page, no record and no request beyond the language that it asks for.
package words

//go:generate go run ./gather
