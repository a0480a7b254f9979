package auth

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// deviceLife is how long a browser is known after a sign-in; browsers keep no cookie longer.
const deviceLife = 400 * 24 * time.Hour

// Devices recognises browsers in which somebody has signed in before. Such a browser has tries of its own for that
// person's password, so that nobody can use them up from elsewhere. It proves nothing else: a password is still needed.
// It is safe for concurrent use; nil Devices know no browser.
type Devices struct {
	// keys are the present one, which signs, and older ones, whose signatures count still.
	keys   [][]byte
	secure bool
}

// NewDevices returns the devices of a service with that secret. secure means that it is reached by https. Browsers that
// were remembered under older secrets are known too.
func NewDevices(secret []byte, secure bool, older ...[]byte) (*Devices, error) {
	d := &Devices{secure: secure}
	for _, s := range append([][]byte{secret}, older...) {
		key, err := hkdf.Key(sha256.New, s, nil, "rollcall devices v1", sha256.Size)
		if err != nil {
			return nil, fmt.Errorf("derive key of devices: %w", err)
		}
		d.keys = append(d.keys, key)
	}
	return d, nil
}

// Remember adds the cookie by which this browser is recognised when that person signs in again. It holds a random number
// and a signature, and no address. Of several people the last one is remembered.
func (d *Devices) Remember(w http.ResponseWriter, email string) {
	if d == nil {
		return
	}
	number := NewToken()
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure follows the address of the service: a demo on this machine has no https
		Name: d.name(), Value: number + "." + sign(d.keys[0], number, email), Path: "/", MaxAge: int(deviceLife / time.Second),
		HttpOnly: true, Secure: d.secure, SameSite: http.SameSiteStrictMode,
	})
}

// of returns the number of a browser in which the person of that address has signed in; empty for any other.
func (d *Devices) of(r *http.Request, email string) string {
	if d == nil {
		return ""
	}
	c, err := r.Cookie(d.name())
	if err != nil {
		return ""
	}
	number, signature, _ := strings.Cut(c.Value, ".")
	for _, key := range d.keys {
		if hmac.Equal([]byte(signature), []byte(sign(key, number, email))) {
			return number
		}
	}
	return ""
}

// sign, under a key, binds a number to an address, in lower case.
func sign(key []byte, number, email string) string {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(number + "." + strings.ToLower(strings.TrimSpace(email))))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (d *Devices) name() string {
	if d.secure {
		return "__Host-rollcall-device"
	}
	return "rollcall_device"
}
