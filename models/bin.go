package models

import (
	"net/http"
	"time"
)

// BinAnswer is how a request bin answers what arrives in it.
type BinAnswer string

// The answers. Those but the first let an account see retries, and an endpoint that is disabled.
const (
	BinTaken  BinAnswer = "taken"  // 200
	BinGone   BinAnswer = "gone"   // 410, which disables the endpoint when it is the last of four
	BinBroken BinAnswer = "broken" // 500
	BinSlow   BinAnswer = "slow"   // none within the time of an attempt
)

const (
	// BinKept is how many requests a bin keeps, the newest.
	BinKept = 50
	// BinAge is how long a bin shows a request.
	BinAge = 24 * time.Hour
	// binHost ends the addresses of bins. RFC 6761 reserves it: no name below it ever resolves, so nothing can be sent there
	// by mistake.
	binHost = ".request-bin.invalid/"
)

// ParseBinAnswer reads an answer.
func ParseBinAnswer(s string) (BinAnswer, error) {
	switch a := BinAnswer(s); a {
	case BinTaken, BinGone, BinBroken, BinSlow:
		return a, nil
	}
	return "", Invalid("answer", "answer must be taken, gone, broken or slow")
}

// Status returns the HTTP status of the answer; 0: nothing is answered in time.
func (a BinAnswer) Status() int {
	return map[BinAnswer]int{BinTaken: http.StatusOK, BinGone: http.StatusGone, BinBroken: http.StatusInternalServerError}[a]
}

// BinURL returns the address that a bin has in lists. Nobody can send anything to it.
func (h *Webhook) BinURL() string { return "https://" + h.ID + binHost }

// BinRequest is a request that arrived in a bin. It is the GORM model of the view of what its account may see.
type BinRequest struct {
	ID         int64 `gorm:"primaryKey"`
	AccountID  string
	WebhookID  string
	DeliveryID string
	MessageID  string      // webhook-id
	At         time.Time   `gorm:"serializer:utc"`
	Headers    http.Header `gorm:"serializer:json"`
	Status     *int        // what was answered; nil: nothing in time
	Body       []byte      // the exact bytes; nil if Withheld
	Withheld   bool        // its record must not be shown any more
}

// TableName is the view of what arrived in bins.
func (BinRequest) TableName() string { return "bin_requests_now" }

// Verification says whether a request was signed with one secret of the account.
type Verification struct {
	Next     bool // the secret that replaces the other one
	Service  bool // X-Service-Signature, or X-Service-Signature-Next
	Standard bool // webhook-signature
	Earlier  bool // the request is older than the secret, and was signed with one before it
}
