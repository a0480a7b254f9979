package notifier

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"rollcall/models"
)

const (
	maxReceived   = 1 << 20 // bytes of a body
	rememberedIDs = 10_000  // of deliveries, to recognise repetitions
)

// Received is a delivery whose signatures were verified.
type Received struct {
	// ID is the webhook-id: the event's, the same when it comes again.
	ID string
	// At is when it arrived, by the receiver's clock.
	At time.Time
	// Event, AlertID and RecordID are members that all payload versions share; a notice about a source has no
	// ids.
	Event    models.EventKind
	AlertID  string
	RecordID string
	// Body is as received.
	Body []byte
	// Test marks a delivery with X-Service-Test.
	Test bool
	// Repeated means that this receiver has had the id before.
	Repeated bool
}

// Receiver is an endpoint for deliveries. It verifies both signature schemes as docs/webhooks.md asks of
// receivers, passes genuine deliveries to Accept and answers 200. Others are answered 401. It is for rollcall
// webhook listen, the demo and tests. It is safe for concurrent use.
type Receiver struct {
	// Secret is the account's, as shown in its settings.
	Secret Secret
	// Now is the clock that timestamps are compared with.
	Now func() time.Time
	// Accept is called by several requests at once.
	Accept func(Received)
	// Refuse is called with the reason why a request was not accepted; nil: nobody looks.
	Refuse func(why error)
	// Ids that were received, by webhook-id.
	seen map[string]bool
	// Keys of seen, oldest first.
	order []string
	// Guards seen and order.
	mu sync.Mutex
}

var errBody = errors.New("the body is not a payload of an event")

// ServeHTTP takes one delivery.
func (v *Receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxReceived))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		v.refuse(w, http.StatusRequestEntityTooLarge, err)
		return
	} else if err != nil {
		v.refuse(w, http.StatusBadRequest, err)
		return
	}
	now := v.Now()
	if err := v.verify(r.Header, body, now); err != nil {
		v.refuse(w, http.StatusUnauthorized, err)
		return
	}
	got := Received{
		ID: r.Header.Get(HeaderStandardID), At: now, Body: body, Test: r.Header.Get(HeaderTest) == "1",
	}
	if err := got.read(); err != nil {
		v.refuse(w, http.StatusBadRequest, err)
		return
	}
	got.Repeated = v.repeated(got.ID)
	v.Accept(got)
	w.WriteHeader(http.StatusOK)
}

// verify requires both schemes to hold, and names the first that does not.
func (v *Receiver) verify(h http.Header, body []byte, now time.Time) error {
	if err := VerifyService(h, body, v.Secret); err != nil {
		return fmt.Errorf("%s: %w", HeaderSignature, err)
	}
	if err := VerifyStandard(h, body, v.Secret, now); err != nil {
		return fmt.Errorf("%s: %w", HeaderStandardSignature, err)
	}
	return nil
}

// refuse answers a delivery that is not accepted.
func (v *Receiver) refuse(w http.ResponseWriter, status int, why error) {
	if v.Refuse != nil {
		v.Refuse(why)
	}
	w.WriteHeader(status)
}

// read reads the members that every payload version shares. Unknown members are accepted, as versions may grow.
func (r *Received) read() error {
	var p struct {
		Event   models.EventKind `json:"event"`
		AlertID string           `json:"alert_id"`
		Record  struct {
			ID string `json:"id"`
		} `json:"record"`
	}
	if err := json.Unmarshal(r.Body, &p); err != nil || p.Event == "" {
		return errBody
	}
	r.Event, r.AlertID, r.RecordID = p.Event, p.AlertID, p.Record.ID
	return nil
}

// repeated records id and reports whether it was known.
func (v *Receiver) repeated(id string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seen[id] {
		return true
	}
	if v.seen == nil {
		v.seen = map[string]bool{}
	}
	v.seen[id] = true
	if v.order = append(v.order, id); len(v.order) > rememberedIDs {
		delete(v.seen, v.order[0])
		v.order = v.order[1:]
	}
	return false
}
