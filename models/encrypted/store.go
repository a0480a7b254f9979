// Package encrypted stores what is encrypted at rest anew, under another secret key: archived documents, quarantined rows
// and webhook secrets. It counts them by the key that they are under.
//
// A step takes one document, one batch of rows or the secrets of one account, in one transaction. So a process that is
// killed leaves each value as it was or as it should be, and the next one goes on from there.
//
// It has no key and does not know what the bytes say: its callers decrypt and encrypt.
package encrypted

import (
	"context"
	"embed"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/internal/aead"
	"rollcall/models/db"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// statements are all of this package.
var statements = sqlfile.Load(files)

// Store renews values. It is safe for concurrent use.
type Store struct{ *db.DB }

// New returns a Store over d.
func New(d *db.DB) *Store { return &Store{DB: d} }

// Kind is what a value is.
type Kind int

// The kinds.
const (
	Documents Kind = 1 // archived documents
	Rows      Kind = 2 // quarantined rows
	Secrets   Kind = 3 // webhook secrets
)

// Count is how many values of a kind are under a key.
type Count struct {
	Kind Kind
	// Key begins each of them; nil: they were stored before there were ids.
	Key   []byte
	Count int
}

// UnderKeys counts the values by their kind and key.
func (s *Store) UnderKeys(ctx context.Context) ([]Count, error) {
	rows, err := s.Pool().Query(ctx, statements.Get("under_keys"), pgx.StrictNamedArgs{"mark": aead.Mark})
	if err == nil {
		var all []Count
		if all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Count]); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("count encrypted values: %w", err)
}

// Sample is a value that was stored before there were ids of keys.
type Sample struct {
	Kind Kind
	// Owner is the source, or the account of a webhook secret.
	Owner     string
	Encrypted []byte
}

// WithoutID returns one value of each kind that was stored before there were ids.
func (s *Store) WithoutID(ctx context.Context) ([]Sample, error) {
	rows, err := s.Pool().Query(ctx, statements.Get("without_id"), pgx.StrictNamedArgs{"mark": aead.Mark})
	if err == nil {
		var all []Sample
		if all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Sample]); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read values without id of a key: %w", err)
}

// RefusedError is a value that the caller could not store anew. It was left as it is.
type RefusedError struct {
	Kind Kind
	// ID is that of the content, row or account.
	ID string
	// Owner is the source, or the account.
	Owner string
	Err   error
}

// Error names the value.
func (e *RefusedError) Error() string {
	what := map[Kind]string{Documents: "document", Rows: "quarantined row", Secrets: "webhook secret"}[e.Kind]
	return fmt.Sprintf("%s %s of %s: %v", what, e.ID, e.Owner, e.Err)
}

// Unwrap returns why.
func (e *RefusedError) Unwrap() error { return e.Err }
