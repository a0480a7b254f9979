package models

import (
	"strings"

	"rollcall/internal/plural"
)

// NoteReleased is the note of a source whose hold ended and that was not read since.
const NoteReleased = "its hold ended, and it catches up at its next run"

// The notes of a source that no schedule reads, and of one whose hold ended meanwhile.
const (
	noteStopped         = "its schedule is stopped"
	noteReleasedStopped = "its hold ended, but " + noteStopped
)

const inQuarantine = " in quarantine"

// NoteQuarantined is the part of a note on rows that could not be taken. Parts are separated by a semicolon.
func NoteQuarantined(rows int) string {
	return plural.Of(rows, "row") + " " + plural.Word(rows, "is", "are") + inQuarantine
}

// OnlyQuarantined reports whether the note of a source or a run says no more than that rows are in quarantine.
func OnlyQuarantined(note string) bool {
	return strings.HasSuffix(note, inQuarantine) && !strings.Contains(note, ";")
}

// CatchingUp reports whether the source was not read since its hold ended: that it is behind is no trouble of its own.
func (s *Source) CatchingUp() bool { return s.Note != nil && *s.Note == NoteReleased }

// Stopped reports whether the source has a schedule that is not on: nothing of it comes until somebody reads it.
func (s *Source) Stopped() bool {
	return !s.Enabled && !s.Imported && s.Interval > 0 && s.RetiredAt == nil
}

// Shown is State in the word of the pages, which know states that programs do not: what was taken over from another system and what
// is retired is read by no schedule, a source whose hold has ended catches up, and the schedule of another one is stopped.
func (s *Source) Shown() string {
	switch {
	case s.RetiredAt != nil:
		return "retired"
	case s.Imported && s.state == SourceOK:
		return ShownArchived
	case s.CatchingUp() && s.state != SourceHeld && s.state != SourceOK:
		return ShownCatchingUp
	case s.Stopped() && s.Parent == "" && s.state == SourceOK:
		return ShownStopped
	}
	return string(s.state)
}

// Words of Shown: of the records of another system that were taken over, of a source whose hold has ended, until its next run, and of
// one whose schedule is stopped.
const (
	ShownStopped    = "stopped"
	ShownArchived   = "archived"
	ShownCatchingUp = "catching up"
)

// PlainNote says in a sentence for readers why the source is not, or not wholly, to be trusted to be current; nil when
// nothing is to be said. What exactly went wrong is Note: it names pages, columns and rows, and is for operators.
func (s *Source) PlainNote() *string {
	var plain string
	if note := s.scopesNote(); note != "" {
		return &note
	}
	switch {
	case s.RetiredAt != nil:
		plain = "This source is no longer read. Its records are as last known."
	case s.state == SourceRefused:
		plain = "The publisher blocks this source at the moment."
	case s.state == SourceHeld && s.byHand:
		plain = "An operator put this source on hold. New data is not shown until the hold ends."
	case s.state == SourceHeld:
		plain = "The newest data looks unusual. It is held until someone checks it."
	case s.LastSuccess == nil:
		plain = "This source has not been read yet."
	case s.state == SourceOK && (s.CatchingUp() || s.Note != nil && *s.Note == noteReleasedStopped):
		return nil
	case s.CatchingUp():
		plain = "The hold has ended. This source catches up when it is next read."
	case s.unread && s.state == SourceDown:
		plain = "This source could not be read recently."
	case s.unread:
		plain = "This source is behind schedule."
	case s.old && !s.Enabled:
		plain = "This source is no longer read. Its newest data is from " + s.dataStamp() + "."
	case s.old:
		plain = "This source answers, but its newest data is from " + s.dataStamp() + "."
	case s.parts:
		plain = "The full list is late. People released since then may still be shown as held."
	case s.Note != nil && s.Ignored && OnlyQuarantined(*s.Note):
		return nil
	case s.Note != nil:
		plain = "Some entries of the last read could not be used. They may be missing or out of date."
	default:
		return nil
	}
	return &plain
}
