package notifier

import (
	"errors"
	"fmt"

	"rollcall/internal/aead"
)

// bareVersion is the first byte of a secret that was encrypted before there were ids of keys.
const bareVersion = 1

// serviceSecretBytes is the length of a secret key of the service, from which others are derived (ROLLCALL_SECRET_KEY).
const serviceSecretBytes = 32

// errSealed means that stored bytes cannot be decrypted: damaged, moved from another account, or encrypted
// under a secret key that is not given.
var errSealed = errors.New("the stored webhook secret cannot be decrypted")

// Sealer encrypts webhook secrets at rest. They must be shown again and signed with, so a hash is not enough.
// It is safe for concurrent use.
//
// An encrypted secret is the id of the key and AES-256-GCM under it (aead.Ring). The account's id is authenticated with
// it, so a row copied to another account does not decrypt. Older ones have a byte with the number 1 in place of the id.
type Sealer struct{ ring *aead.Ring }

// NewSealer derives keys from the service's secret keys, which must have 32 bytes each. The present one is first.
func NewSealer(serviceSecrets ...[]byte) (*Sealer, error) {
	for _, s := range serviceSecrets {
		if len(s) != serviceSecretBytes {
			return nil, fmt.Errorf("a secret key of the service has %d bytes, not %d", len(s), serviceSecretBytes)
		}
	}
	secrets, err := aead.NewRing("rollcall webhook secret v1", serviceSecrets...)
	if err != nil {
		return nil, fmt.Errorf("make cipher of webhook secrets: %w", err)
	}
	return &Sealer{ring: secrets}, nil
}

// Seal encrypts the secret of an account for storage. Two calls return different bytes.
func (s *Sealer) Seal(secret Secret, accountID string) []byte {
	return s.ring.Seal([]byte(secret.Reveal()), sealedFor(accountID))
}

// Open decrypts what Seal returned for the same account. An error means that deliveries of the account cannot
// be signed until the right secret key is back; it names the key if the bytes do.
func (s *Sealer) Open(sealed []byte, accountID string) (Secret, error) {
	if len(sealed) == 0 {
		return Secret{}, errSealed
	}
	var text []byte
	var err error
	if _, known := aead.KeyOf(sealed); known {
		text, err = s.ring.Open(sealed, sealedFor(accountID))
	} else if sealed[0] == bareVersion {
		text, err = s.ring.OpenBare(sealed[1:], append([]byte{bareVersion}, accountID...))
	} else {
		return Secret{}, fmt.Errorf("open webhook secret: version %d is not known to this release", sealed[0])
	}
	if err != nil {
		return Secret{}, fmt.Errorf("%w: %w", errSealed, err)
	}
	return ParseSecret(string(text))
}

// Renew returns the secret of an account encrypted under the present key.
func (s *Sealer) Renew(sealed []byte, accountID string) ([]byte, error) {
	secret, err := s.Open(sealed, accountID)
	if err != nil {
		return nil, err
	}
	return s.Seal(secret, accountID), nil
}

// sealedFor returns the data that is authenticated beside the secret.
func sealedFor(accountID string) []byte { return []byte("webhook secret of " + accountID) }
