package notifier

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"
)

// vector is one of docs/vectors.json, which was computed outside this repository's code. docs/webhooks.md gives them
// to receivers.
type vector struct {
	Name     string
	Secret   string
	Now      int64
	Body     string
	Headers  map[string]string
	Service  bool // whether X-Service-Signature verifies
	Standard bool // whether the Standard Webhooks headers verify
}

func (v vector) header() http.Header {
	h := http.Header{}
	for name, value := range v.Headers {
		h.Set(name, value)
	}
	return h
}

func vectors(t *testing.T) []vector {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "docs", "vectors.json"))
	require.NoError(t, err)
	var file struct{ Cases []vector }
	require.NoError(t, json.Unmarshal(b, &file))
	require.Greater(t, len(file.Cases), 10)
	return file.Cases
}

// golden gives testdata/name, which -update fills.
func golden(t *testing.T, name string, fill func() []byte) []byte {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, fill(), 0o600))
	}
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

func TestVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			secret, err := ParseSecret(v.Secret)
			require.NoError(t, err)
			require.Equal(t, v.Service, VerifyService(v.header(), []byte(v.Body), secret) == nil, "X-Service-Signature")
			require.Equal(t, v.Standard, VerifyStandard(v.header(), []byte(v.Body), secret, time.Unix(v.Now, 0)) == nil, "Standard Webhooks")
		})
	}
}

func TestSignMakesTheVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t)[:3] {
		secret, err := ParseSecret(v.Secret)
		require.NoError(t, err)
		at, err := strconv.ParseInt(v.Headers["webhook-timestamp"], 10, 64)
		require.NoError(t, err)
		h := http.Header{}
		Keyring{Current: secret}.Sign(h, v.Headers["webhook-id"], time.Unix(at, 0), []byte(v.Body))
		require.Equal(t, v.header(), h, v.Name)
	}
}

// TestOthersBelieveWhatWeSign has the library of the Standard Webhooks project and a plain HMAC check what Sign makes.
func TestOthersBelieveWhatWeSign(t *testing.T) {
	t.Parallel()
	old, next := NewSecret(), NewSecret()
	for name, keys := range map[string]Keyring{
		"one secret":        {Current: old},
		"during a rotation": {Current: old, Next: next},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, body := range [][]byte{nil, []byte("{}"), bytes.Repeat([]byte("é\x00\n"), 10_000)} {
				h := http.Header{}
				keys.Sign(h, "evt_9", time.Now(), body)
				believed(t, h, body, keys.Current, HeaderSignature)
				require.NoError(t, VerifyService(h, body, keys.Current))
				if keys.Next.IsZero() {
					require.Empty(t, h.Values(HeaderSignatureNext))
					continue
				}
				believed(t, h, body, keys.Next, HeaderSignatureNext)
				require.NoError(t, VerifyService(h, body, keys.Next))
			}
		})
	}
}

func believed(t *testing.T, h http.Header, body []byte, secret Secret, header string) {
	t.Helper()
	library, err := standardwebhooks.NewWebhook(secret.Reveal())
	require.NoError(t, err)
	require.NoError(t, library.Verify(body, h))
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	_, _ = mac.Write(body)
	require.Equal(t, hex.EncodeToString(mac.Sum(nil)), h.Get(header))
}

func TestWeBelieveWhatTheLibrarySigns(t *testing.T) {
	t.Parallel()
	secret, now := NewSecret(), time.Now()
	library, err := standardwebhooks.NewWebhook(secret.Reveal())
	require.NoError(t, err)
	signature, err := library.Sign("msg_1", now, []byte("body"))
	require.NoError(t, err)
	h := http.Header{}
	h.Set("webhook-id", "msg_1")
	h.Set("webhook-timestamp", strconv.FormatInt(now.Unix(), 10))
	h.Set("webhook-signature", "v2,"+base64.StdEncoding.EncodeToString([]byte("later"))+" "+signature)
	require.NoError(t, VerifyStandard(h, []byte("body"), secret, now))
}

func TestVerifyTellsWhy(t *testing.T) {
	t.Parallel()
	keys, body := Keyring{Current: NewSecret()}, []byte("{}")
	signed := http.Header{}
	keys.Sign(signed, "evt_1", moment, body)

	require.ErrorIs(t, VerifyService(http.Header{}, body, keys.Current), ErrUnsigned)
	require.ErrorIs(t, VerifyService(signed, body, NewSecret()), ErrSignature)
	require.ErrorIs(t, VerifyStandard(http.Header{}, body, keys.Current, moment), ErrUnsigned)
	require.ErrorIs(t, VerifyStandard(signed, body, NewSecret(), moment), ErrSignature)
	require.ErrorIs(t, VerifyStandard(signed, body, keys.Current, moment.Add(Tolerance+time.Second)), ErrTimestamp)
	require.ErrorIs(t, VerifyStandard(signed, body, keys.Current, moment.Add(-Tolerance-time.Second)), ErrTimestamp)

	none := Keyring{}
	forged := http.Header{}
	none.Sign(forged, "evt_1", moment, body)
	require.ErrorIs(t, VerifyService(forged, body, Secret{}), ErrSignature, "no secret believes nothing")
	require.ErrorIs(t, VerifyStandard(forged, body, Secret{}, moment), ErrSignature, "no secret believes nothing")

	upper := signed.Clone()
	upper.Set(HeaderSignature, "ABCDEF"+signed.Get(HeaderSignature)[6:])
	require.ErrorIs(t, VerifyService(upper, body, keys.Current), ErrUnsigned, "the digest is lower-case")
}
