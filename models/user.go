package models

import (
	"strings"
	"time"
)

// Passkey is a key pair of a user's device that signs in without a password; its public half is in Credential.
type Passkey struct {
	ID         []byte
	UserID     string
	Name       string
	Credential []byte // JSON, as package auth writes it
	CreatedAt  time.Time
	LastUsed   *time.Time
}

// PasskeyChallenge is what a device has to sign, for as long as it may.
type PasskeyChallenge struct {
	Challenge string
	UserID    *string // who adds a passkey; nil: somebody signs in
	Session   []byte  // JSON, as package auth writes it
	ExpiresAt time.Time
}

// Session is a signed-in browser. Of its secret only the SHA-256 is stored.
type Session struct {
	SHA256    []byte
	UserID    string
	CreatedAt time.Time
	SeenAt    time.Time // to the minute
	ExpiresAt time.Time
	Agent     string // what the browser calls itself, cut to 200 bytes
}

// LinkKind is what a sign-in link is for.
type LinkKind string

// The kinds of sign-in links.
const (
	Invitation LinkKind = "invitation" // makes a user; works once
	Reset      LinkKind = "reset"      // sets a new password; works once
	Enter      LinkKind = "enter"      // signs in without a password, as often as wanted: the demo's
)

// SignInLink is an address with a secret that lets its holder in. Of the secret only the SHA-256 is stored.
type SignInLink struct {
	SHA256    []byte
	Kind      LinkKind
	AccountID string
	UserID    *string // whom it is for; nil: an invitation
	Email     string
	Role      Role
	Operator  bool
	CreatedBy string
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    *time.Time
}

// Role is what a user may do within the account.
type Role string

// The roles. Whether a user looks after the sources is told by User.Operator.
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
	return "", Invalid("role", "role is owner or member")
}

// User is a person who signs in to an account.
type User struct {
	ID         string
	AccountID  string
	Email      string
	Password   string // argon2id with its parameters; never shown
	Role       Role
	Operator   bool // may look after the sources of the whole service
	CreatedAt  time.Time
	LastSignIn *time.Time
}
