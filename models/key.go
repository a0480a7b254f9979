package models

import (
	"slices"
	"strings"
	"time"
)

// APIKey is a key of an account. The key itself is never stored, only its SHA-256. It is the GORM model of api_keys.
type APIKey struct {
	ID        string     `gorm:"primaryKey"` // key_...
	AccountID string     // the account that it acts for
	Label     string     // what its owner calls it; may be empty
	Prefix    string     // first characters, to recognise it by
	Scopes    []Scope    `gorm:"serializer:list"` // in the order of Scopes, never empty
	SHA256    []byte     `gorm:"column:sha256"`
	CreatedBy string     // e-mail address of the user who made it, or CommandLine
	CreatedAt time.Time  `gorm:"serializer:utc"`
	LastUsed  *time.Time `gorm:"serializer:utc"` // written now and then, not for each request
	ExpiresAt *time.Time `gorm:"serializer:utc"` // nil: never
	RevokedAt *time.Time `gorm:"serializer:utc"` // nil: not revoked; may lie ahead
}

// TableName is the table of keys.
func (APIKey) TableName() string { return "api_keys" }

// Usable reports whether the key opens anything at the moment now.
func (k *APIKey) Usable(now time.Time) bool {
	return (k.RevokedAt == nil || k.RevokedAt.After(now)) && (k.ExpiresAt == nil || k.ExpiresAt.After(now))
}

// Revoked reports whether revoking ends the key, or has ended it: not when it expires before that, as in an overlap that is
// longer than it lives.
func (k *APIKey) Revoked() bool {
	return k.RevokedAt != nil && (k.ExpiresAt == nil || k.RevokedAt.Before(*k.ExpiresAt))
}

// Opens returns the scopes in words for people: "everything", or their names.
func (k *APIKey) Opens() string {
	if len(k.Scopes) == len(Scopes()) {
		return "everything"
	}
	names := make([]string, 0, len(k.Scopes))
	for _, s := range k.Scopes {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

// Scope is a part of the interfaces that a key opens.
type Scope string

// The scopes. Every key has ScopeRead; the others add to it.
const (
	ScopeRead     Scope = "read"     // records, counties, sources, usage
	ScopeAlerts   Scope = "alerts"   // alerts, their hits and events
	ScopeWebhooks Scope = "webhooks" // webhooks, mail addresses and deliveries
	ScopeAdmin    Scope = "admin"    // addresses that open data without a key: calendars, Atom
)

// Scopes returns every scope: what a key opens that was made without naming any (SPEC.md, "Authentication").
func Scopes() []Scope { return []Scope{ScopeRead, ScopeAlerts, ScopeWebhooks, ScopeAdmin} }

// ParseScopes returns the scopes of a new key in the order of Scopes, without repetitions and with ScopeRead. None named
// is every scope; an empty name is none of them, so that a variable of a script that is not set opens nothing. A word that
// is no scope is CodeInvalidParameter.
func ParseScopes(named []string) ([]Scope, error) {
	if named == nil {
		return Scopes(), nil
	}
	if len(named) == 0 {
		return nil, Invalid("scope", "name a scope, or leave the scopes out to allow all of them")
	}
	chosen := map[Scope]bool{ScopeRead: true}
	for _, name := range named {
		s := Scope(strings.ToLower(strings.TrimSpace(name)))
		if !slices.Contains(Scopes(), s) {
			return nil, Invalid("scope", "a scope must be read, alerts, webhooks or admin")
		}
		chosen[s] = true
	}
	return slices.DeleteFunc(Scopes(), func(s Scope) bool { return !chosen[s] }), nil
}
