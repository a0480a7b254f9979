package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Timeout bounds one mail from its start: name, connection, TLS, sign-in and the server's answer to the text.
const Timeout = 30 * time.Second

// Server is the mail server that takes our mails, as ROLLCALL_SMTP_URL names it.
type Server struct {
	host           string
	port           int
	user, password string
	// implicit is TLS from the first byte; plain is no TLS at all. Otherwise STARTTLS is required.
	implicit, plain bool
	// Roots may sign the server's certificate; nil: the system's.
	Roots *x509.CertPool
	// Timeout is that of a mail; 0: the constant.
	Timeout time.Duration
}

// errURL says what an address of a server is. It never repeats the address, which holds a password.
var errURL = errors.New("ROLLCALL_SMTP_URL is smtp://user:password@host:587 (with STARTTLS) or smtps://user:password@host:465; " +
	"letters such as @ and : in the password are written as %40 and %3A")

// ParseServer reads ROLLCALL_SMTP_URL. smtp: requires STARTTLS, except on this machine's loopback, or with
// ?starttls=no for a server in a network that is trusted. A password is never sent in the clear to another machine.
func ParseServer(text string) (*Server, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Path != "" && u.Path != "/" || u.Fragment != "" {
		return nil, errURL
	}
	s := &Server{host: u.Hostname(), port: 587}
	switch u.Scheme {
	case "smtp":
	case "smtps":
		s.implicit, s.port = true, 465
	default:
		return nil, errURL
	}
	if u.Port() != "" {
		if s.port, err = strconv.Atoi(u.Port()); err != nil || s.port < 1 || s.port > 65535 {
			return nil, errURL
		}
	}
	if u.User != nil {
		s.user = u.User.Username()
		s.password, _ = u.User.Password()
	}
	for name, values := range u.Query() {
		if name != "starttls" || len(values) != 1 || values[0] != "no" || s.implicit {
			return nil, errors.New("ROLLCALL_SMTP_URL takes no parameter but ?starttls=no, with smtp:// alone")
		}
		s.plain = true
	}
	near := loopback(s.host)
	if s.plain && !near && s.user != "" {
		return nil, errors.New("ROLLCALL_SMTP_URL has ?starttls=no and a password, which would be sent in the clear: leave one of them out")
	}
	s.plain = s.plain || near && !s.implicit
	return s, nil
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// connection is one that keeps the deadline of its mail, whatever the client sets.
type connection struct{ net.Conn }

// SetDeadline does nothing: the deadline is that of the mail.
func (connection) SetDeadline(time.Time) error { return nil }

// send hands one message to the server. It returns when the server has answered, or ctx ends.
func (s *Server) send(ctx context.Context, m *gomail.Msg) error {
	conf := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: s.host, RootCAs: s.Roots}
	end := func() {} // of what dial opened: the library leaves it open after some errors
	defer func() { end() }()
	life := ctx // dial is given a context that ends with the dialling
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		raw, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		stop := context.AfterFunc(life, func() { _ = raw.SetDeadline(time.Unix(1, 0)) })
		end = func() { stop(); _ = raw.Close() }
		if deadline, ok := life.Deadline(); ok {
			_ = raw.SetDeadline(deadline)
		}
		if !s.implicit {
			return connection{raw}, nil
		}
		secure := tls.Client(connection{raw}, conf)
		return secure, secure.HandshakeContext(ctx)
	}
	policy := gomail.TLSMandatory
	switch {
	case s.plain:
		policy = gomail.NoTLS
	case s.implicit: // it is there already; so the library looks and finds it
		policy = gomail.TLSOpportunistic
	}
	options := []gomail.Option{
		gomail.WithPort(s.port), gomail.WithTLSPolicy(policy), gomail.WithTLSConfig(conf), gomail.WithDialContextFunc(dial),
		gomail.WithTimeout(s.timeout()), gomail.WithoutNoop(), gomail.WithoutRset(),
	}
	if s.user != "" {
		auth := gomail.SMTPAuthAutoDiscover
		if s.plain { // on this machine alone
			auth = gomail.SMTPAuthPlainNoEnc
		}
		options = append(options, gomail.WithSMTPAuth(auth), gomail.WithUsername(s.user), gomail.WithPassword(s.password))
	}
	client, err := gomail.NewClient(s.host, options...)
	if err != nil {
		return fmt.Errorf("prepare mail client: %w", err)
	}
	return client.DialAndSendWithContext(ctx, m)
}

// timeout returns how long a mail may take.
func (s *Server) timeout() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return Timeout
}

// trimmed returns an answer of the server as one line of text.
func trimmed(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
}
