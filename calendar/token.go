// Package calendar serves the hearings of a court case as iCalendar (RFC 5545), under an address that
// carries a token, so that calendar programs, which send no key, can subscribe to it. It knows how a
// calendar is written; which tokens there are and what they open is in models.
package calendar

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
)

// The text of a token is its mark and 26 random characters (130 bits).
const (
	tokenMark = "rcf_"
	tokenLen  = len(tokenMark) + 26
)

// NewToken makes a token and the SHA-256 that is stored of it. The token is shown once, in its address.
func NewToken() (token string, sha []byte) {
	token = tokenMark + rand.Text()
	return token, hashOf(token)
}

// Address is where the calendar of a token is. baseURL is ROLLCALL_BASE_URL, whose path ends in /v1;
// feeds are beside it.
func Address(baseURL, token string) string {
	return strings.TrimSuffix(baseURL, "/v1") + "/feeds/" + token + "/hearings.ics"
}

func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// wellFormed says whether a token can be one of ours at all.
func wellFormed(token string) bool {
	return len(token) == tokenLen && strings.HasPrefix(token, tokenMark)
}
