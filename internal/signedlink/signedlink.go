// Package signedlink makes the tokens of links in mails and of photographs: what a link is about and until when, encrypted and
// authenticated under ROLLCALL_SECRET_KEY. A token is its own proof, so nothing of it is stored.
package signedlink

import (
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"time"

	"rollcall/internal/aead"
	"rollcall/models"
)

// Purpose is what a link may be used for. A token of one purpose opens no other.
type Purpose string

// The purposes, with their paths below the public address.
const (
	Confirm     Purpose = "confirm"     // an e-mail endpoint by its recipient
	Unsubscribe Purpose = "unsubscribe" // an e-mail endpoint by its recipient
	Hit         Purpose = "hit"         // look at what a delivery reported
	Photograph  Purpose = "photograph"  // fetch the photograph of a booking
)

// ConfirmFor is how long the link of a confirmation works.
const ConfirmFor = 7 * 24 * time.Hour

// Asked returns when the link of a confirmation was made.
func (t Target) Asked() time.Time { return time.Unix(t.Until, 0).Add(-ConfirmFor) }

// Target is what a link is about.
type Target struct {
	// ID is that of an endpoint, of a delivery for Hit, or of a booking for Photograph.
	ID string `json:"i"`
	// Address is the mailto: of the endpoint; the account of the delivery for Hit; the size for Photograph.
	Address string `json:"a"`
	// Until is when the link ends, in seconds; 0 is never.
	Until int64 `json:"u,omitempty"`
}

// Links makes and opens links. It is safe for concurrent use.
type Links struct {
	// keys are the present one, which makes links, and older ones, whose links still open.
	keys []cipher.AEAD
	root string
}

// errNoLink is for every token that is not ours, was changed, or has ended.
var errNoLink = models.NotFound("this link is not valid or has expired; ask for a new one")

// New returns the links of a service: secret is ROLLCALL_SECRET_KEY's, root the public address without a path. Links that
// were made under older secrets open too.
func New(secret []byte, root string, older ...[]byte) (*Links, error) {
	l := &Links{root: root}
	for _, s := range append([][]byte{secret}, older...) {
		c, err := aead.Derive(s, "rollcall links in mails v1")
		if err != nil {
			return nil, err
		}
		l.keys = append(l.keys, c)
	}
	return l, nil
}

// Root returns the public address of the service.
func (l *Links) Root() string { return l.root }

// URL returns the address of a link.
func (l *Links) URL(p Purpose, t Target) string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // two texts and a number
	}
	//nolint:gosec // no nonce is given: this AEAD draws a random one and puts it in front
	return l.root + Path(p) + base64.RawURLEncoding.EncodeToString(l.keys[0].Seal(nil, nil, text, []byte(p)))
}

// Path returns the part of the addresses of a purpose before the token.
func Path(p Purpose) string {
	if p == Photograph {
		return "/photographs/"
	}
	return "/mail/" + string(p) + "/"
}

// Open returns what a token is about; CodeNotFound if it does not hold now.
func (l *Links) Open(p Purpose, token string, now time.Time) (Target, error) {
	var t Target
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return t, errNoLink
	}
	var text []byte
	for _, key := range l.keys {
		if text, err = key.Open(nil, nil, sealed, []byte(p)); err == nil {
			break
		}
	}
	if err != nil || json.Unmarshal(text, &t) != nil || t.Until != 0 && now.Unix() >= t.Until {
		return Target{}, errNoLink
	}
	return t, nil
}
