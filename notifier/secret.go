package notifier

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

const (
	secretMark  = "whsec_"
	secretBytes = 32
	redacted    = "[redacted]"

	// The Standard Webhooks specification asks for keys of 24 to 64 bytes. Ours have 32.
	minSecretBytes = 24
	maxSecretBytes = 64
)

// errSecret does not repeat what was given: it may be a secret with a typing error.
var errSecret = errors.New("a webhook secret is whsec_ and the base64 of 24 to 64 bytes")

// Secret is the webhook secret of an account: whsec_ and the base64 of 32 random bytes. However it is printed,
// logged or encoded, it reads [redacted]; only Reveal returns its text. The zero Secret is none. Comparing with
// == does not compile.
type Secret struct {
	// Makes == a compile error: comparing secrets byte by byte leaks their beginning through timing.
	_ [0]func()
	// A pointer, because package fmt cannot call the methods below on an unexported field that holds a Secret.
	// It prints the address of the text instead.
	text *string
}

// NewSecret returns a secret from the system's random source.
func NewSecret() Secret {
	var key [secretBytes]byte
	_, _ = rand.Read(key[:]) // never fails: it ends the process instead
	text := secretMark + base64.StdEncoding.EncodeToString(key[:])
	return Secret{text: &text}
}

// ParseSecret returns the secret that s spells. Its error never shows s.
func ParseSecret(s string) (Secret, error) {
	encoded, ok := strings.CutPrefix(s, secretMark)
	if !ok || strings.ContainsAny(encoded, "\r\n") { // which the decoder would skip
		return Secret{}, errSecret
	}
	key, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || len(key) < minSecretBytes || len(key) > maxSecretBytes {
		return Secret{}, errSecret
	}
	return Secret{text: &s}, nil
}

// Reveal returns the text of the secret, to show it to a signed-in owner and to sign with. It is never logged.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s.text == nil }

// key returns what Standard Webhooks signs with: the decoded part after whsec_.
func (s Secret) key() []byte {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(s.Reveal(), secretMark))
	if err != nil {
		panic("a parsed webhook secret does not decode") // ParseSecret and NewSecret make no such thing
	}
	return key
}

// String implements fmt.Stringer and hides the secret.
func (Secret) String() string { return redacted }

// Format implements fmt.Formatter and hides the secret from every verb, those included that would look into the
// struct.
func (Secret) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, redacted) }

// LogValue implements slog.LogValuer and hides the secret.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText implements encoding.TextMarshaler and hides the secret from JSON and every other encoding that
// asks for text.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }
