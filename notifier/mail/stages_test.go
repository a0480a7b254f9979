package mail

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/signedlink"
	"rollcall/models"
	"rollcall/notifier"
)

// script is a server that answers each command as asked; what is not named is well. The answer "hang" is none, and
// "close" ends the connection.
type script map[string]string

// serve starts the server. It ends with the test.
func (s script) serve(t *testing.T) *Server {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.talk(conn)
		}
	}()
	server, err := ParseServer("smtp://" + l.Addr().String())
	require.NoError(t, err)
	server.Timeout = 400 * time.Millisecond // only hanging servers use it up
	return server
}

// talk holds one conversation.
func (s script) talk(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	for stage := "greeting"; ; {
		said := s[stage]
		switch said {
		case "close":
			return
		case "hang":
			_, _ = io.Copy(io.Discard, in)
			return
		case "":
			said = map[string]string{"greeting": "220 ready", "DATA": "354 go on", "EHLO": "250 localhost", "QUIT": "221 bye"}[stage]
			if said == "" {
				said = "250 2.0.0 well"
			}
		}
		if _, err := fmt.Fprintf(conn, "%s\r\n", said); err != nil || stage == "QUIT" {
			return
		}
		last := stage
		if last == "DATA" && strings.HasPrefix(said, "354") {
			for line := ""; line != ".\r\n"; {
				var err error
				if line, err = in.ReadString('\n'); err != nil {
					return
				}
			}
			stage = "text"
			continue
		}
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		stage, _, _ = strings.Cut(strings.TrimSpace(strings.ToUpper(line)), " ")
	}
}

// mailerOf returns a mailer of a server, and an event to send.
func mailerOf(t *testing.T, s *Server) (*Mailer, *models.QueuedDelivery) {
	t.Helper()
	links, err := signedlink.New(make([]byte, 32), "https://records.example")
	require.NoError(t, err)
	m := &Mailer{
		Server: s, From: &mail.Address{Address: "alerts@example.org"}, Links: links, Log: slog.New(slog.DiscardHandler),
		Fresh: func(context.Context, string) (models.Freshness, error) { return models.Freshness{}, nil },
	}
	return m, &models.QueuedDelivery{
		ID: "dlv_1", AccountID: "acct_1", WebhookID: "hook_1", MessageID: "evt_1", Kind: models.EventBooking, URL: models.Mailto + "ann@example.org",
		Watched: "Wren Moonsail",
		Body:    []byte(`{"timestamp":"2026-03-10T15:20:00Z","record":{"id":"fulton-2026-1","name":"MOONSAIL, WREN","county":"Fulton","booking_date":"2026-03-10T10:00:00-04:00","charges":["THEFT"],"bond_amount":null}}`),
	}
}

func TestWhatAServerSaysAtEachStageIsWhatBecomesOfTheMail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server script
		class  notifier.Class
	}{
		"all is well":                                  {script{}, notifier.ClassDelivered},
		"it hangs after the mail was taken":            {script{"QUIT": "hang"}, notifier.ClassDelivered},
		"it closes after the mail was taken":           {script{"QUIT": "close"}, notifier.ClassDelivered},
		"no greeting":                                  {script{"greeting": "hang"}, notifier.ClassTimeout},
		"no answer to EHLO":                            {script{"EHLO": "hang"}, notifier.ClassTimeout},
		"no answer to MAIL":                            {script{"MAIL": "hang"}, notifier.ClassTimeout},
		"no answer to RCPT":                            {script{"RCPT": "hang"}, notifier.ClassTimeout},
		"no answer to DATA":                            {script{"DATA": "hang"}, notifier.ClassTimeout},
		"no answer to the text":                        {script{"text": "hang"}, notifier.ClassTimeout},
		"closed at the greeting":                       {script{"greeting": "close"}, notifier.ClassConnect},
		"closed at MAIL":                               {script{"MAIL": "close"}, notifier.ClassConnect},
		"closed at RCPT":                               {script{"RCPT": "close"}, notifier.ClassConnect},
		"closed after the text":                        {script{"text": "close"}, notifier.ClassConnect},
		"busy at the greeting":                         {script{"greeting": "421 4.3.2 too busy"}, notifier.ClassConnect},
		"greylisted":                                   {script{"RCPT": "451 4.7.1 come back in five minutes"}, notifier.ClassStatus},
		"the mailbox is full for now":                  {script{"RCPT": "452 4.2.2 mailbox full"}, notifier.ClassStatus},
		"the mailbox is full, for good as they say":    {script{"RCPT": "552 5.2.2 mailbox full"}, notifier.ClassStatus},
		"nobody has the address":                       {script{"RCPT": "550 5.1.1 no such user"}, notifier.ClassBounce},
		"the mailbox is closed":                        {script{"RCPT": "550 5.2.1 mailbox disabled"}, notifier.ClassBounce},
		"nobody has the address, in an old server":     {script{"RCPT": "550 no such user here"}, notifier.ClassBounce},
		"this service may not relay":                   {script{"RCPT": "550 5.7.1 relaying denied"}, notifier.ClassStatus},
		"this service must sign in":                    {script{"RCPT": "530 5.7.0 authentication required"}, notifier.ClassStatus},
		"this service may not send from that address":  {script{"MAIL": "550 5.1.8 sender refused"}, notifier.ClassStatus},
		"the text is taken for spam":                   {script{"text": "554 5.7.1 spam"}, notifier.ClassStatus},
		"the server runs out of space after the text":  {script{"text": "452 4.3.1 out of space"}, notifier.ClassStatus},
		"the server goes down in the middle":           {script{"DATA": "421 4.3.2 shutting down"}, notifier.ClassStatus},
		"the server answers what is no SMTP":           {script{"greeting": "HTTP/1.1 400 Bad Request"}, notifier.ClassConnect},
		"the server answers with a very long line":     {script{"RCPT": "550 5.1.1 " + strings.Repeat("x", 100_000)}, notifier.ClassBounce},
		"the server's answer holds what is no UTF-8":   {script{"RCPT": "550 5.1.1 \xff\xfe"}, notifier.ClassBounce},
		"the answer holds the recipient's own address": {script{"RCPT": "550 5.1.1 <ann@example.org> unknown"}, notifier.ClassBounce},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, d := mailerOf(t, c.server.serve(t))
			a, err := m.Send(t.Context(), []*models.QueuedDelivery{d})
			require.NoError(t, err)
			require.Equal(t, c.class, a.Class, "%s %s", a.Err, a.Answer)
			require.Equal(t, c.class == notifier.ClassDelivered, a.Delivered())
			require.LessOrEqual(t, len(a.Answer), keptAnswer)
			if !a.Delivered() {
				require.NotEmpty(t, a.Err)
			}
		})
	}
}
