package notifier

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"rollcall/internal/backoff"
	"rollcall/models"
	"rollcall/models/store"
)

const (
	// lease is how long a claimed delivery belongs to its process. After a crash others take it over when it
	// ends.
	lease     = 15 * time.Second
	renewal   = 5 * time.Second
	poll      = time.Second          // between looks at what is due, in case a notification was lost
	pace      = 4 * time.Millisecond // between claims, so that claims are larger in busy times
	claimMost = 256
	claimEach = 64
	restShort = time.Second // of an endpoint too crowded for this process
	restLong  = time.Minute // of a delivery that cannot be sent as it stands
	drain     = 2 * AttemptTimeout

	retryFirst = 100 * time.Millisecond // after the first error of the database; it grows to retryMost
	retryMost  = 2 * time.Second
)

// SenderOptions are what a Sender works with. Store and Log are required, and so are Client and Seal, or Mail.
type SenderOptions struct {
	// Store must use the clock Now: due times are compared with it.
	Store  *store.Store
	Client *Client
	Seal   *Sealer
	// Mail sends e-mail; nil: the sender sends webhooks.
	Mail Mailer
	Log  *slog.Logger
	// Retries are the delays after failures; nil: StandardRetries.
	Retries Retries
	// Lanes bound attempts at once; zero: the defaults of a Sender.
	Lanes LaneOptions
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Observe receives each recorded attempt, for metrics. Several goroutines call it; nil: nobody looks.
	Observe func(Sent)
}

// Sent is an attempt that was made and recorded, for metrics.
type Sent struct {
	Attempt
	// State is that of the delivery after the attempt.
	State models.DeliveryState
	// Test marks a delivery that its owner asked for to try the endpoint.
	Test bool
	// Late is the time from when the attempt was due to its start.
	Late time.Duration
	// Age is the time from the making of the delivery to the end of the attempt.
	Age time.Duration
}

// Sender sends deliveries. It takes those that are due, makes one attempt at each and records the outcome. Any
// number of senders may run, in one process or many, on one database. When one ends for whatever reason, others
// take over its deliveries as their leases end. No attempt is used up by that, as only a recorded outcome
// counts (docs/decisions/0005-delivery-queue.md).
type Sender struct {
	o SenderOptions
	// Name of this sender in leases.
	by    string
	lanes *Lanes
	// Deliveries that this sender has claimed and not finished.
	held *held
	// Wakes the dispatcher before its time.
	wake chan struct{}

	// True if the last claim was limited by what is held, so that each finished delivery makes room.
	hungry  atomic.Bool
	working sync.WaitGroup
	// Reads of claimed deliveries, and records of attempts, shared by many goroutines.
	loads   batches[string, *models.QueuedDelivery]
	records batches[record, struct{}]
}

// NewSender returns a sender. Call Run once.
func NewSender(o SenderOptions) *Sender {
	if o.Retries == nil {
		o.Retries = StandardRetries()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Observe == nil {
		o.Observe = func(Sent) {}
	}
	if o.Lanes == (LaneOptions{}) {
		o.Lanes = LaneOptions{Endpoint: holdEndpoint / 4, Floor: holdSuspect / 2, Waiting: 2 * holdEndpoint}
		if o.Mail != nil { // one server takes all mails
			o.Lanes = LaneOptions{Total: mailsAtOnce, Endpoint: mailsAtOnce / 4, Floor: 1, Waiting: 2 * holdEndpoint}
		}
	}
	return &Sender{o: o, by: rand.Text(), lanes: NewLanes(o.Lanes), held: newHeld(), wake: make(chan struct{}, 1)}
}

// Load returns how busy the sender is, for metrics.
func (s *Sender) Load() LaneLoad { return s.lanes.Load() }

// Run sends until ctx ends. Then it takes nothing more, finishes the attempts on the wire, records them, and
// returns to the queue what it had not begun. It returns at the latest when two attempts' time has passed.
func (s *Sender) Run(ctx context.Context) {
	// Attempts outlive ctx by the time that they may take, and what records them as well.
	sending, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	s.loads.work = func(ids []string) ([]*models.QueuedDelivery, error) { return s.load(sending, ids) }
	s.records.work = func(r []record) ([]struct{}, error) { return make([]struct{}, len(r)), s.recordAll(sending, s.by, r) }
	var beside sync.WaitGroup
	beside.Go(func() { s.listen(ctx) })
	renewing, stop := context.WithCancel(sending)
	beside.Go(func() { s.renew(renewing) })

	s.dispatch(ctx, sending)

	late := time.AfterFunc(drain, end)
	s.working.Wait()
	late.Stop()
	stop()
	beside.Wait()
}

// dispatch takes what is due while there is room, and waits when nothing more is.
func (s *Sender) dispatch(ctx, sending context.Context) {
	wait := newTroubled()
	for ctx.Err() == nil {
		more, err := s.claim(ctx, sending)
		if err != nil {
			wait.after(ctx, s.o.Log, "deliveries cannot be taken", err)
			continue
		}
		wait.reset(ctx, s.o.Log, "deliveries are taken again")
		if more {
			_ = backoff.Sleep(ctx, pace)
			continue
		}
		s.idle(ctx)
	}
}

// claim takes due deliveries and starts their attempts. more reports that there may be others, and room for
// them.
func (s *Sender) claim(ctx, sending context.Context) (more bool, err error) {
	now := s.o.Now()
	most, full := s.held.room(s.lanes.suspects(), now)
	s.hungry.Store(len(full) > 0 || most <= 0)
	if most <= 0 {
		return false, nil
	}
	claims, more, err := s.o.Store.ClaimDeliveries(ctx, models.ClaimQuery{
		By: s.by, Way: s.way(), Lease: lease, Except: full, Most: min(most, claimMost), Each: claimEach,
	})
	if err != nil {
		return false, err
	}
	for _, c := range claims {
		if s.held.take(c, now) {
			s.working.Go(func() { s.deliver(ctx, sending, c) })
		}
	}
	return more, nil
}

// idle waits until a delivery may be due, or an attempt has made room.
func (s *Sender) idle(ctx context.Context) {
	wait := poll
	if next, ok, err := s.o.Store.NextDelivery(ctx, s.way()); err == nil && ok {
		wait = min(wait, max(next.Sub(s.o.Now()), 0))
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return
	case <-timer.C:
	case <-s.wake:
	}
	_ = backoff.Sleep(ctx, pace)
}

// hear makes the dispatcher look again.
func (s *Sender) hear() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// listen wakes the dispatcher at new deliveries. Without a connection, looking once a second finds them.
func (s *Sender) listen(ctx context.Context) {
	wait := newTroubled()
	for ctx.Err() == nil {
		err := s.o.Store.ListenDeliveries(ctx, func() { wait.reset(ctx, s.o.Log, "new deliveries are heard of again"); s.hear() })
		wait.after(ctx, s.o.Log, "new deliveries are found by looking only", err)
	}
}

// renew extends the leases of deliveries that take long. A lease that ran out would let another process send
// the same attempt again.
func (s *Sender) renew(ctx context.Context) {
	tick := time.NewTicker(renewal)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if ids := s.held.old(s.o.Now().Add(-renewal)); len(ids) > 0 {
			if err := s.o.Store.RenewDeliveries(ctx, s.by, ids, lease); err != nil && ctx.Err() == nil {
				s.o.Log.WarnContext(ctx, "leases of deliveries not renewed; others may send them as well", "deliveries", len(ids), "error", err)
			}
		}
	}
}

// troubled waits longer after each error in a row. It logs the first error and the end of them, so that an
// outage of the database is two lines in the log.
type troubled struct{ tries backoff.Backoff }

// newTroubled returns a wait that has seen no error.
func newTroubled() *troubled {
	return &troubled{backoff.Backoff{First: retryFirst, Most: retryMost, Jitter: backoff.Spread}}
}

// after waits after an error; what says for the log what does not work.
func (t *troubled) after(ctx context.Context, log *slog.Logger, what string, err error) {
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return
	}
	if !t.tries.Failing() {
		log.WarnContext(ctx, "trying on", "trouble", what, "error", err)
	}
	_ = backoff.Sleep(ctx, t.tries.Next())
}

// reset ends a row of errors, if there is one.
func (t *troubled) reset(ctx context.Context, log *slog.Logger, what string) {
	if t.tries.Failing() {
		t.tries.Reset()
		log.InfoContext(ctx, "trouble is over", "state", what)
	}
}
