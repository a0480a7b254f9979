// Package socket speaks graphql-transport-ws, the websocket protocol of the npm package graphql-ws. It
// knows messages and close codes; what an operation is, and who may ask, is for Operations.
//
// gqlgen's own transport is not used: it closes with codes of its own, answers the client's complete,
// and sends complete after error.
package socket

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
)

// Protocol is the subprotocol that a client must offer.
const Protocol = "graphql-transport-ws"

// Close codes of the protocol, and two of RFC 6455 after which clients connect again.
const (
	BadMessage     websocket.StatusCode = 4400
	Unauthorized   websocket.StatusCode = 4401
	Forbidden      websocket.StatusCode = 4403
	InitTimeout    websocket.StatusCode = 4408
	DuplicateID    websocket.StatusCode = 4409
	TooManyInits   websocket.StatusCode = 4429
	GoingAway                           = websocket.StatusGoingAway
	TryAgain                            = websocket.StatusTryAgainLater
	reasonMost                          = 123 // bytes, RFC 6455, 5.5.1
	initWithin                          = 10 * time.Second
	pingEvery                           = 25 * time.Second      // keeps proxies from closing a socket that waits
	writeWithin                         = 10 * time.Second      // a client that reads nothing loses its socket
	refusedWait                         = 50 * time.Millisecond // before the next message of a socket whose operation was not admitted
	stoppingReason                      = "the service is stopping; connect again"
)

// CloseError is the error that closes a socket.
type CloseError struct {
	// Code is one of the close codes above.
	Code websocket.StatusCode
	// Reason is a sentence for the client; what exceeds 123 bytes is cut off.
	Reason string
}

// Error implements error.
func (e *CloseError) Error() string { return e.Reason }

// Operations are what a socket serves. Implementations are safe for concurrent use and do not panic.
type Operations interface {
	// Init checks the payload of connection_init, nil when there is none. It returns the context of all
	// operations, or a *CloseError.
	Init(ctx context.Context, payload json.RawMessage) (context.Context, error)
	// Admit decides about an operation before its payload is read. The socket reads no further message meanwhile, and a
	// while longer if the operation is refused: nobody gains by sending more. It returns what Run returns.
	Admit(ctx context.Context) (failed []byte, err error)
	// Run executes the operation in the payload of subscribe and passes each answer to send, as JSON. It
	// returns a JSON list of errors when the operation failed as a whole, or a *CloseError when the socket has
	// to be closed.
	Run(ctx context.Context, payload json.RawMessage, send func(answer []byte)) (failed []byte, err error)
}

// Options of a socket.
type Options struct {
	// Operations serve its messages.
	Operations Operations
	// MessageMost is the size of the largest message in bytes.
	MessageMost int64
	// InitWithin is the time to connection_init; 0: 10 seconds.
	InitWithin time.Duration
	// Closing is closed when the service stops; nil: never.
	Closing <-chan struct{}
	// Ended receives why the socket ended, for the log; nil: nobody.
	Ended func(err error)
}

// session is one open socket.
type session struct {
	Options
	conn *websocket.Conn

	mu sync.Mutex
	// Running operations by their id.
	active map[string]*operation
	// Goroutines that end before Serve returns.
	running sync.WaitGroup
}

// operation is one that the client subscribed to.
type operation struct {
	id     string
	ctx    context.Context //nolint:containedctx // the life of the operation, which its client ends by its id
	cancel context.CancelFunc
}

// message is one of the protocol.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Serve upgrades a request, whose origin the caller has checked, and returns when the socket is closed.
func Serve(w http.ResponseWriter, r *http.Request, o Options) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{Protocol}, InsecureSkipVerify: true})
	if err != nil { // Accept has answered
		return
	}
	conn.SetReadLimit(o.MessageMost)
	if o.InitWithin == 0 {
		o.InitWithin = initWithin
	}
	ctx, cancel := context.WithCancel(r.Context())
	s := &session{Options: o, conn: conn, active: map[string]*operation{}}
	defer func() {
		cancel()
		_ = conn.CloseNow()
		s.running.Wait()
	}()
	s.running.Go(func() { s.keep(ctx) })
	err = s.read(ctx)
	if o.Ended != nil {
		o.Ended(err)
	}
}

// keep pings the client and closes the socket when the service stops.
func (s *session) keep(ctx context.Context) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.Closing:
			s.end(&CloseError{Code: GoingAway, Reason: stoppingReason})
			return
		case <-tick.C:
			within, cancel := context.WithTimeout(ctx, pingEvery)
			err := s.conn.Ping(within)
			cancel()
			if err != nil {
				_ = s.conn.CloseNow()
				return
			}
		}
	}
}

// end closes the socket with a code and a reason. The first call decides.
func (s *session) end(e *CloseError) {
	reason := e.Reason
	for len(reason) > reasonMost {
		_, size := utf8.DecodeLastRuneInString(reason)
		reason = reason[:len(reason)-size]
	}
	_ = s.conn.Close(e.Code, reason)
}

// write sends one message. ctx is that of the socket: a write whose context ends closes it. A client that takes none for writeWithin loses its socket.
func (s *session) write(ctx context.Context, m message) {
	text, err := json.Marshal(m)
	if err != nil { // the payload is JSON already
		text = []byte(`{"type":"ping"}`)
	}
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	_ = s.conn.Write(ctx, websocket.MessageText, text) // a socket that broke ends its reader
}
