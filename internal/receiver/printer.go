package receiver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"rollcall/notifier"
)

// Printer prints verified events, one a line. It is safe for concurrent use.
type Printer struct {
	// To takes the lines. Print holds a lock while it writes.
	To io.Writer
	// JSON prints one JSON object for each event, with the body as it came.
	JSON bool

	mu sync.Mutex
}

// Print prints one event. Errors of writing are ignored: the event was received and answered.
func (p *Printer) Print(e notifier.Received) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.JSON {
		_ = json.NewEncoder(p.To).Encode(struct {
			ReceivedAt time.Time       `json:"received_at"`
			WebhookID  string          `json:"webhook_id"`
			Event      string          `json:"event"`
			AlertID    string          `json:"alert_id"`
			RecordID   string          `json:"record_id"`
			Test       bool            `json:"test"`
			Repeated   bool            `json:"repeated"`
			Body       json.RawMessage `json:"body"`
		}{e.At.UTC(), e.ID, string(e.Event), e.AlertID, e.RecordID, e.Test, e.Repeated, e.Body})
		return
	}
	_, _ = fmt.Fprintln(p.To, eventLine(e))
}

// eventLine formats an event for people: when, what, who, where, which record and watcher, and its id.
func eventLine(e notifier.Received) string {
	var body struct {
		Record struct {
			Name   string       `json:"name"`
			County string       `json:"county"`
			Bond   *json.Number `json:"bond_amount"`
		} `json:"record"`
	}
	_ = json.Unmarshal(e.Body, &body) // the receiver has read it before
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %-11s  %s, %s County  record %s  alert %s  %s", e.At.Local().Format(time.TimeOnly), e.Event,
		printable(cmp.Or(body.Record.Name, "-")), printable(cmp.Or(body.Record.County, "-")), printable(e.RecordID), printable(e.AlertID), e.ID)
	if bond := body.Record.Bond; bond != nil {
		fmt.Fprintf(&b, "  bond $%s", bond)
	}
	if e.Test {
		b.WriteString("  (test)")
	}
	if e.Repeated {
		b.WriteString("  (again)")
	}
	return b.String()
}

// printable replaces control characters, so that a name cannot steer the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || (r >= 0x7f && r < 0xa0) {
			return '?'
		}
		return r
	}, s)
}
