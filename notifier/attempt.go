package notifier

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"

	"rollcall/internal/public"
)

// Attempt is the outcome of one try to deliver: a row of the delivery's history.
type Attempt struct {
	// At is when it started.
	At time.Time
	// Status is that of HTTP or SMTP; 0 without an answer.
	Status int
	// Latency is the time until the status or the error.
	Latency time.Duration
	// Answer is the first 1 KiB of the answer, as text without NUL.
	Answer string
	// Err is one sentence for the receiver's owner; empty if and only if delivered.
	Err string
	// Class groups the outcome.
	Class Class
}

// Delivered reports whether the receiver took it: any 2xx in time (DECISIONS, "Webhooks").
func (a Attempt) Delivered() bool { return a.Class == ClassDelivered }

// End returns when the outcome was known; retries count from it.
func (a Attempt) End() time.Time { return a.At.Add(a.Latency) }

// Class groups outcomes, for metrics and to distinguish a receiver that is slow from one that refuses.
type Class string

// The classes of outcomes. All but the first are failures.
const (
	ClassDelivered Class = "delivered"
	ClassStatus    Class = "status"   // answered outside 2xx and 3xx
	ClassRedirect  Class = "redirect" // answered 3xx
	ClassTimeout   Class = "timeout"  // no status within 5 seconds
	ClassName      Class = "name"     // the name does not resolve
	ClassAddress   Class = "address"  // the name resolves to an address that is not public
	ClassConnect   Class = "connect"  // refused, unreachable
	ClassTLS       Class = "tls"      // no handshake, or a certificate that does not verify
	ClassProtocol  Class = "protocol" // reset, closed or not HTTP
	ClassBounce    Class = "bounce"   // a mail server refuses the recipient for good (5xx)
)

// classifyStatus returns the class of an answer, and the sentence for the receiver's owner.
func classifyStatus(status int) (class Class, sentence string) {
	switch {
	case status >= 200 && status < 300:
		return ClassDelivered, ""
	case status >= 300 && status < 400:
		return ClassRedirect, fmt.Sprintf("answered %s; redirects are not followed", statusText(status))
	}
	return ClassStatus, "answered " + statusText(status)
}

// statusText returns a status with its name, if it has one.
func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("%d %s", status, text)
	}
	return fmt.Sprintf("status %d", status)
}

// classify returns the class of an error of the transport. The sentences never contain addresses: what a name
// resolves to inside our network is not for the owner of an endpoint.
func classify(err error) (class Class, sentence string) {
	var (
		dns       *net.DNSError
		operation *net.OpError
		network   net.Error
	)
	switch {
	case errors.Is(err, public.ErrNotPublic):
		return ClassAddress, "the host resolves to an address that is not public"
	case errors.Is(err, errTooLate), errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return ClassTimeout, fmt.Sprintf("no answer within %s", AttemptTimeout)
	case errors.As(err, &dns):
		return ClassName, "the name of the host does not resolve"
	}
	if text, ok := tlsTrouble(err); ok {
		return ClassTLS, text
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return ClassConnect, "the connection was refused"
	case errors.As(err, &operation) && operation.Op == "dial":
		return ClassConnect, "the host cannot be reached"
	}
	return ClassProtocol, "the connection broke before an HTTP answer came"
}

// tlsTrouble says what is wrong with a certificate or handshake. The owner needs to know, and certificates are
// public.
func tlsTrouble(err error) (sentence string, ok bool) {
	var (
		verification *tls.CertificateVerificationError
		authority    x509.UnknownAuthorityError
		invalid      x509.CertificateInvalidError
		name         x509.HostnameError
		record       tls.RecordHeaderError
		alert        tls.AlertError
		operation    *net.OpError
	)
	switch {
	case errors.As(err, &name):
		return "the certificate is for another name", true
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not yet valid", true
	case errors.As(err, &authority):
		return "the certificate is not signed by a known authority: send its intermediates too, or have the operator list a private one " +
			"in ROLLCALL_WEBHOOK_CA_FILE", true
	case errors.As(err, &verification), errors.As(err, &invalid):
		return "the certificate does not verify", true
	case errors.As(err, &record):
		return "the port does not speak TLS", true
	case errors.As(err, &alert), errors.As(err, &operation) && operation.Op == "remote error":
		return "the TLS handshake was refused", true
	}
	return "", false
}
