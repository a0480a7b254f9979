package raw

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"

	"rollcall/models/encrypted"
)

// errOther means that a document or row opens and is not what its digest says.
var errOther = errors.New("it is not what was stored: some of it is missing or changed")

// RenewDocument stores the first archived document after the id after that is under an older secret key under the present
// one, and returns its id; 0: there is none. encrypted.RefusedError: it can not be read, and is as it was.
func (a Archive) RenewDocument(ctx context.Context, after int64) (id int64, err error) {
	return a.Store.RenewDocument(ctx, a.Seal.Key(), after, func(d encrypted.Document) encrypted.Renewal {
		return &renewal{seal: a.Seal, document: d, sum: sha256.New()}
	})
}

// renewal reads a document chunk by chunk (encrypted.Renewal).
type renewal struct {
	seal     *Seal
	document encrypted.Document
	sum      hash.Hash
}

// Chunk encrypts a chunk under the present key.
func (r *renewal) Chunk(sealed []byte) ([]byte, error) {
	plain, err := r.seal.Open(sealed, about(r.document.Source))
	if err != nil {
		return nil, err
	}
	_, _ = r.sum.Write(plain) // a hash takes every write
	return r.seal.Close(plain, about(r.document.Source)), nil
}

// Digest returns the digest under the present key, of a document that is whole.
func (r *renewal) Digest() ([]byte, error) {
	of, sum := about(r.document.Source), string(r.sum.Sum(nil))
	if !r.seal.Matches(r.document.Digest, of, sum) {
		return nil, errOther
	}
	return r.seal.Fingerprint(of, sum), nil
}

// RenewRows stores a batch of quarantined rows after the id after that are under an older secret key under the present one.
// It returns the id of the last one, 0 if there is none, and how many were stored; see encrypted.Store.RenewRows.
func (a Archive) RenewRows(ctx context.Context, after int64) (last int64, done int, err error) {
	return a.Store.RenewRows(ctx, a.Seal.Key(), after, func(r *encrypted.Row) error {
		plain, err := a.Seal.Open(r.Encrypted, Quarantine(r.Source))
		if err != nil {
			return err
		}
		r.Encrypted = a.Seal.Close(plain, Quarantine(r.Source))
		if r.Fingerprint != nil {
			r.Fingerprint = a.Seal.Fingerprint(r.Field, r.Reason, string(plain))
		}
		return nil
	})
}

// CanOpen reports whether a value from before there were ids of keys opens under one of the keys.
func (s *Seal) CanOpen(v encrypted.Sample) bool {
	of := Quarantine(v.Owner)
	if v.Kind == encrypted.Documents {
		of = about(v.Owner)
	}
	_, err := s.Open(v.Encrypted, of)
	return err == nil
}
