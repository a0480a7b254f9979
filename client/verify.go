package client

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Errors of verification: why a delivery is not genuine.
var (
	ErrUnsigned  = errors.New("a signature header is missing or malformed")
	ErrSignature = errors.New("no signature was made with a known secret over these bytes")
	ErrTimestamp = errors.New("webhook-timestamp is too far from now")
)

// maxDelivery bounds the body of a delivery in bytes.
const maxDelivery = 1 << 20

// Verifier proves that deliveries are rollcall's. It is safe for concurrent use.
type Verifier struct {
	// Secrets are the account's (whsec_...). While a secret is replaced, the old or the new one suffices, because both sign;
	// with both in place the order of steps does not matter.
	Secrets []string
	// Tolerance is how far webhook-timestamp may be from now, either way; 0: five minutes.
	Tolerance time.Duration
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Verify checks the Standard Webhooks headers over the raw body and reads the event. The signature covers id, time and body.
// Comparisons take constant time. Errors are ErrUnsigned, ErrSignature, ErrTimestamp, and others for a body that is no event.
func (v *Verifier) Verify(h http.Header, body []byte) (Event, error) {
	var e Event
	if err := v.standard(h, body); err != nil {
		return e, err
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return e, fmt.Errorf("read event: %w", err)
	}
	e.ID, e.Test = h.Get("Webhook-Id"), h.Get("X-Service-Test") == "1"
	return e, nil
}

// VerifyService checks X-Service-Signature and, while a secret is replaced, X-Service-Signature-Next, alone. That scheme
// covers no time, so it does not detect a replay. Prefer Verify. Errors are ErrUnsigned and ErrSignature.
func (v *Verifier) VerifyService(h http.Header, body []byte) error {
	signed, matched := false, false
	for _, name := range []string{"X-Service-Signature", "X-Service-Signature-Next"} {
		text := h.Get(name)
		got, err := hex.DecodeString(text)
		if err != nil || len(got) != sha256.Size || text != strings.ToLower(text) {
			continue
		}
		signed = true
		for _, secret := range v.Secrets {
			matched = hmac.Equal(got, mac([]byte(secret), body)) && secret != "" || matched
		}
	}
	switch {
	case matched:
		return nil
	case signed:
		return ErrSignature
	}
	return ErrUnsigned
}

// standard checks the Standard Webhooks scheme.
func (v *Verifier) standard(h http.Header, body []byte) error {
	id, stamp, signatures := h.Get("Webhook-Id"), h.Get("Webhook-Timestamp"), h.Get("Webhook-Signature")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if id == "" || signatures == "" || err != nil {
		return ErrUnsigned
	}
	matched := false
	for _, secret := range v.Secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return errors.New("a secret is not whsec_ and base64, as the account settings show it")
		}
		want := []byte("v1," + base64.StdEncoding.EncodeToString(mac(key, []byte(id+"."+stamp+"."), body)))
		for got := range strings.FieldsSeq(signatures) {
			matched = hmac.Equal([]byte(got), want) || matched
		}
	}
	if !matched {
		return ErrSignature
	}
	if off := v.now().Sub(time.Unix(seconds, 0)).Truncate(time.Second); off.Abs() > v.tolerance() {
		return ErrTimestamp
	}
	return nil
}

// Handler returns a handler that takes verified deliveries. take stores the event and returns soon, because rollcall waits
// 5 seconds. An error of take is answered with 500, and the delivery comes again. A delivery may come twice with one ID:
// take ignores what it knows. Only POST is answered; what is not genuine is 401.
func (v *Verifier) Handler(take func(ctx context.Context, e Event) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDelivery))
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		e, err := v.Verify(r.Header, body)
		if err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if err := take(r.Context(), e); err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusOK)
	})
}

// now returns the time.
func (v *Verifier) now() time.Time {
	if v.Now != nil {
		return v.Now()
	}
	return time.Now()
}

// tolerance returns how far a timestamp may be from now.
func (v *Verifier) tolerance() time.Duration {
	if v.Tolerance == 0 {
		return 5 * time.Minute
	}
	return v.Tolerance
}

// mac returns the HMAC-SHA256 of the parts, one after the other.
func mac(key []byte, parts ...[]byte) []byte {
	m := hmac.New(sha256.New, key)
	for _, p := range parts {
		m.Write(p)
	}
	return m.Sum(nil)
}
