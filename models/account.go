package models

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Plan is what an account pays for; only Enterprise has API access.
type Plan string

// The plans.
const (
	Free       Plan = "free"
	Pro        Plan = "pro"
	Enterprise Plan = "enterprise"
)

// ParsePlan reads a plan in any letter case.
func ParsePlan(s string) (Plan, error) {
	switch p := Plan(strings.ToLower(s)); p {
	case Free, Pro, Enterprise:
		return p, nil
	}
	return "", Invalid("plan", fmt.Sprintf("plan %.20q is not one of free, pro, enterprise", s))
}

// DefaultRateLimit is the number of requests a minute that SPEC.md grants.
const DefaultRateLimit = 100

// Account is a customer: keys, watchers and webhooks belong to it. It is the GORM model of accounts.
type Account struct {
	ID         string    `gorm:"primaryKey"` // acct_...
	Name       string    // as invoices and pages show it
	Email      string    // of no other account, in any letter case
	Plan       Plan      // only Enterprise has API access
	RateLimit  int       // requests a minute over all keys; 0: unlimited
	FloodLimit int       // deliveries a minute; those above it are sent later, none is left out; 0: no limit
	CreatedAt  time.Time `gorm:"serializer:utc"`
	// SuspendedAt is since when an operator suspends it; nil: it is not suspended.
	SuspendedAt *time.Time `gorm:"serializer:utc"`
	// SuspendedReason is for the account's users; set if and only if it is suspended.
	SuspendedReason *string
}

// Entitled reports whether the account has the API, events and deliveries: it is Enterprise and not suspended.
func (a *Account) Entitled() bool { return a.Plan == Enterprise && a.SuspendedAt == nil }

// Suspended returns the refusal of a suspended account, with the operator's reason; nil when it is not suspended.
func (a *Account) Suspended() *Error {
	if a.SuspendedReason == nil {
		return nil
	}
	return &Error{Code: CodeForbidden, Message: "this account is suspended: " + *a.SuspendedReason + "; ask the operator of this service"}
}

// Suspend suspends the account. The reason of a suspension that stands already is replaced.
func (a *Account) Suspend(reason string, now time.Time) error {
	reason = Visible(reason)
	if reason == "" || utf8.RuneCountInString(reason) > 200 {
		return Invalid("reason", "reason must have 1 to 200 characters; the account's users read it")
	}
	if a.SuspendedAt == nil {
		a.SuspendedAt = &now
	}
	a.SuspendedReason = &reason
	return nil
}

// Resume ends a suspension.
func (a *Account) Resume() { a.SuspendedAt, a.SuspendedReason = nil, nil }

// TableName is the table of accounts.
func (Account) TableName() string { return "accounts" }

// Validate returns the first thing that an account may not be, as an Error that names the field.
func (a *Account) Validate() error {
	if a.Name == "" || len(a.Name) > 200 {
		return Invalid("name", "name must have 1 to 200 characters")
	}
	if err := EmailAddress(a.Email); err != nil {
		return err
	}
	if a.RateLimit < 0 {
		return Invalid("rate_limit", "rate limit must be 0 (unlimited) or more requests a minute")
	}
	if a.FloodLimit < 0 {
		return Invalid("flood_limit", "flood limit must be 0 (none) or more deliveries a minute")
	}
	_, err := ParsePlan(string(a.Plan))
	return err
}

// AccountChange holds what to change of an account; nil leaves it.
type AccountChange struct {
	Name       *string
	Email      *string
	Plan       *Plan
	RateLimit  *int
	FloodLimit *int
}

// Apply applies c to a and checks what came of it.
func (a *Account) Apply(c AccountChange) error {
	set(&a.Name, c.Name)
	set(&a.Email, c.Email)
	set(&a.Plan, c.Plan)
	set(&a.RateLimit, c.RateLimit)
	set(&a.FloodLimit, c.FloodLimit)
	return a.Validate()
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// NewID makes an opaque id with 128 random bits behind a word that names its kind.
func NewID(kind string) string { return kind + "_" + rand.Text() }

// CommandLine is the actor of what an operator does with the program itself.
const CommandLine = "command line"

// AccountEvent is an entry of an account's trail: who did what to what. It is the GORM model of account_events.
type AccountEvent struct {
	ID        int64     `gorm:"primaryKey"` // in the order of the trail
	AccountID string    // whose trail it is
	At        time.Time `gorm:"serializer:utc"`
	Actor     string    // e-mail address, an API key by label and prefix, or CommandLine
	Action    string    // such as "key created"
	Subject   string    // such as the key's label and prefix; empty when the action says it all
}

// TableName is the table of the trails.
func (AccountEvent) TableName() string { return "account_events" }

// TrailFilter narrows a trail. What is empty narrows nothing.
type TrailFilter struct {
	// Action and Actor are parts of these, in any case.
	Action, Actor string
	// Since and Until bound when an entry was made, Until itself left out.
	Since, Until *time.Time
}

// Deed is what somebody did through one of the interfaces: a user on a page, or a program with an API key.
type Deed struct {
	Actor
	AccountID       string
	Action, Subject string // as in AccountEvent
}

// UsageHour counts an account's requests in one hour. It is the GORM model of usage_hours.
type UsageHour struct {
	AccountID string    `gorm:"primaryKey"`
	Hour      time.Time `gorm:"primaryKey;serializer:utc"` // its start
	Requests  int       // answered
	Limited   int       // refused with 429
}

// TableName is the table of counted hours.
func (UsageHour) TableName() string { return "usage_hours" }

// Usage is how much of its request limit an account has used.
type Usage struct {
	Limit        int         // requests a minute; 0: unlimited
	Remaining    int         // requests that would be answered now; 2147483647 when unlimited
	ResetSeconds int         // whole seconds, rounded up, until all of Limit is free again; 0 when nothing is counted
	LastDay      []UsageHour // 24 hours, oldest first, quiet ones too; the last is the running one
}

// UsageCount is what one process has counted for an account in an hour since it last said so.
type UsageCount struct {
	AccountID string
	Hour      time.Time
	Requests  int64
	Limited   int64
}
