package notifier

import (
	"crypto/cipher"
	"errors"
	"fmt"

	"rollcall/internal/aead"
)

// sealVersion is the first byte of what Seal returns, so that a later cipher or key can be distinguished from
// this one.
const sealVersion = 1

// serviceSecretBytes is the length of the service's secret, from which keys are derived (ROLLCALL_SECRET_KEY).
const serviceSecretBytes = 32

// errSealed means that stored bytes cannot be decrypted: damaged, moved from another account, or encrypted
// under another ROLLCALL_SECRET_KEY.
var errSealed = errors.New("the stored secret cannot be decrypted: set the ROLLCALL_SECRET_KEY that encrypted it")

// Sealer encrypts webhook secrets at rest. They must be shown again and signed with, so a hash is not enough.
// It is safe for concurrent use.
//
// An encrypted secret is one version byte and, in version 1, a 12-byte nonce and the AES-256-GCM ciphertext.
// The key is derived from the service's secret by HKDF-SHA256 (RFC 5869) under a label of its own. The version
// and the account's id are authenticated with it, so a row copied to another account does not decrypt.
type Sealer struct{ aead cipher.AEAD }

// NewSealer derives the key from the service's secret, which must have 32 bytes.
func NewSealer(serviceSecret []byte) (*Sealer, error) {
	if len(serviceSecret) != serviceSecretBytes {
		return nil, fmt.Errorf("the service's secret has %d bytes, not %d", len(serviceSecret), serviceSecretBytes)
	}
	secrets, err := aead.Derive(serviceSecret, "rollcall webhook secret v1")
	if err != nil {
		return nil, fmt.Errorf("make cipher of webhook secrets: %w", err)
	}
	return &Sealer{aead: secrets}, nil
}

// Seal encrypts the secret of an account for storage. Two calls return different bytes.
func (s *Sealer) Seal(secret Secret, accountID string) []byte {
	//nolint:gosec // no nonce is given: this AEAD draws a random one and puts it in front
	return s.aead.Seal([]byte{sealVersion}, nil, []byte(secret.Reveal()), sealedFor(sealVersion, accountID))
}

// Open decrypts what Seal returned for the same account. An error means that deliveries of the account cannot
// be signed until the right ROLLCALL_SECRET_KEY is back.
func (s *Sealer) Open(sealed []byte, accountID string) (Secret, error) {
	if len(sealed) == 0 {
		return Secret{}, errSealed
	}
	if sealed[0] != sealVersion {
		return Secret{}, fmt.Errorf("open webhook secret: version %d is not known to this release", sealed[0])
	}
	text, err := s.aead.Open(nil, nil, sealed[1:], sealedFor(sealVersion, accountID))
	if err != nil {
		return Secret{}, errSealed
	}
	return ParseSecret(string(text))
}

// sealedFor returns the data that is authenticated beside the secret.
func sealedFor(version byte, accountID string) []byte {
	return append([]byte{version}, accountID...)
}
