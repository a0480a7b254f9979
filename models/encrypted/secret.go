package encrypted

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"rollcall/internal/aead"
	"rollcall/models/db/joint"
)

// RenewSecret stores the webhook secrets of the first account after the account after anew of which one is not under key,
// and returns the account; empty: there is none. RefusedError: renew could not read one, and both are as they were.
func (s *Store) RenewSecret(ctx context.Context, key aead.KeyID, after string, renew func(encrypted []byte, account string) ([]byte, error)) (account string, err error) {
	err = s.Joint(ctx, func(joined *joint.Tx) error {
		tx := joined.Pgx()
		var current, next []byte
		row := tx.QueryRow(ctx, statements.Get("next_secret"), pgx.StrictNamedArgs{"after": after, "key": key[:]})
		if err := row.Scan(&account, &current, &next); errors.Is(err, pgx.ErrNoRows) {
			return nil
		} else if err != nil {
			return err
		}
		for _, secret := range []*[]byte{&current, &next} {
			if *secret == nil {
				continue
			}
			if *secret, err = renew(*secret, account); err != nil {
				return &RefusedError{Kind: Secrets, ID: "(current or next)", Owner: account, Err: err}
			}
		}
		_, err := tx.Exec(ctx, statements.Get("put_secret"), pgx.StrictNamedArgs{"account": account, "current": current, "next": next})
		return err
	})
	return account, err
}
