package aead_test

import (
	"crypto/aes"
	"crypto/cipher"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/aead"
)

var secret = []byte("a secret key of a test, 32 bytes")

func derive(t *testing.T, secret []byte, label string) cipher.AEAD {
	t.Helper()
	c, err := aead.Derive(secret, label)
	require.NoError(t, err)
	return c
}

func TestOnlyTheSameSecretLabelAndOwnerOpen(t *testing.T) {
	t.Parallel()
	c := derive(t, secret, "one")
	sealed := c.Seal(nil, nil, []byte("plain"), []byte("owner"))
	require.NotEqual(t, sealed, c.Seal(nil, nil, []byte("plain"), []byte("owner")), "two calls give different bytes")
	plain, err := derive(t, secret, "one").Open(nil, nil, sealed, []byte("owner"))
	require.NoError(t, err)
	require.Equal(t, "plain", string(plain))
	for name, c := range map[string]struct {
		of     cipher.AEAD
		sealed []byte
		owner  string
	}{
		"another secret": {derive(t, []byte("another key of a test, 32 bytes!"), "one"), sealed, "owner"},
		"another label":  {derive(t, secret, "two"), sealed, "owner"},
		"another owner":  {c, sealed, "thief"},
		"cut off":        {c, sealed[:len(sealed)-1], "owner"},
		"too short":      {c, sealed[:5], "owner"},
		"nothing":        {c, nil, "owner"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := c.of.Open(nil, nil, c.sealed, []byte(c.owner))
			require.Error(t, err)
		})
	}
}

func TestTheNonceStandsInFront(t *testing.T) {
	t.Parallel()
	block, err := aes.NewCipher(secret)
	require.NoError(t, err)
	gcm, err := cipher.NewGCM(block)
	require.NoError(t, err)
	nonce := []byte("twelve bytes")
	c, err := aead.New(secret)
	require.NoError(t, err)
	plain, err := c.Open(nil, nil, gcm.Seal(nonce, nonce, []byte("plain"), nil), nil)
	require.NoError(t, err)
	require.Equal(t, "plain", string(plain))
}

func TestAKeyOfAnotherLengthIsRefused(t *testing.T) {
	t.Parallel()
	_, err := aead.New([]byte("short"))
	require.ErrorContains(t, err, "5 bytes")
}
