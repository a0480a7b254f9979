package notifier

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"rollcall/internal/public"
)

const (
	// AttemptTimeout bounds one attempt from its start: name, connection, TLS and status.
	AttemptTimeout = 5 * time.Second
	maxAnswer      = 64 << 10 // bytes read of an answer
	keptAnswer     = 1 << 10  // bytes of it stored
	// idleTimeout is how long an idle connection is kept. Receivers commonly close theirs after 5 seconds and more. A
	// delivery that meets such a close is a failed attempt, so the client closes first.
	idleTimeout = 4 * time.Second
)

// errTooLate is the cause of an attempt's own deadline, which distinguishes it from a caller that gave up.
var errTooLate = errors.New("attempt timed out")

// ClientOptions configure how receivers are reached. Guard is required.
type ClientOptions struct {
	// Guard checks the resolved address of every dial.
	Guard *public.Guard
	// Version is that of rollcall, for User-Agent.
	Version string
	// Roots may sign a receiver's certificate; nil: the system's.
	Roots *x509.CertPool
	// Resolver resolves hosts; nil: the system's.
	Resolver *net.Resolver
	// PerHost bounds attempts at once to one host and port, whichever accounts registered it; 0: 128.
	PerHost int
	// Idle bounds connections kept open over all hosts; 0: 2048.
	Idle int
	// Now is the clock of attempts; nil: time.Now.
	Now func() time.Time
}

// Client makes attempts. It never uses a proxy, a cookie or another address than the delivery's. A redirect is
// an answer like any other and is not followed, as it could lead inside. One client serves the whole process,
// so that connections are used again. One attempt is one request: nothing sends it a second time, on the same
// connection or another. HTTP/1.1 is spoken alone, as requests that a receiver refuses under HTTP/2 are to be sent
// again. It is safe for concurrent use.
type Client struct {
	transport *http.Transport
	hosts     *hosts
	agent     string
	// AttemptTimeout, except in tests of receivers that never answer.
	timeout time.Duration
	now     func() time.Time
}

// NewClient returns a client. TLS is always verified.
func NewClient(o ClientOptions) *Client {
	perHost, idle, now := o.PerHost, o.Idle, o.Now
	if perHost <= 0 {
		perHost = 128
	}
	if idle <= 0 {
		idle = 2048
	}
	if now == nil {
		now = time.Now
	}
	dialer := &net.Dialer{Timeout: AttemptTimeout, Control: o.Guard.Control, Resolver: o.Resolver}
	return &Client{
		agent:   "rollcall/" + o.Version,
		hosts:   newHosts(perHost),
		timeout: AttemptTimeout,
		now:     now,
		transport: &http.Transport{
			Proxy:       nil,
			DialContext: dialer.DialContext,
			TLSClientConfig: &tls.Config{
				MinVersion: tls.VersionTLS12, RootCAs: o.Roots, ClientSessionCache: tls.NewLRUClientSessionCache(idle),
			},
			TLSHandshakeTimeout:    AttemptTimeout,
			Protocols:              onlyHTTP1(),
			MaxIdleConns:           idle,
			MaxIdleConnsPerHost:    perHost,
			IdleConnTimeout:        idleTimeout,
			MaxResponseHeaderBytes: maxAnswer,
			DisableCompression:     true, // an answer is small; a compressed one need not be
			// No MaxConnsPerHost: waiting for a connection would use up the receiver's 5 seconds. See hosts.
		},
	}
}

// onlyHTTP1 returns the protocols of the client.
func onlyHTTP1() *http.Protocols {
	var p http.Protocols
	p.SetHTTP1(true)
	return &p
}

// LoadRoots returns the system's certificate authorities and those of a PEM file (ROLLCALL_WEBHOOK_CA_FILE).
func LoadRoots(file string) (*x509.CertPool, error) {
	roots, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("read the system's certificate authorities: %w", err)
	}
	pem, err := os.ReadFile(file) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, fmt.Errorf("read the certificate authorities of ROLLCALL_WEBHOOK_CA_FILE: %w", err)
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("read the certificate authorities of ROLLCALL_WEBHOOK_CA_FILE: %s holds no certificate in PEM", file)
	}
	return roots, nil
}

// Send makes one attempt and returns its outcome. The 5 seconds start when the host has a free place, so that a
// crowd of our own making is no failure of the receiver. An error means that there was no attempt: ctx ended
// before or during it, or the delivery cannot be sent as it is. Neither uses up one of the four attempts.
func (c *Client) Send(ctx context.Context, d Delivery) (Attempt, error) {
	host, err := dialled(d.URL)
	if err != nil {
		return Attempt{}, fmt.Errorf("deliver event %s: %w", d.EventID, err)
	}
	leave, err := c.hosts.enter(ctx, host)
	if err != nil {
		return Attempt{}, fmt.Errorf("deliver event %s: %w", d.EventID, err)
	}
	defer leave()
	return c.attempt(ctx, d, c.transport)
}

// attempt makes one attempt by way of a transport, which begins now.
func (c *Client) attempt(ctx context.Context, d Delivery, by http.RoundTripper) (Attempt, error) {
	timed, cancel := context.WithTimeoutCause(ctx, c.timeout, errTooLate)
	defer cancel()
	at := c.now()
	request, err := d.request(timed, at, c.agent)
	if err != nil {
		return Attempt{}, err
	}
	response, err := by.RoundTrip(request)
	a := Attempt{At: at, Latency: c.now().Sub(at)}
	if err != nil {
		if ctx.Err() != nil {
			return Attempt{}, fmt.Errorf("deliver event %s: %w", d.EventID, context.Cause(ctx))
		}
		a.Class, a.Err = classify(err)
		return a, nil
	}
	defer func() { _ = response.Body.Close() }()
	a.Status = response.StatusCode
	a.Class, a.Err = classifyStatus(response.StatusCode)
	a.Answer = readAnswer(response.Body, keptAnswer, maxAnswer)
	return a, nil
}

// Close ends the connections that are kept open. Attempts under way go on.
func (c *Client) Close() { c.transport.CloseIdleConnections() }
