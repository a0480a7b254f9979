package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"strings"
)

// The text of a key is liveMark or testMark, 32 random base62 characters (190 bits), and the CRC-32 (IEEE) of all that as 6 base62
// digits. The mark lets secret scanners find leaked keys; the checksum lets typing errors be refused without a database.
const (
	liveMark  = "rc_live_"
	testMark  = "rc_test_" // as long as liveMark
	keyRandom = 32
	keyCheck  = 6
	keyLen    = len(liveMark) + keyRandom + keyCheck
	keyShown  = len(liveMark) + 4 // characters that may be shown to recognise a key by

	base62   = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	redacted = "[redacted]"
)

// Key is a well-formed API key. However it is printed, logged or encoded, it reads [redacted]; only Reveal returns
// its text. Two keys are the same when their SHA256 is; == does not compile. The zero value is no key.
type Key struct {
	// Makes == a compile error: comparing secrets byte by byte leaks their beginning through timing.
	_ [0]func()
	// A pointer, because package fmt cannot call the methods below on an unexported field that holds a Key. It prints
	// the address of the text instead.
	text *string
}

// NewKey returns a new key from the system's random source.
func NewKey() Key { return newKey(liveMark) }

// NewTestKey returns a new key that opens invented records only: a service of real sources refuses it (Guard.Simulated).
func NewTestKey() Key { return newKey(testMark) }

// NewKeyLike returns a new key of the kind, live or test, of the key with that prefix (Key.Prefix).
func NewKeyLike(prefix string) Key {
	if isTest(prefix) {
		return NewTestKey()
	}
	return NewKey()
}

// isTest reports whether a key's text or prefix is that of a test key.
func isTest(text string) bool { return strings.HasPrefix(text, testMark) }

func newKey(mark string) Key {
	b := make([]byte, 0, keyLen)
	b = append(b, mark...)
	var random [64]byte
	for len(b) < len(liveMark)+keyRandom {
		_, _ = rand.Read(random[:]) // never fails: it ends the process instead
		for _, r := range random {
			// 248 is the largest multiple of 62 in a byte: beyond it some characters would be likelier.
			if r < 248 && len(b) < len(liveMark)+keyRandom {
				b = append(b, base62[r%62])
			}
		}
	}
	check := checksum(string(b))
	text := string(append(b, check[:]...))
	return Key{text: &text}
}

// ParseKey returns the key that s spells. It returns false when s cannot be a key, whatever the database holds; such
// a key costs no look-up.
func ParseKey(s string) (Key, bool) {
	if len(s) != keyLen || !strings.HasPrefix(s, liveMark) && !strings.HasPrefix(s, testMark) {
		return Key{}, false
	}
	for i := len(liveMark); i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return Key{}, false
		}
	}
	body := s[:keyLen-keyCheck]
	if check := checksum(body); s[len(body):] != string(check[:]) {
		return Key{}, false
	}
	return Key{text: &s}, true
}

// checksum returns the last characters of a key. A key that is mistyped or cut is refused without a database.
func checksum(s string) (digits [keyCheck]byte) {
	sum := ^uint32(0) // as crc32.ChecksumIEEE, which would copy s to the heap for each request
	for i := range len(s) {
		sum = crc32.IEEETable[byte(sum&0xff)^s[i]] ^ sum>>8
	}
	sum = ^sum
	for i := range digits {
		digits[keyCheck-1-i] = base62[sum%62]
		sum /= 62
	}
	return digits
}

// Reveal returns the text of the key, to show it once when it is made. It is never stored or logged.
func (k Key) Reveal() string {
	if k.text == nil {
		return ""
	}
	return *k.text
}

// SHA256 returns the hash under which a key is stored. It needs no salt: 190 random bits cannot be guessed from it.
func (k Key) SHA256() [sha256.Size]byte {
	var b [keyLen]byte // a conversion of this length would go to the heap
	return sha256.Sum256(b[:copy(b[:], k.Reveal())])
}

// Prefix returns the part that may be shown later to recognise the key by, such as rc_live_4fQz.
func (k Key) Prefix() string {
	text := k.Reveal()
	return text[:min(keyShown, len(text))]
}

// String implements fmt.Stringer and hides the key.
func (Key) String() string { return redacted }

// Format implements fmt.Formatter and hides the key from every verb, those included that would look into the struct.
func (Key) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, redacted) }

// LogValue implements slog.LogValuer and hides the key.
func (Key) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText implements encoding.TextMarshaler and hides the key from JSON and every other encoding that asks for
// text.
func (Key) MarshalText() ([]byte, error) { return []byte(redacted), nil }
