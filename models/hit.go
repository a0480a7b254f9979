package models

import (
	"time"

	"rollcall/match"
)

// HitFeedback is what the owner of a watcher says of a hit.
type HitFeedback string

// The kinds of feedback. After Dismiss that person never fires for that watcher again; the others take that back.
const (
	Confirm HitFeedback = "confirm"
	Dismiss HitFeedback = "dismiss"
	Unsure  HitFeedback = "unsure"
)

// Done returns what the trail of an account calls the feedback.
func (f HitFeedback) Done() string {
	switch f {
	case Confirm:
		return "hit confirmed"
	case Dismiss:
		return "hit marked as not them"
	case Unsure:
		return "hit answer undone"
	}
	return "hit answered"
}

// Hit is a booking that a watcher matches: one for each watcher and record, whatever happens to it. It is the GORM model of
// hits, read from the view published_hits.
type Hit struct {
	ID          string       `gorm:"primaryKey"` // hit_...
	AccountID   string       // whose watcher it is of
	WatcherID   string       // what matches
	RID         int64        `gorm:"column:rid"` // of the booking
	RecordID    string       `gorm:"->"`         // public id of the booking
	Probability float64      // from 0 to 1, four decimals
	Reasons     []string     `gorm:"serializer:list"` // the weightiest first
	At          time.Time    `gorm:"serializer:utc"`  // when it was found
	Feedback    *HitFeedback // feedback of the account; nil: none yet
	FeedbackAt  *time.Time   `gorm:"serializer:utc"` // set if and only if Feedback is
	// Scope is what its dismissal covers; nil: it is not dismissed.
	Scope *DismissScope `gorm:"->"`
	// State is where it stands in the inbox. The database computes it.
	State HitState `gorm:"->"`
	// Assignee is the e-mail address of the member who looks after it; nil: nobody does.
	Assignee *string `gorm:"->"`
	// Rev counts how often it was read, assigned or answered.
	Rev int `gorm:"->"`
	// HandledBy is who did so last, as the trail writes it, at HandledAt; nil: nobody did.
	HandledBy *string    `gorm:"->"`
	HandledAt *time.Time `gorm:"->;serializer:utc"`
}

// BornCompared reports whether births were compared when it was found. Else the probability is of the names alone, and every namesake has
// the same.
func (h *Hit) BornCompared() bool { return match.BirthCompared(h.Reasons) }

// TableName is the view that reads of hits take: hits on bookings that are not published are not in it.
func (Hit) TableName() string { return "published_hits" }

// DismissedHit is a hit whose person or spelling the watcher does not match any more. It is the GORM model of dismissals; Dismissal is
// what matching makes of it.
type DismissedHit struct {
	HitID     string    `gorm:"primaryKey"`
	WatcherID string    // of the hit
	RID       int64     `gorm:"column:rid"` // booking of the hit
	Spelling  *string   // everybody whose name is written so; nil: the person of the booking
	At        time.Time `gorm:"serializer:utc"`
}

// TableName is the table of dismissals.
func (DismissedHit) TableName() string { return "dismissals" }

// HitTotal is what a watcher has found so far.
type HitTotal struct {
	Count int
	Last  *time.Time // when the newest hit was found, UTC; nil: there is none
	// Confirmed and Dismissed count the answers of the account.
	Confirmed, Dismissed int
	// Unread counts the hits that nobody has read, taken or answered.
	Unread int
}

// FoundHit is a hit with what a list for people shows of its watcher and booking.
type FoundHit struct {
	Hit         `gorm:"embedded"`
	WatcherName string
	Label       *string // of the watcher
	Name        string  // as the jail writes it
	Dob         *Date   `gorm:"serializer:date"`
	BirthYear   *int
	County      *County   `gorm:"column:county_id;serializer:county"`
	BookedAt    time.Time `gorm:"serializer:utc"`
	Event       EventKind // what happened last
	Charges     []string  `gorm:"serializer:list"`
	BondCents   *int64
}
