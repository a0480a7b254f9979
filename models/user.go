package models

import (
	"strings"
	"time"
)

// Passkey is a key pair of a user's device that signs in without a password; its public half is in Credential. It is the
// GORM model of passkeys.
type Passkey struct {
	ID         []byte     `gorm:"primaryKey"` // as the device chose it
	UserID     string     // whom it signs in
	Name       string     // what the user calls the device
	Credential []byte     // JSON, as package auth writes it
	CreatedAt  time.Time  `gorm:"serializer:utc"`
	LastUsed   *time.Time `gorm:"serializer:utc"`
}

// TableName is the table of passkeys.
func (Passkey) TableName() string { return "passkeys" }

// PasskeyChallenge is what a device has to sign, for as long as it may. It is the GORM model of passkey_challenges.
type PasskeyChallenge struct {
	Challenge string    `gorm:"primaryKey"`
	UserID    *string   // who adds a passkey; nil: somebody signs in
	Session   []byte    // JSON, as package auth writes it
	ExpiresAt time.Time `gorm:"serializer:utc"`
}

// TableName is the table of open challenges.
func (PasskeyChallenge) TableName() string { return "passkey_challenges" }

// Session is a signed-in browser. Of its secret only the SHA-256 is stored. It is the GORM model of sessions.
type Session struct {
	SHA256    []byte    `gorm:"column:sha256;primaryKey"`
	UserID    string    // who is signed in
	CreatedAt time.Time `gorm:"serializer:utc"`
	SeenAt    time.Time `gorm:"serializer:utc"` // to the minute
	ExpiresAt time.Time `gorm:"serializer:utc"`
	Agent     string    // what the browser calls itself, cut to 200 bytes
}

// TableName is the table of sessions.
func (Session) TableName() string { return "sessions" }

// LinkKind is what a sign-in link is for.
type LinkKind string

// The kinds of sign-in links.
const (
	Invitation LinkKind = "invitation" // makes a user; works once
	Reset      LinkKind = "reset"      // sets a new password; works once
	Enter      LinkKind = "enter"      // signs in without a password, as often as wanted: the demo's
)

// SignInLink is an address with a secret that lets its holder in. Of the secret only the SHA-256 is stored. It is the GORM
// model of sign_in_links.
type SignInLink struct {
	SHA256    []byte     `gorm:"column:sha256;primaryKey"`
	Kind      LinkKind   // what it is for
	AccountID string     // the account that it lets into
	UserID    *string    // whom it is for; nil: an invitation
	Email     string     // whom it is for
	Role      Role       // that an invited user gets
	Operator  bool       // whether an invited user may look after the sources
	CreatedBy string     // e-mail address of an owner, or CommandLine
	CreatedAt time.Time  `gorm:"serializer:utc"`
	ExpiresAt time.Time  `gorm:"serializer:utc"`
	UsedAt    *time.Time `gorm:"serializer:utc"` // nil: not used up
}

// TableName is the table of sign-in links.
func (SignInLink) TableName() string { return "sign_in_links" }

// Role is what a user may do within the account.
type Role string

// The roles. Whether a user looks after the sources is in User.Operator.
const (
	Owner  Role = "owner"  // also decides who belongs to the account
	Member Role = "member" // keys, alerts, webhooks
)

// ParseRole reads a role in any letter case.
func ParseRole(s string) (Role, error) {
	switch r := Role(strings.ToLower(s)); r {
	case Owner, Member:
		return r, nil
	}
	return "", Invalid("role", "role must be owner or member")
}

// User is a person who signs in to an account. It is the GORM model of users.
type User struct {
	ID         string     `gorm:"primaryKey"` // user_...
	AccountID  string     // the one account that the user belongs to
	Email      string     // of no other user, in any letter case
	Password   string     // argon2id with its parameters; never shown
	Role       Role       // what the user may do within the account
	Operator   bool       // may look after the sources of the whole service
	CreatedAt  time.Time  `gorm:"serializer:utc"`
	LastSignIn *time.Time `gorm:"serializer:utc"`
}

// TableName is the table of users.
func (User) TableName() string { return "users" }
