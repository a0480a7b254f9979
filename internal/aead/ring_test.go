package aead_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/aead"
)

var older = []byte("an older key of a test, 32 bytes")

func ring(t *testing.T, secrets ...[]byte) *aead.Ring {
	t.Helper()
	r, err := aead.NewRing("one", secrets...)
	require.NoError(t, err)
	return r
}

func TestWhatIsEncryptedNamesItsKey(t *testing.T) {
	t.Parallel()
	sealed := ring(t, secret, older).Seal([]byte("plain"), []byte("owner"))
	id, known := aead.KeyOf(sealed)
	require.True(t, known)
	want, err := aead.IDOf(secret)
	require.NoError(t, err)
	require.Equal(t, want, id)
	other, err := aead.IDOf(older)
	require.NoError(t, err)
	require.NotEqual(t, want, other)
	require.Regexp(t, `^[0-9a-f]{16}$`, id.String())
	require.NotContains(t, string(sealed), string(secret[:8]))
}

func TestARingOpensWhatAnyOfItsKeysEncrypted(t *testing.T) {
	t.Parallel()
	owner := []byte("owner")
	both := ring(t, secret, older)
	for name, sealed := range map[string][]byte{
		"the present key":                both.Seal([]byte("plain"), owner),
		"an older key":                   ring(t, older).Seal([]byte("plain"), owner),
		"the present key, before ids":    derive(t, secret, "one").Seal(nil, nil, []byte("plain"), owner),
		"an older key, before ids":       derive(t, older, "one").Seal(nil, nil, []byte("plain"), owner),
		"a nonce that looks like a mark": looksMarked(t, owner),
	} {
		plain, err := both.Open(sealed, owner)
		require.NoError(t, err, name)
		require.Equal(t, "plain", string(plain), name)
		_, err = both.Open(sealed, []byte("thief"))
		require.Error(t, err, name)
		_, err = both.Open(sealed[:len(sealed)-1], owner)
		require.Error(t, err, name)
	}
}

// looksMarked encrypts as it was done before there were ids, with a nonce that begins as an id does.
func looksMarked(t *testing.T, owner []byte) []byte {
	t.Helper()
	key, err := hkdf.Key(sha256.New, older, nil, "one", 32)
	require.NoError(t, err)
	block, err := aes.NewCipher(key)
	require.NoError(t, err)
	gcm, err := cipher.NewGCM(block)
	require.NoError(t, err)
	nonce := []byte(aead.Mark + "12345678")
	return gcm.Seal(nonce, nonce, []byte("plain"), owner)
}

func TestAKeyThatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	sealed := ring(t, older).Seal([]byte("plain"), nil)
	_, err := ring(t, secret).Open(sealed, nil)
	var missing *aead.MissingKeyError
	require.ErrorAs(t, err, &missing)
	want, idErr := aead.IDOf(older)
	require.NoError(t, idErr)
	require.Equal(t, want, missing.ID)
	require.ErrorContains(t, err, "ROLLCALL_SECRET_KEYS_OLD")
	_, err = aead.NewRing("one")
	require.ErrorContains(t, err, "no secret key")
}
