// Package calendar serves the hearings of a court case as iCalendar (RFC 5545). Its addresses carry a token, so
// that calendar programs, which send no key, can subscribe to them (DECISIONS.md, Lists and parameters). It
// knows how a calendar is written. Which tokens exist and what they open is stored in models/account. The case
// and its hearings are read through the store like any other record, so a withheld case is never shown.
//
// GraphQL and `rollcall feed` make subscriptions, with NewToken and Address. The settings pages list and end
// them.
package calendar

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
)

// The text of a token is its mark and 26 random characters (130 bits).
const (
	// tokenMark makes a token recognisable, to people and to scanners for leaked secrets.
	tokenMark = "rcf_"
	tokenLen  = len(tokenMark) + 26
)

// NewToken returns a token and the SHA-256 that is stored of it. The token opens the calendar without anything
// else. It is shown once, in its address, and can only be replaced.
func NewToken() (token string, sha []byte) {
	token = tokenMark + rand.Text()
	return token, hashOf(token)
}

// Address returns the address of the calendar of a token. baseURL is ROLLCALL_BASE_URL, whose path ends in /v1;
// calendars are beside it and not below.
func Address(baseURL, token string) string {
	return strings.TrimSuffix(baseURL, "/v1") + "/feeds/" + token + "/hearings.ics"
}

// hashOf returns what is stored of a token. A token is random, so one round of SHA-256 is enough.
func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// wellFormed reports whether a token can be one of ours at all, which saves a look at the database for the
// others.
func wellFormed(token string) bool {
	return len(token) == tokenLen && strings.HasPrefix(token, tokenMark)
}
