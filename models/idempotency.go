package models

import "time"

// IdempotencyPatience is after how long a request with an Idempotency-Key that was not answered counts as dead: the same
// request may then be handled again. The handler of a request ends well before that.
const IdempotencyPatience = 2 * time.Minute

// KeptAnswer is what a request with an Idempotency-Key was answered.
type KeptAnswer struct {
	Status int    // of HTTP
	Body   []byte // as it was sent, or encrypted by the sender
	// Shows are the public ids of records that the answer shows, of any family. Those that Body holds as text need not be
	// among them. When one of the records is withheld, the answer is not sent any more.
	Shows []string
}

// IdempotencyClaim is the right to answer one request. It ends when the request counts as dead and another one claims
// the same key.
type IdempotencyClaim struct {
	AccountID string    // whose key it is
	Key       string    // the Idempotency-Key
	At        time.Time // when it was claimed, by which the claims of a key differ
}

// IdempotencyKey is a request that came with an Idempotency-Key. It is the GORM model of idempotency_keys.
type IdempotencyKey struct {
	AccountID string    `gorm:"primaryKey"`
	Key       string    `gorm:"primaryKey"`
	Request   []byte    // SHA-256 of method, path and body
	Status    *int      // nil: not answered yet
	Body      []byte    // nil: not answered yet
	CreatedAt time.Time `gorm:"serializer:utc"` // when it was claimed
}

// TableName is the table of claimed keys and kept answers.
func (IdempotencyKey) TableName() string { return "idempotency_keys" }
