package models

import "rollcall/internal/plural"

// NoteReleased is the note of a source whose hold ended and that was not read since.
const NoteReleased = "its hold ended, and it catches up at its next run"

const inQuarantine = " in quarantine"

// NoteQuarantined is the part of a note on rows that could not be taken. Parts are separated by a semicolon.
func NoteQuarantined(rows int) string {
	return plural.Of(rows, "row") + " " + plural.Word(rows, "is", "are") + inQuarantine
}

// CatchingUp reports whether the source was not read since its hold ended: that it is behind is no trouble of its own.
func (s *Source) CatchingUp() bool { return s.Note != nil && *s.Note == NoteReleased }

// PlainNote says in a sentence for readers why the source is not, or not wholly, to be trusted to be current; nil when
// nothing is to be said. What exactly went wrong is Note: it names pages, columns and rows, and is for operators.
func (s *Source) PlainNote() *string {
	var plain string
	if note := s.scopesNote(); note != "" {
		return &note
	}
	switch {
	case s.RetiredAt != nil:
		plain = "It is not reported any more: what it shows is as it was last known."
	case s.state == SourceRefused:
		plain = "Its publisher does not let it be read at the moment."
	case s.state == SourceHeld && s.byHand:
		plain = "An operator holds it: nothing new of it is shown until the hold ends."
	case s.state == SourceHeld:
		plain = "What it brought last looks unusual, and is held back until somebody has checked it."
	case s.LastSuccess == nil:
		plain = "It could not be read yet."
	case s.CatchingUp() && s.state == SourceOK:
		return nil
	case s.CatchingUp():
		plain = "Its hold has ended, and it catches up when it is next read."
	case s.unread && s.state == SourceDown:
		plain = "It could not be read lately."
	case s.unread:
		plain = "It could not be read for longer than usual."
	case s.old && !s.Enabled:
		plain = "It is not asked any more. Its newest data is of " + s.dataStamp() + "."
	case s.old:
		plain = "It answers, but its newest data is of " + s.dataStamp() + "."
	case s.parts:
		plain = "Its whole list has not come for longer than usual: who was released meanwhile may still be shown as held."
	case s.Note != nil:
		plain = "Not all went well when it was last read: some of what it shows may be behind."
	default:
		return nil
	}
	return &plain
}
