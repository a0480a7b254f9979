package encrypted

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"

	"rollcall/internal/aead"
	"rollcall/models/db/joint"
)

// Document is an archived document that is under another key.
type Document struct {
	ID     int64
	Source string
	// Digest is the keyed digest as it is stored.
	Digest []byte
}

// Renewal stores a document anew. Chunk returns the encrypted chunk with a number anew; the chunks come in order. Digest
// is called after the last one, and returns the digest under the present key.
type Renewal interface {
	Chunk(encrypted []byte) ([]byte, error)
	Digest() ([]byte, error)
}

// RenewDocument stores the first document after the id after that is not under key anew, and returns its id; 0: there is
// none. A document of which the same bytes are archived under key already is given up for that one. RefusedError: the
// renewal could not read it, and it is as it was.
func (s *Store) RenewDocument(ctx context.Context, key aead.KeyID, after int64, begin func(Document) Renewal) (id int64, err error) {
	err = s.Joint(ctx, func(joined *joint.Tx) error {
		tx := joined.Pgx()
		var d Document
		row := tx.QueryRow(ctx, statements.Get("next_content"), pgx.StrictNamedArgs{"after": after, "key": key[:]})
		if err := row.Scan(&d.ID, &d.Source, &d.Digest); errors.Is(err, pgx.ErrNoRows) {
			return nil
		} else if err != nil {
			return err
		}
		id = d.ID
		renewal := begin(d)
		refused := func(err error) error {
			return &RefusedError{Kind: Documents, ID: strconv.FormatInt(d.ID, 10), Owner: d.Source, Err: err}
		}
		var bytes int64
		for seq := 0; ; seq++ {
			var encrypted []byte
			err := tx.QueryRow(ctx, statements.Get("chunk"), pgx.StrictNamedArgs{"content": d.ID, "seq": seq}).Scan(&encrypted)
			if errors.Is(err, pgx.ErrNoRows) {
				break
			}
			if err != nil {
				return err
			}
			if encrypted, err = renewal.Chunk(encrypted); err != nil {
				return refused(err)
			}
			bytes += int64(len(encrypted))
			if _, err := tx.Exec(ctx, statements.Get("put_chunk"), pgx.StrictNamedArgs{"content": d.ID, "seq": seq, "encrypted": encrypted}); err != nil {
				return err
			}
		}
		digest, err := renewal.Digest()
		if err != nil {
			return refused(err)
		}
		return put(ctx, tx, d, digest, bytes)
	})
	return id, err
}

// put stores the digest of a document whose chunks are renewed, or leads its archives to the one that came since.
func put(ctx context.Context, tx pgx.Tx, d Document, digest []byte, bytes int64) error {
	var twin int64
	err := tx.QueryRow(ctx, statements.Get("twin"), pgx.StrictNamedArgs{"source": d.Source, "digest": digest}).Scan(&twin)
	if errors.Is(err, pgx.ErrNoRows) {
		_, err = tx.Exec(ctx, statements.Get("put_content"), pgx.StrictNamedArgs{"content": d.ID, "digest": digest, "bytes": bytes})
		return err
	}
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, statements.Get("lead_to_twin"), pgx.StrictNamedArgs{"content": d.ID, "twin": twin}); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, statements.Get("drop_content"), pgx.StrictNamedArgs{"content": d.ID})
	return err
}
