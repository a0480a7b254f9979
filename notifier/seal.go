package notifier

import (
	"crypto/cipher"
	"errors"
	"fmt"

	"rollcall/internal/aead"
)

// sealVersion is the first byte of what Seal makes, so that a later cipher or key can be told from this one.
const sealVersion = 1

// serviceSecretBytes is the length of the service's secret that keys are derived from.
const serviceSecretBytes = 32

// errSealed tells that stored bytes cannot be opened: damaged, moved from another account, or sealed under another
// ROLLCALL_SECRET_KEY.
var errSealed = errors.New("the stored secret does not open; was it sealed with another ROLLCALL_SECRET_KEY?")

// Sealer encrypts webhook secrets at rest. They must be shown again and signed with, so a hash would not do.
//
// A sealed secret is one version byte and, in version 1, a 12-byte nonce and the AES-256-GCM ciphertext. The key comes from
// the service's secret by HKDF-SHA256 (RFC 5869) under a label of its own; the version and the account's id are
// authenticated with it, so a row copied to another account does not open.
type Sealer struct{ aead cipher.AEAD }

// NewSealer derives the sealing key from the service's secret, which has 32 bytes.
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

// Seal encrypts the secret of an account for storage. Two calls give different bytes.
func (s *Sealer) Seal(secret Secret, accountID string) []byte {
	//nolint:gosec // no nonce is given: this AEAD draws a random one and puts it in front
	return s.aead.Seal([]byte{sealVersion}, nil, []byte(secret.Reveal()), sealedFor(sealVersion, accountID))
}

// Open decrypts what Seal made for the same account.
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

func sealedFor(version byte, accountID string) []byte {
	return append([]byte{version}, accountID...)
}
