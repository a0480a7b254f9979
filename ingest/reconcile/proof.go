package reconcile

import (
	"fmt"
	"strings"
	"time"

	"rollcall/internal/plural"
	"rollcall/models/snapshot"
)

// Evidence is what a run knows about its snapshot when everything is read. Texts are for operators and hold
// no personal data.
type Evidence struct {
	// Lists reports whether the source lists everybody, or everybody of a window, so that absence means
	// something.
	Lists bool
	// Transport says why not all of it may have been read.
	Transport []string
	// Fewer says why files of it may be missing; empty if none may.
	Fewer string
	// Paged is how many rows were counted on its pages; 0 if none were counted.
	Paged int
	// Rows are those that were read, bad ones included.
	Rows int
	// Scope are those of the scope; of a source of one county all.
	Scope int
	// Staged are the good ones.
	Staged int
	// Repeated is how many keys came more than once: rows moved between pages while they were read.
	Repeated int
	// Slips are rows that came again as they were in the same document.
	Slips int
	// Untaken are the bad ones; of a scope those that name no county.
	Untaken int
	// Own are the bad ones that name the county of the scope. They are among Scope.
	Own int
	// Unnamed are bad rows that do not even say whom they speak of.
	Unnamed int
	// NeedTotal and NeedMarker report whether the source document proves completeness by a total or an end
	// marker.
	NeedTotal bool
	// Total is the declared number; nil if none was declared.
	Total *int
	// Lines is what Total counts where that is lines, which may be more than Rows; 0 if it counts Rows.
	Lines      int
	NeedMarker bool
	Marker     bool
	// HeaderFingerprint is the fingerprint of the columns; empty for formats without a header.
	HeaderFingerprint string
	// Proves reports whether the source shows by itself that nobody is missing.
	Proves bool
	// MinRows is 0 if the source document does not say.
	MinRows int
	// Shrink is the greatest share of rows that may be gone.
	Shrink float64
	// UnknownFields are names of values that were in no row before and that the source document does not know.
	UnknownFields []string
	// Lost are fields that are in no row any more.
	Lost []string
	// MissingAgeEvidence says what stated who is a juvenile and is gone.
	MissingAgeEvidence []string
	// HoldDrift reports whether changed columns hold the source, instead of making the snapshot partial.
	HoldDrift bool
	// At is the instant of the snapshot.
	At time.Time
}

// Past is what is known of the last complete snapshot of the source or scope. Pointers are nil before the
// first.
type Past struct {
	Rows *int
	// Day is the most rows that a complete snapshot had within the day before this one; nil if there was
	// none.
	Day               *int
	HeaderFingerprint *string // of the columns of the newest snapshot; nil: unknown
	At                *time.Time
	// Held reports whether a hold stands.
	Held bool
	// Approved reports whether an operator released this snapshot, or asks what that would do: then no guard
	// holds it.
	Approved bool
}

// StandingHold is why nothing of a snapshot is applied while a hold stands.
const StandingHold = "not applied while the source is held"

// driftDoubt lasts until the columns are as before, or until an operator accepted the new ones.
const driftDoubt = "the columns are others than those that are known; when the document fits them: rollcall sources accept"

// Prove returns whether a snapshot may close bookings and whether it must be held, with the reasons why it is
// not complete (guarantee 4 in docs/architecture.md). A wrong "complete" releases people who are in jail and
// alerts those who watch them; a wrong doubt only delays releases until the next snapshot.
func Prove(e Evidence, past Past) (v snapshot.Completeness, doubts []string) {
	v, doubts = prove(e, past)
	if hold := strange(e, past); hold != "" {
		v = snapshot.Completeness{Hold: hold}
	}
	return v, doubts
}

// strange returns why a snapshot is held whatever its rows are; empty if it is not. A released snapshot is
// not held again.
func strange(e Evidence, past Past) string {
	switch {
	case past.Approved:
		return ""
	case past.Held:
		return StandingHold
	case len(e.MissingAgeEvidence) > 0:
		return blindHold(e.MissingAgeEvidence)
	case !e.HoldDrift:
		return ""
	case len(e.Lost) > 0:
		return strings.Join(e.Lost, ", ")
	case len(e.UnknownFields) > 0:
		return strings.Join(e.UnknownFields, ", ") + "; when the document fits: rollcall sources release"
	case drifted(e, past):
		return "the columns changed since the last run"
	default:
		return ""
	}
}

// drifted reports whether the columns are others than the known ones.
func drifted(e Evidence, past Past) bool {
	return past.HeaderFingerprint != nil && e.HeaderFingerprint != "" && e.HeaderFingerprint != *past.HeaderFingerprint
}

// prove is Prove of the rows alone. Each doubt makes the snapshot partial. One that looks whole but lost too
// many is held.
func prove(e Evidence, past Past) (v snapshot.Completeness, doubts []string) {
	doubt := func(when bool, format string, args ...any) {
		if when {
			doubts = append(doubts, fmt.Sprintf(format, args...))
		}
	}
	drift := drifted(e, past)
	doubt(len(e.Lost) > 0, "%s; when that is right: rollcall sources accept", strings.Join(e.Lost, ", "))
	if !e.Lists {
		doubt(drift, driftDoubt)
		return snapshot.Completeness{}, doubts
	}
	late := past.At != nil && e.At.Before(*past.At)
	shrank := shrunk(e, past)
	doubt(drift, driftDoubt)
	doubts = append(doubts, e.Transport...)
	doubt(e.Fewer != "", "%s", e.Fewer)
	// A jail can be empty: where the end of the list is proven, and somebody was in it before, that waits for an operator.
	empty := e.Rows == 0 && e.MinRows == 0 && e.Proves && (past.Rows != nil || past.Approved)
	doubt(e.Rows < max(1, e.MinRows) && !empty, "%s fewer than %d", plural.Of(e.Rows, "row is", "rows are"), max(1, e.MinRows))
	doubt(e.NeedTotal && e.Total == nil, "it declares no total")
	counted := max(e.Rows, e.Lines)
	doubt(e.Paged > 0 && e.Paged != counted, "its pages have %s and %d could be distinguished", plural.Of(e.Paged, "row"), counted)
	doubt(e.NeedTotal && e.Total != nil && *e.Total != counted && *e.Total != counted-e.Slips, "it declares %s and has %d", declared(e.Total), counted)
	doubt(e.NeedTotal && e.Total != nil && *e.Total == counted && e.Slips > 0,
		"it declares %s and %d of them came twice, so others may be missing", declared(e.Total), e.Slips)
	doubt(e.NeedMarker && !e.Marker, "its end is missing")
	doubt(e.Repeated > 0, "%s came twice, so others may be missing", plural.Of(e.Repeated, "row"))
	doubt(e.Unnamed > 0, "%s could not be read at all", plural.Of(e.Unnamed, "row"))
	doubt(TooMany(e.Untaken, e.Untaken+e.Staged), "%s", UntakenDoubt(e.Untaken, e.Untaken+e.Staged))
	doubt(TooMany(e.Own, e.Scope), "%s", UntakenDoubt(e.Own, e.Scope))
	doubt(shrank != "" && late, "it is older than the last one and much smaller")
	// A snapshot that is broken anyway closes nobody; one that looks whole but lost too many waits.
	if shrank != "" && !late && len(doubts) == 0 {
		return snapshot.Completeness{Hold: shrank}, nil
	}
	return snapshot.Completeness{Complete: len(doubts) == 0}, doubts
}

// shrunk says how far a snapshot shrank that shrank too far: since the last complete one, or by small steps
// since the largest of a day. It is empty if it did not.
func shrunk(e Evidence, past Past) string {
	below := func(rows *int, slack int) bool {
		return rows != nil && *rows-e.Scope > slack && float64(e.Scope) < float64(*rows)*(1-e.Shrink)
	}
	switch {
	case below(past.Rows, shrinkSlack), past.Rows != nil && *past.Rows > 0 && e.Scope == 0:
		return fmt.Sprintf("it shrank from %d to %s", *past.Rows, plural.Of(e.Scope, "row"))
	case below(past.Day, daySlack):
		return fmt.Sprintf("it shrank from %d to %s within a day", *past.Day, plural.Of(e.Scope, "row"))
	default:
		return ""
	}
}

// TooMany reports whether so many of a snapshot's rows could not be taken that it proves no absence.
func TooMany(untaken, rows int) bool {
	return untaken > untakenSlack && float64(untaken) > float64(rows)*untakenShare
}

// UntakenDoubt returns the reason for operators.
func UntakenDoubt(untaken, rows int) string {
	return fmt.Sprintf("%d of %s could not be taken", untaken, plural.Of(rows, "row"))
}

// declared writes a declared number of rows.
func declared(n *int) string {
	if n == nil {
		return "no rows"
	}
	return plural.Of(*n, "row")
}
