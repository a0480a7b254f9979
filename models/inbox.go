package models

import (
	"strconv"
	"time"
)

// HitState is where a hit stands in the inbox of its account.
type HitState string

// The states of hits, as migration 0029 computes them. An answer counts first, then whom it is assigned to.
const (
	HitUnread    HitState = "unread"    // nobody has read, taken or answered it
	HitRead      HitState = "read"      // somebody has read it; nobody knows yet
	HitAssigned  HitState = "assigned"  // a member looks after it
	HitConfirmed HitState = "confirmed" // it is the person meant
	HitDismissed HitState = "dismissed" // it is someone else
)

// HitStates returns the states in the order of the inbox.
func HitStates() []HitState {
	return []HitState{HitUnread, HitRead, HitAssigned, HitConfirmed, HitDismissed}
}

// HitFilter narrows the inbox of an account; nil members do not.
type HitFilter struct {
	States []HitState
	// Assignee is the e-mail address of a member.
	Assignee *string
	// Watcher is the id of one watcher, and Label that of several.
	Watcher, Label *string
}

// HitPage is one page of the inbox.
type HitPage struct {
	Hits     []*Hit
	PageInfo PageInfo
	// Filter is what narrowed it, for its counts.
	Filter HitFilter
}

// HitCounts are the hits of an inbox by state.
type HitCounts struct{ Unread, Read, Assigned, Confirmed, Dismissed int }

// InboxStanding is where the inbox of an account stands. It is another value after each event, and after each reading,
// assignment or answer.
type InboxStanding struct {
	Counts  HitCounts
	Handled time.Time // when a hit was handled last; zero: none was
	Event   int64     // number of the newest event
}

// Of returns the count of a state.
func (c *HitCounts) Of(s HitState) *int {
	switch s {
	case HitRead:
		return &c.Read
	case HitAssigned:
		return &c.Assigned
	case HitConfirmed:
		return &c.Confirmed
	case HitDismissed:
		return &c.Dismissed
	case HitUnread:
	}
	return &c.Unread
}

// Handling is what somebody does with a hit; nil members leave what is stored.
type Handling struct {
	Actor // who does it
	// Answer says whether it is the person; Unsure takes an answer back. Scope is what Dismiss covers, by default the person.
	Answer *HitFeedback
	Scope  DismissScope
	// Read marks the hit as read, or as unread again.
	Read *bool
	// Assignee is the e-mail address of a member; empty: nobody.
	Assignee *string
	// Seen is the version of the hit that was seen; nil: whatever it is now.
	Seen *string
}

// Version names what was done with the hit: another reading, assignment or answer is another version.
func (h *Hit) Version() string { return strconv.Itoa(h.Rev) }

// Is reports whether a version is that of h; nil is whatever it is.
func (h *Hit) Is(seen *string) bool { return seen == nil || *seen == h.Version() }

// Standing returns the state in words, for a sentence that begins with "it is".
func (h *Hit) Standing() string {
	if h.State == HitAssigned && h.Assignee != nil {
		return "assigned to " + *h.Assignee
	}
	return string(h.State)
}

// Overtaken is the error for somebody who saw the hit before another handled it. It says who that was, when, and what became
// of the hit.
func (h *Hit) Overtaken() *Error {
	who, when := "Somebody", ""
	if h.HandledBy != nil {
		who = *h.HandledBy
	}
	if h.HandledAt != nil {
		when = " on " + h.HandledAt.In(Georgia).Format("Jan 2, 3:04 PM") + " ET"
	}
	return &Error{Code: CodeConflict, Message: who + " changed this hit" + when + ": it is " + h.Standing() + " now. Your change was not made"}
}
