package mail

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/notifier"
)

// secureServer is an SMTP server with TLS that knows one user. It notes what it was sent and how.
type secureServer struct {
	mechanisms []string

	mu     sync.Mutex
	inside []bool // for each mail, whether its connection was encrypted
	users  []string
	texts  []string
}

// secureSession is one connection.
type secureSession struct {
	server *secureServer
	conn   *smtp.Conn
	user   string
}

// NewSession implements smtp.Backend.
func (s *secureServer) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &secureSession{server: s, conn: c}, nil
}

func (s *secureSession) Reset()        {}
func (s *secureSession) Logout() error { return nil }

// AuthMechanisms implements smtp.AuthSession.
func (s *secureSession) AuthMechanisms() []string { return s.server.mechanisms }

// Auth implements smtp.AuthSession.
func (s *secureSession) Auth(mechanism string) (sasl.Server, error) {
	check := func(user, password string) error {
		if user != "zoe" || password != "p@ss" {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "wrong password of zoe"}
		}
		s.user = user
		return nil
	}
	if mechanism == sasl.Plain {
		return sasl.NewPlainServer(func(_, user, password string) error { return check(user, password) }), nil
	}
	return &loginServer{check: check}, nil
}

// loginServer is the server's side of AUTH LOGIN, which package sasl leaves out.
type loginServer struct {
	check func(user, password string) error
	user  *string
}

func (l *loginServer) Next(response []byte) (challenge []byte, done bool, err error) {
	switch {
	case response == nil:
		return []byte("Username:"), false, nil
	case l.user == nil:
		user := string(response)
		l.user = &user
		return []byte("Password:"), false, nil
	}
	return nil, true, l.check(*l.user, string(response))
}

func (s *secureSession) Mail(string, *smtp.MailOptions) error {
	if len(s.server.mechanisms) > 0 && s.user == "" {
		return smtp.ErrAuthRequired
	}
	return nil
}

func (s *secureSession) Rcpt(string, *smtp.RcptOptions) error { return nil }

func (s *secureSession) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	_, encrypted := s.conn.TLSConnectionState()
	s.server.inside, s.server.users, s.server.texts = append(s.server.inside, encrypted), append(s.server.users, s.user), append(s.server.texts, string(text))
	return err
}

// start serves with the certificate, which is of 127.0.0.1; nil offers no TLS.
func (s *secureServer) start(t *testing.T, certificate *tls.Certificate, implicit bool) (address string) {
	t.Helper()
	server := smtp.NewServer(s)
	server.Domain, server.AllowInsecureAuth, server.ErrorLog = "localhost", certificate == nil, log.New(io.Discard, "", 0)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	if certificate != nil {
		server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{*certificate}}
		if implicit {
			l = tls.NewListener(l, server.TLSConfig)
		}
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = server.Serve(l) }()
	t.Cleanup(func() {
		if err := server.Close(); err != nil && !errors.Is(err, smtp.ErrServerClosed) {
			t.Error(err)
		}
		<-ended
	})
	return l.Addr().String()
}

func TestMailsGoThroughTLSOrNotAtAll(t *testing.T) {
	t.Parallel()
	web := httptest.NewTLSServer(nil)
	t.Cleanup(web.Close)
	certificate := &web.TLS.Certificates[0]
	trusted := x509.NewCertPool()
	trusted.AddCert(web.Certificate())
	for name, c := range map[string]struct {
		scheme, user string
		mechanisms   []string
		plain        bool // the server offers no TLS
		roots        *x509.CertPool
		class        notifier.Class
	}{
		"STARTTLS":                              {scheme: "smtp", roots: trusted, class: notifier.ClassDelivered},
		"TLS from the first byte":               {scheme: "smtps", roots: trusted, class: notifier.ClassDelivered},
		"AUTH PLAIN after STARTTLS":             {scheme: "smtp", user: "zoe:p%40ss@", mechanisms: []string{"PLAIN"}, roots: trusted, class: notifier.ClassDelivered},
		"AUTH LOGIN inside TLS":                 {scheme: "smtps", user: "zoe:p%40ss@", mechanisms: []string{"LOGIN"}, roots: trusted, class: notifier.ClassDelivered},
		"a wrong password":                      {scheme: "smtp", user: "zoe:wrong@", mechanisms: []string{"PLAIN"}, roots: trusted, class: notifier.ClassConnect},
		"a certificate that nobody vouches for": {scheme: "smtp", class: notifier.ClassConnect},
		"the same with TLS from the start":      {scheme: "smtps", class: notifier.ClassConnect},
		"a server without STARTTLS":             {scheme: "smtp", plain: true, roots: trusted, class: notifier.ClassConnect},
		"a password for a server without it":    {scheme: "smtp", user: "zoe:p%40ss@", mechanisms: []string{"PLAIN"}, plain: true, roots: trusted, class: notifier.ClassConnect},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, offered := &secureServer{mechanisms: c.mechanisms}, certificate
			if c.plain {
				offered = nil
			}
			server, err := ParseServer(c.scheme + "://" + c.user + s.start(t, offered, c.scheme == "smtps"))
			require.NoError(t, err)
			server.plain, server.Roots = false, c.roots // as if it were another machine's
			if server.Roots == nil {
				server.Roots = x509.NewCertPool()
			}
			m, d := mailerOf(t, server)
			a, err := m.Send(t.Context(), []*models.QueuedDelivery{d})
			require.NoError(t, err)
			require.Equal(t, c.class, a.Class, "%s %s", a.Err, a.Answer)
			require.NotContains(t, a.Err+a.Answer, "zoe", "who signs in is the operator's business")
			if c.class != notifier.ClassDelivered {
				require.Empty(t, s.texts)
				return
			}
			require.Equal(t, []bool{true}, s.inside)
			require.Equal(t, []string{strings.TrimSuffix(strings.Split(c.user, ":")[0], "@")}, s.users)
			require.Contains(t, s.texts[0], "List-Unsubscribe-Post: List-Unsubscribe=One-Click")
			require.Contains(t, s.texts[0], "List-Id: <alerts.example.org>")
			_, after, found := strings.Cut(s.texts[0], "Subject: ")
			require.True(t, found)
			subject, _, _ := strings.Cut(after, "\r\n")
			require.NotContains(t, subject, "THEFT")
		})
	}
}
