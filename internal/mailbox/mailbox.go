// Package mailbox is an SMTP server on this machine that keeps what it is sent. The demo's mails end there,
// and tests use it as the server that answers what they want to see handled. It relays nothing.
package mailbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	message "github.com/emersion/go-message/mail"
	"github.com/emersion/go-smtp"
)

// most bounds the mails that a box keeps, and maxSize the size of one.
const (
	most    = 200
	maxSize = 4 << 20
)

// Mail is a mail as it was read.
type Mail struct {
	// Number counts the mails of a box from 1.
	Number int
	At     time.Time
	To     string
	// Header has the decoded fields; Raw is the whole mail.
	Header message.Header
	Raw    string
	// Text and HTML are its two forms.
	Text, HTML string
}

// Subject returns the decoded subject.
func (m *Mail) Subject() string {
	s, err := m.Header.Subject()
	if err != nil {
		return "(a subject that cannot be read)"
	}
	return s
}

// Options change what a box answers. The zero value takes every mail.
type Options struct {
	// Rcpt returns the answer to a recipient; nil takes it.
	Rcpt func(to string) error
	// Data is called with each mail before it is kept; its error is the answer, and the mail is not kept.
	Data func(*Mail) error
}

// Box is a running server. It is safe for concurrent use.
type Box struct {
	options  Options
	server   *smtp.Server
	listener net.Listener
	ended    chan struct{}

	mu    sync.Mutex
	mails []*Mail
	count int
}

// Open starts a server on a free port of this machine.
func Open(ctx context.Context, o Options) (*Box, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for mail: %w", err)
	}
	b := &Box{options: o, listener: l, ended: make(chan struct{})}
	b.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{box: b}, nil }))
	b.server.Domain, b.server.MaxMessageBytes, b.server.MaxRecipients = "localhost", maxSize, 1
	b.server.ReadTimeout, b.server.WriteTimeout = time.Minute, time.Minute
	b.server.ErrorLog = silent{}
	go func() {
		defer close(b.ended)
		_ = b.server.Serve(l) // it ends with Close
	}()
	return b, nil
}

// silent is the log of a server whose clients go away as they like.
type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

// URL returns the address of the box as ROLLCALL_SMTP_URL has it.
func (b *Box) URL() string { return "smtp://" + b.listener.Addr().String() }

// Close ends the server and its connections.
func (b *Box) Close() error {
	err := b.server.Close()
	if errors.Is(err, smtp.ErrServerClosed) {
		err = nil
	}
	<-b.ended
	return err
}

// Mails returns what was kept, the newest first.
func (b *Box) Mails() []*Mail {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := slices.Clone(b.mails)
	slices.Reverse(all)
	return all
}

// keep adds a mail and forgets the oldest.
func (b *Box) keep(m *Mail) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	m.Number = b.count
	b.mails = append(b.mails, m)
	if len(b.mails) > most {
		b.mails = b.mails[1:]
	}
}

// session is one connection.
type session struct {
	box *Box
	to  string
}

// Reset implements smtp.Session.
func (s *session) Reset() { s.to = "" }

// Logout implements smtp.Session.
func (s *session) Logout() error { return nil }

// Mail implements smtp.Session.
func (s *session) Mail(string, *smtp.MailOptions) error { return nil }

// Rcpt implements smtp.Session.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	if s.box.options.Rcpt != nil {
		return s.box.options.Rcpt(to)
	}
	return nil
}

// Data implements smtp.Session.
func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m, err := read(string(raw))
	if err != nil {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: "the mail cannot be read"}
	}
	m.To, m.At = s.to, time.Now()
	if s.box.options.Data != nil {
		if err := s.box.options.Data(m); err != nil {
			return err
		}
	}
	s.box.keep(m)
	return nil
}

// read parses a mail and its two forms.
func read(raw string) (*Mail, error) {
	r, err := message.CreateReader(strings.NewReader(raw))
	if err != nil {
		return nil, err
	}
	m := &Mail{Header: r.Header, Raw: raw}
	for {
		p, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(p.Body)
		if err != nil {
			return nil, err
		}
		if h, ok := p.Header.(*message.InlineHeader); ok {
			switch kind, _, _ := h.ContentType(); kind {
			case "text/plain":
				m.Text = string(text)
			case "text/html":
				m.HTML = string(text)
			}
		}
	}
}
