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
	rememberedIDs = 10_000  // of deliveries, to tell repetitions
)

// Received is a delivery whose signatures were verified.
type Received struct {
	ID       string // webhook-id: the event's, the same when it comes again
	At       time.Time
	Event    models.EventKind
	AlertID  string
	RecordID string
	Body     []byte // as received
	Test     bool
	Repeated bool // this receiver has had the id before
}

// Receiver is an endpoint for deliveries: it verifies both signature schemes as docs/webhooks.md tells receivers to, hands
// what is genuine to Accept and answers 200. What does not verify is answered 401. It is for rollcall webhook listen, the
// demo and tests.
type Receiver struct {
	Secret Secret
	Now    func() time.Time
	Accept func(Received)  // called by several requests at once
	Refuse func(why error) // optional: told why a request was answered 401 or 400
	seen   map[string]bool // by webhook-id
	order  []string        // of seen, oldest first
	mu     sync.Mutex      // guards seen and order
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

// verify wants both schemes to hold; the first that does not is named.
func (v *Receiver) verify(h http.Header, body []byte, now time.Time) error {
	if err := VerifyService(h, body, v.Secret); err != nil {
		return fmt.Errorf("%s: %w", HeaderSignature, err)
	}
	if err := VerifyStandard(h, body, v.Secret, now); err != nil {
		return fmt.Errorf("%s: %w", HeaderStandardSignature, err)
	}
	return nil
}

func (v *Receiver) refuse(w http.ResponseWriter, status int, why error) {
	if v.Refuse != nil {
		v.Refuse(why)
	}
	w.WriteHeader(status)
}

// read takes the parts that every payload version shares. Unknown members are fine: versions may grow.
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

// repeated remembers id and says whether it was known.
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
