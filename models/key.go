package models

import (
	"time"
)

// APIKey is a key of an account. The key itself is never stored, only its SHA-256. It is the GORM model of api_keys.
type APIKey struct {
	ID        string     `gorm:"primaryKey"` // key_...
	AccountID string     // the account that it acts for
	Label     string     // what its owner calls it; may be empty
	Prefix    string     // first characters, to recognise it by
	SHA256    []byte     `gorm:"column:sha256"`
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
