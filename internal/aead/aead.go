// Package aead makes the ciphers that keep bytes unreadable at rest: AES-256-GCM, with a random nonce of 12 bytes in front
// of what it encrypts. What a stored value is and what it belongs to is for its owner to say, as additional data.
//
// It is not for keys: the service has one secret key at a time, and the others come from it. What is stored names the secret
// key that it is under (Ring), so that one can take the place of another.
package aead

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
)

// keyBytes is the length of a key of AES-256.
const keyBytes = 32

// Derive returns the cipher whose key comes from the service's secret by HKDF-SHA256 (RFC 5869) under a label.
// Ciphers of different labels cannot open what the other encrypted, and the secret itself encrypts nothing.
// Pass no nonce to Seal: the cipher makes one.
func Derive(secret []byte, label string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, label, keyBytes)
	if err != nil {
		return nil, fmt.Errorf("derive key %q: %w", label, err)
	}
	return New(key)
}

// New returns the cipher of a key of 32 bytes.
func New(key []byte) (cipher.AEAD, error) {
	if len(key) != keyBytes {
		return nil, fmt.Errorf("make cipher: the key has %d bytes, not %d", len(key), keyBytes)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	c, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	return c, nil
}
