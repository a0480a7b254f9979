package aead

import (
	"bytes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// Mark begins every KeyID. What was encrypted before there were ids begins with a random nonce instead.
const Mark = "rck1"

// KeyID stands in front of what is kept under a secret key of the service, and names the key: Mark, and eight bytes that
// are derived from the key and reveal nothing of it.
type KeyID [12]byte

// String returns the eight bytes in hexadecimal, as operators see the id of a key.
func (id KeyID) String() string { return hex.EncodeToString(id[len(Mark):]) }

// IDOf returns the id of a secret key.
func IDOf(secret []byte) (id KeyID, err error) {
	rest, err := hkdf.Key(sha256.New, secret, nil, "rollcall key id v1", len(id)-len(Mark))
	if err != nil {
		return id, fmt.Errorf("derive id of secret key: %w", err)
	}
	copy(id[copy(id[:], Mark):], rest)
	return id, nil
}

// KeyOf returns the id in front of stored bytes. false: they were stored before there were ids.
func KeyOf(stored []byte) (id KeyID, known bool) {
	if len(stored) < len(id) || !bytes.HasPrefix(stored, []byte(Mark)) {
		return id, false
	}
	copy(id[:], stored)
	return id, true
}

// MissingKeyError is the error for bytes under a secret key that the service was not given.
type MissingKeyError struct{ ID KeyID }

// Error says which key is missing and where to put it.
func (e *MissingKeyError) Error() string {
	return "it is encrypted under the secret key " + e.ID.String() + ", which is not given: add that key to ROLLCALL_SECRET_KEYS_OLD"
}

// errOpen means that none of the keys that may have encrypted the bytes opens them.
var errOpen = errors.New("it is damaged, or encrypted under a secret key that is not given (ROLLCALL_SECRET_KEYS_OLD)")

// Ring is the ciphers of one label under several secret keys. The first encrypts, and each opens what it encrypted.
// It is safe for concurrent use.
type Ring struct {
	ids     []KeyID
	ciphers []cipher.AEAD
}

// NewRing derives the ciphers of a label. The present secret key is first, older ones follow.
func NewRing(label string, secrets ...[]byte) (*Ring, error) {
	if len(secrets) == 0 {
		return nil, errors.New("make ciphers: there is no secret key")
	}
	r := &Ring{}
	for _, secret := range secrets {
		id, err := IDOf(secret)
		if err != nil {
			return nil, err
		}
		c, err := Derive(secret, label)
		if err != nil {
			return nil, err
		}
		r.ids, r.ciphers = append(r.ids, id), append(r.ciphers, c)
	}
	return r, nil
}

// Seal encrypts plain under the present key, with the key's id in front. about is authenticated with it.
func (r *Ring) Seal(plain, about []byte) []byte {
	//nolint:gosec // no nonce is given: this AEAD draws a random one and puts it in front
	return r.ciphers[0].Seal(r.ids[0][:], nil, plain, about)
}

// Open returns what Seal encrypted under one of the keys, or what a cipher of Derive encrypted before there were ids.
// A key that is not there is a MissingKeyError.
func (r *Ring) Open(sealed, about []byte) ([]byte, error) {
	id, known := KeyOf(sealed)
	for i, own := range r.ids {
		if known && id == own {
			plain, err := r.ciphers[i].Open(nil, nil, sealed[len(id):], about)
			if err != nil {
				return nil, errOpen
			}
			return plain, nil
		}
	}
	if plain, err := r.OpenBare(sealed, about); err == nil || !known {
		return plain, err
	}
	return nil, &MissingKeyError{ID: id}
}

// OpenBare returns what a cipher of Derive encrypted under one of the keys: bytes without an id.
func (r *Ring) OpenBare(sealed, about []byte) ([]byte, error) {
	for _, c := range r.ciphers {
		if plain, err := c.Open(nil, nil, sealed, about); err == nil {
			return plain, nil
		}
	}
	return nil, errOpen
}
