package models

import "time"

// APIKey is a key of an account. The key itself is never stored, only its SHA-256.
type APIKey struct {
	ID        string `gorm:"primaryKey"`
	AccountID string
	Label     string
	Prefix    string // first characters, to recognise it by
	SHA256    []byte `gorm:"column:sha256"`
	CreatedAt time.Time
	LastUsed  *time.Time // written now and then, not for each request
	ExpiresAt *time.Time
	RevokedAt *time.Time
}

// TableName is the table of keys.
func (APIKey) TableName() string { return "api_keys" }

// Usable says whether the key opens anything at the moment now.
func (k *APIKey) Usable(now time.Time) bool {
	return (k.RevokedAt == nil || k.RevokedAt.After(now)) && (k.ExpiresAt == nil || k.ExpiresAt.After(now))
}

// Revoked says whether revoking ends the key, or has ended it: not when it expires before that, as in an overlap that is longer than it lives.
func (k *APIKey) Revoked() bool {
	return k.RevokedAt != nil && (k.ExpiresAt == nil || k.RevokedAt.Before(*k.ExpiresAt))
}
