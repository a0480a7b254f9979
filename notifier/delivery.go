package notifier

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Headers beside the signatures. A test delivery has none about the match.
const (
	HeaderTest        = "X-Service-Test"
	HeaderProbability = "X-Service-Match-Probability" // 0 to 1, at most 4 decimals
	HeaderLevel       = "X-Service-Match-Level"       // strict, normal or wide
	HeaderReasons     = "X-Service-Match-Reasons"     // a JSON array of strings in ASCII
)

// maxReasonsHeader bounds the header of reasons in bytes. Receivers commonly refuse requests with 8 KiB of
// headers.
const maxReasonsHeader = 2 << 10

// Match is why a watcher matched a record.
type Match struct {
	// Probability is calibrated, from 0 to 1 (MATCHING.md).
	Probability float64
	// Level is that of the watcher: strict, normal or wide.
	Level string
	// Reasons are in the order of their weight.
	Reasons []string
}

// Delivery is what is sent to one endpoint: an event's frozen bytes and how to sign them.
type Delivery struct {
	// URL is the address as registered; see CheckURL.
	URL string
	// EventID becomes the webhook-id.
	EventID string
	// Body comes from Event.Body and is the same on each attempt.
	Body []byte
	// Keys sign the delivery; both do during a rotation.
	Keys Keyring
	// Match becomes headers; nil for a test and for notices.
	Match *Match
	// Test adds the header X-Service-Test.
	Test bool
}

// request returns the request of one attempt. Its errors are ours, not the receiver's: nothing was sent.
func (d Delivery) request(ctx context.Context, at time.Time, agent string) (*http.Request, error) {
	if !isToken(d.EventID) {
		return nil, fmt.Errorf("event id %.40q cannot stand in a header", d.EventID)
	}
	if d.Keys.Current.IsZero() {
		return nil, fmt.Errorf("deliver event %s: the account has no webhook secret", d.EventID)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(d.Body))
	if err != nil {
		return nil, fmt.Errorf("deliver event %s: the address does not parse", d.EventID)
	}
	if r.URL.Scheme != "https" || r.URL.User != nil {
		return nil, fmt.Errorf("deliver event %s: the address is not plain https", d.EventID)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", agent)
	d.Keys.Sign(r.Header, d.EventID, at, d.Body)
	if d.Test {
		r.Header.Set(HeaderTest, "1")
	}
	if d.Match != nil {
		d.Match.addTo(r.Header)
	}
	// Without a way to read the body again net/http never sends the request on another connection. With one it tries every
	// idle connection in turn, and one attempt becomes as many requests.
	r.GetBody = nil
	return r, nil
}

// addTo sets the headers of a match. They are not signed: receivers that decide by them use payload version 2.
func (m *Match) addTo(h http.Header) {
	h.Set(HeaderProbability, m.probability())
	if isToken(m.Level) {
		h.Set(HeaderLevel, m.Level)
	}
	h.Set(HeaderReasons, asciiArray(m.Reasons, maxReasonsHeader))
}

// probability returns the probability with at most four decimals, as the header and version 2 show it.
func (m *Match) probability() string {
	text := strconv.FormatFloat(min(max(m.Probability, 0), 1), 'f', 4, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// asciiArray returns a JSON array that can stand in a header whatever the strings hold. Strings that would make
// it longer than limit bytes are left out, the last first.
func asciiArray(list []string, limit int) string {
	out := []byte{'['}
	for _, s := range list {
		before := len(out)
		if before > 1 {
			out = append(out, ',')
		}
		out = appendASCII(out, s)
		if len(out) >= limit {
			out = out[:before]
			break
		}
	}
	return string(append(out, ']'))
}

// appendASCII appends a JSON string with everything beyond ASCII escaped.
func appendASCII(out []byte, s string) []byte {
	quoted, err := json.Marshal(s) // escapes controls
	if err != nil {
		return append(out, `""`...) // a string always encodes
	}
	for _, r := range string(quoted) {
		if r < 0x7f {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

// isToken reports whether s is a plain word of letters, digits, _ and -. It needs no quoting anywhere. Holding
// no dot, it cannot be confused with the other parts of what Standard Webhooks signs.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' && c != '-' {
			return false
		}
	}
	return s != "" && len(s) <= 100
}

// readAnswer reads at most limit bytes, so that a small answer frees its connection for the next delivery. It
// returns the first keep of them as text that any column can hold. Errors while reading do not matter: the
// status has decided.
func readAnswer(body io.Reader, keep, limit int) string {
	head, err := io.ReadAll(io.LimitReader(body, int64(keep)))
	if err == nil && len(head) == keep {
		_, _ = io.CopyN(io.Discard, body, int64(limit-keep))
	}
	return plain(string(head))
}

// plain returns s as valid UTF-8 without NUL, which PostgreSQL's text cannot store.
func plain(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
