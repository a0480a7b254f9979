package notifier

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers that authenticate a delivery. The first is SPEC.md's. Its Next appears only while a secret is being
// replaced. The others are those of the Standard Webhooks specification.
const (
	HeaderSignature         = "X-Service-Signature"
	HeaderSignatureNext     = "X-Service-Signature-Next"
	HeaderStandardID        = "Webhook-Id"
	HeaderStandardTime      = "Webhook-Timestamp"
	HeaderStandardSignature = "Webhook-Signature"
)

// Tolerance is how far a webhook-timestamp may be from the receiver's clock, either way.
const Tolerance = 5 * time.Minute

// Errors of verification: why a delivery is not genuine.
var (
	ErrUnsigned  = errors.New("a signature header is missing or malformed")
	ErrSignature = errors.New("no signature was made with this secret over these bytes")
	ErrTimestamp = errors.New("webhook-timestamp is more than 5 minutes from now")
)

// Keyring is what an account signs with: one secret, and its successor while receivers change over (DECISIONS,
// "Webhooks").
type Keyring struct {
	// Current signs every delivery.
	Current Secret
	// Next is the zero Secret outside a rotation.
	Next Secret
}

// Sign sets the signature headers of one attempt to send body. id is the event's and the same on every attempt;
// at is the attempt's time. During a rotation Current signs X-Service-Signature, Next signs
// X-Service-Signature-Next, and webhook-signature lists both, Current first. So a receiver may change its
// secret at any moment of the rotation without losing a delivery.
func (k Keyring) Sign(h http.Header, id string, at time.Time, body []byte) {
	stamp := strconv.FormatInt(at.Unix(), 10)
	h.Set(HeaderStandardID, id)
	h.Set(HeaderStandardTime, stamp)
	h.Set(HeaderSignature, hex.EncodeToString(serviceMAC(k.Current, body)))
	signature := standardSignature(k.Current, id, stamp, body)
	if !k.Next.IsZero() {
		h.Set(HeaderSignatureNext, hex.EncodeToString(serviceMAC(k.Next, body)))
		signature += " " + standardSignature(k.Next, id, stamp, body)
	}
	h.Set(HeaderStandardSignature, signature)
}

// VerifyService checks SPEC.md's scheme: X-Service-Signature, or during a rotation X-Service-Signature-Next, is
// the lower-case hex HMAC-SHA256 of the raw body under the secret as shown. It compares in constant time. The
// errors are ErrUnsigned and ErrSignature. The scheme carries no time, so a recorded delivery verifies for
// ever; VerifyStandard does not have that weakness.
func VerifyService(h http.Header, body []byte, secret Secret) error {
	if secret.IsZero() {
		return ErrSignature
	}
	want := serviceMAC(secret, body)
	signed := false
	for _, name := range []string{HeaderSignature, HeaderSignatureNext} {
		text := h.Get(name)
		got, err := hex.DecodeString(text)
		if err != nil || len(got) != sha256.Size || text != strings.ToLower(text) {
			continue
		}
		signed = true
		if hmac.Equal(got, want) {
			return nil
		}
	}
	if !signed {
		return ErrUnsigned
	}
	return ErrSignature
}

// VerifyStandard checks the Standard Webhooks scheme: one of the v1 signatures was made with the secret over
// id, timestamp and raw body, and the timestamp is within Tolerance of now. It compares in constant time. The
// errors are ErrUnsigned, ErrSignature and ErrTimestamp.
func VerifyStandard(h http.Header, body []byte, secret Secret, now time.Time) error {
	id, stamp := h.Get(HeaderStandardID), h.Get(HeaderStandardTime)
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if id == "" || err != nil || h.Get(HeaderStandardSignature) == "" {
		return ErrUnsigned
	}
	if secret.IsZero() {
		return ErrSignature
	}
	want := []byte(standardSignature(secret, id, stamp, body))
	matched := false
	for got := range strings.FieldsSeq(h.Get(HeaderStandardSignature)) {
		if hmac.Equal([]byte(got), want) {
			matched = true
		}
	}
	if !matched {
		return ErrSignature
	}
	if off := now.Unix() - seconds; off > int64(Tolerance/time.Second) || off < -int64(Tolerance/time.Second) {
		return ErrTimestamp
	}
	return nil
}

// serviceMAC returns the HMAC of SPEC.md's scheme. Its key is the text as shown, whsec_ included: that is what
// receivers of SPEC.md hold.
func serviceMAC(s Secret, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(s.Reveal()))
	mac.Write(body)
	return mac.Sum(nil)
}

// standardSignature returns "v1," and the base64 of the HMAC over id.timestamp.body.
func standardSignature(s Secret, id, stamp string, body []byte) string {
	mac := hmac.New(sha256.New, s.key())
	mac.Write([]byte(id + "." + stamp + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
