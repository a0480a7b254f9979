package walk

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"
)

// letterbox keeps what was sent to it, and takes everything: who reads it verifies.
type letterbox struct {
	mu      sync.Mutex
	letters []letter
}

type letter struct {
	header http.Header
	body   []byte
}

// ServeHTTP takes a delivery.
func (l *letterbox) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.letters = append(l.letters, letter{header: r.Header, body: body})
}

// last is the letter that came last.
func (l *letterbox) last(t *testing.T) letter {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	require.NotEmpty(t, l.letters)
	return l.letters[len(l.letters)-1]
}

// count is how many letters came.
func (l *letterbox) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.letters)
}

// signedWith proves a letter by a plain HMAC, and by an independent library.
func (l letter) signedWith(t *testing.T, header, secret string) {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(l.body)
	require.Equal(t, hex.EncodeToString(mac.Sum(nil)), l.header.Get(header))
	library, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	require.NoError(t, library.Verify(l.body, l.header))
}
