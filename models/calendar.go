package models

import (
	"time"
)

// CalendarEvent is a hearing as a calendar shows it: cancelled ones and those that the court took
// back stay, so that who had them learns of it.
type CalendarEvent struct {
	Event     string    // the court's number of it; stable within its case
	StartsAt  time.Time `gorm:"serializer:georgia"` // Georgia's zone; the start of the day when no time is stated
	WholeDay  bool      // no time is stated; sources write midnight for that, too
	Kind      *string
	Judge     *string
	Location  *string
	Link      *string
	Cancelled bool
	Revision  int       // how often it changed
	Changed   time.Time `gorm:"serializer:utc"` // when it changed last, or the case was first seen; UTC
}

// CalendarSubscription is an account's subscription to the hearings of a case. Who has its token may read
// them; the token itself is never stored, only its SHA-256.
type CalendarSubscription struct {
	ID         string
	AccountID  string
	CaseID     string // empty while the case is withheld
	CaseNumber string // empty while the case is withheld, as Label is: either may name whom it hides
	County     *County
	Label      string
	CreatedAt  time.Time
	RevokedAt  *time.Time // nil: the address works
}

// CalendarSubscriptionRow is the GORM model of calendar_subscriptions: what is stored of a CalendarSubscription, whether its case is shown or not.
type CalendarSubscriptionRow struct {
	ID        string     `gorm:"primaryKey"` // feed_...
	AccountID string     // who subscribed
	CaseKey   int64      `gorm:"column:case_id"` // CourtCase.Key
	Label     string     // what the subscriber calls it; may be empty
	SHA256    []byte     `gorm:"column:sha256"` // of the token
	CreatedAt time.Time  `gorm:"serializer:utc"`
	RevokedAt *time.Time `gorm:"serializer:utc"` // nil: the address works
}

// TableName is the table of calendar subscriptions.
func (CalendarSubscriptionRow) TableName() string { return "calendar_subscriptions" }
