// Package pathtoken makes the tokens in the addresses of calendars and Atom subscriptions, which programs read
// without a key. It knows their form and nothing of what they open; package models/account stores their hashes.
package pathtoken

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
)

// The text of a token is its mark and 26 random characters (130 bits).
const (
	// mark makes a token recognisable, to people and to scanners for leaked secrets.
	mark   = "rcf_"
	length = len(mark) + 26
)

// New returns a token and the SHA-256 that is stored of it. The token opens its feed without anything else. It
// is shown once, in its address, and can only be replaced.
func New() (token string, sha []byte) {
	token = mark + rand.Text()
	return token, Hash(token)
}

// Hash returns what is stored of a token. A token is random, so one round of SHA-256 is enough.
func Hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// WellFormed reports whether a token can be one of ours at all, which saves a look at the database for the
// others.
func WellFormed(token string) bool {
	return len(token) == length && strings.HasPrefix(token, mark)
}

// Address returns the address of a file that a token opens. baseURL is ROLLCALL_BASE_URL, whose path ends in
// /v1; feeds are beside it and not below.
func Address(baseURL, token, file string) string {
	return strings.TrimSuffix(baseURL, "/v1") + "/feeds/" + token + "/" + file
}
