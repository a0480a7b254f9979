package encrypted

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"rollcall/internal/aead"
	"rollcall/models/db/joint"
)

// batch is how many rows are stored anew in one transaction.
const batch = 200

// Row is a quarantined row that is under another key.
type Row struct {
	ID                    int64
	Source, Field, Reason string
	Encrypted             []byte
	// Fingerprint is nil for a row that is kept each time it comes.
	Fingerprint []byte
}

// RenewRows stores a batch of rows after the id after anew that are not under key. It returns the id of the last one, 0 if
// there is none, and how many were stored. A row for which renew returns an error is left as it is, and the errors are
// joined: each is a RefusedError.
func (s *Store) RenewRows(ctx context.Context, key aead.KeyID, after int64, renew func(*Row) error) (last int64, done int, err error) {
	var refused error
	err = s.Joint(ctx, func(joined *joint.Tx) error {
		tx := joined.Pgx()
		found, err := tx.Query(ctx, statements.Get("next_rows"), pgx.StrictNamedArgs{"after": after, "key": key[:], "limit": batch})
		if err != nil {
			return err
		}
		rows, err := pgx.CollectRows(found, pgx.RowToAddrOfStructByPos[Row])
		if err != nil {
			return err
		}
		var ids []int64
		var encrypted, fingerprints [][]byte
		for _, r := range rows {
			last = r.ID
			if err := renew(r); err != nil {
				refused = errors.Join(refused, &RefusedError{Kind: Rows, ID: strconv.FormatInt(r.ID, 10), Owner: r.Source, Err: err})
				continue
			}
			ids, encrypted, fingerprints = append(ids, r.ID), append(encrypted, r.Encrypted), append(fingerprints, r.Fingerprint)
		}
		done = len(ids)
		_, err = tx.Exec(ctx, statements.Get("put_rows"), pgx.StrictNamedArgs{"ids": ids, "encrypted": encrypted, "fingerprints": fingerprints})
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("store quarantined rows anew: %w", err)
	}
	return last, done, refused
}
