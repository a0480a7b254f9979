package mail

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"rollcall/bulletin"
	"rollcall/internal/signedlink"
	"rollcall/models"
	"rollcall/notifier"
)

const (
	// hitFor is how long a link to a hit works without signing in.
	hitFor = 30 * 24 * time.Hour
	// keptAnswer bounds what is stored of a server's answer, in bytes.
	keptAnswer = 1 << 10
)

// Mailer sends mails. All fields but Now are required. It is safe for concurrent use.
type Mailer struct {
	// Server takes the mails.
	Server *Server
	// From is ROLLCALL_MAIL_FROM.
	From *mail.Address
	// Links makes the links in mails.
	Links *signedlink.Links
	// Fresh says how current what is known of a county is. county is its display name.
	Fresh func(ctx context.Context, county string) (models.Freshness, error)
	// Log receives what is wrong with the server. Owners of endpoints are not shown it.
	Log *slog.Logger
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// now returns the time.
func (m *Mailer) now() time.Time {
	if m.Now == nil {
		return time.Now()
	}
	return m.Now()
}

// Send sends deliveries of one endpoint as one mail (notifier.Mailer). The Message-ID follows from the deliveries,
// so that a mail which is sent again is the same to a mailbox.
func (m *Mailer) Send(ctx context.Context, all []*models.QueuedDelivery) (notifier.Attempt, error) {
	letter, err := m.letter(ctx, all)
	if err != nil {
		return notifier.Attempt{}, err
	}
	first := all[0]
	endpoint := signedlink.Target{ID: first.WebhookID, Address: first.URL}
	msg, err := m.message(strings.TrimPrefix(first.URL, models.Mailto), messageID(all), letter.Subject)
	if err != nil {
		return notifier.Attempt{}, err
	}
	letter.Unsubscribe = m.Links.URL(signedlink.Unsubscribe, endpoint)
	msg.SetGenHeaderPreformatted("List-Unsubscribe", "<"+letter.Unsubscribe+">")
	msg.SetGenHeaderPreformatted("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	_, domain, _ := strings.Cut(m.From.Address, "@")
	msg.SetGenHeaderPreformatted("List-Id", "<alerts."+domain+">") // RFC 2919, for the filters of mailboxes
	if len(all) == 1 {
		msg.SetGenHeader("X-Rollcall-Event", first.MessageID)
	}
	if err := letter.write(msg); err != nil {
		return notifier.Attempt{}, err
	}
	return m.attempt(ctx, msg)
}

// Confirm asks the owner of an address to confirm it. It is the only mail to an address that is not confirmed. The
// error is a sentence for whoever added the address.
func (m *Mailer) Confirm(ctx context.Context, h *models.Webhook, account string) error {
	until := m.now().Add(signedlink.ConfirmFor)
	url := m.Links.URL(signedlink.Confirm, signedlink.Target{ID: h.ID, Address: h.URL, Until: until.Unix()})
	sum := sha256.Sum256([]byte(url))
	msg, err := m.message(h.Address(), hex.EncodeToString(sum[:12]), "Confirm that you want alerts from rollcall")
	if err != nil {
		return err
	}
	c := confirmation{Account: bulletin.Line(account, 100), Address: h.Address(), URL: url, Until: bulletin.Time(until)}
	if err := c.write(msg); err != nil {
		return err
	}
	a, err := m.attempt(ctx, msg)
	if err != nil {
		return err
	}
	if !a.Delivered() {
		return &models.Error{Code: models.CodeUnavailable, Message: "the confirmation was not sent: " + a.Err + "; ask again in an hour"}
	}
	return nil
}

// message returns a mail with its headers. Nothing in them comes from a source as it is.
func (m *Mailer) message(to, id, subject string) (*gomail.Msg, error) {
	msg := gomail.NewMsg()
	if err := errors.Join(msg.FromFormat(m.From.Name, m.From.Address), msg.To(to)); err != nil {
		return nil, errors.New("an address cannot stand in a mail") // not err: it repeats the address
	}
	_, domain, _ := strings.Cut(m.From.Address, "@")
	msg.SetMessageIDWithValue(id + "@" + domain)
	msg.SetDateWithValue(m.now())
	// A name that looks like an encoded word (RFC 2047) must be read as it is.
	msg.Subject(strings.ReplaceAll(bulletin.Line(subject, 200), "=?", "= ?"))
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetGenHeader("X-Auto-Response-Suppress", "All")
	return msg, nil
}

// messageID returns the first part of the Message-ID of deliveries: the same for the same deliveries.
func messageID(all []*models.QueuedDelivery) string {
	sum := sha256.New()
	for _, d := range all {
		_, _ = sum.Write([]byte(d.WebhookID + " " + d.MessageID + "\n"))
	}
	if len(all) == 1 {
		return all[0].MessageID + "." + hex.EncodeToString(sum.Sum(nil)[:8])
	}
	return "digest." + hex.EncodeToString(sum.Sum(nil)[:12])
}

// attempt hands a mail to the server and says what came of it. An error means that ctx ended before that: there was
// no attempt.
func (m *Mailer) attempt(ctx context.Context, msg *gomail.Msg) (notifier.Attempt, error) {
	timed, cancel := context.WithTimeout(ctx, m.Server.timeout())
	defer cancel()
	a := notifier.Attempt{At: m.now()}
	err := m.Server.send(timed, msg)
	a.Latency = m.now().Sub(a.At)
	if msg.IsDelivered() { // what fails after that is the good-bye
		a.Status, a.Class, a.Answer = 250, notifier.ClassDelivered, cut(trimmed(msg.ServerResponse()))
		return a, nil
	}
	if ctx.Err() != nil {
		return notifier.Attempt{}, context.Cause(ctx)
	}
	m.classify(timed, &a, err)
	return a, nil
}

// classify sets what a failure is. Owners of endpoints are shown what the server said about the recipient and the
// text, and nothing about the server itself: that is the operator's, and in the log.
func (m *Mailer) classify(ctx context.Context, a *notifier.Attempt, err error) {
	var refused *gomail.SendError
	if errors.As(err, &refused) && refused.ErrorCode() != 0 {
		a.Status, a.Answer = refused.ErrorCode(), cut(trimmed(refused.Error()))
		a.Class, a.Err = notifier.ClassStatus, "the mail server did not take the mail now; it is tried again"
		switch {
		case refused.Reason == gomail.ErrSMTPRcptTo && bounced(a.Status, a.Answer):
			a.Class, a.Err = notifier.ClassBounce, "the mail server refuses this address for good"
		case a.Status >= 500:
			a.Err = "the mail server refused the mail"
			m.Log.WarnContext(ctx, "mail refused", "status", a.Status, "stage", refused.Reason.String())
		}
		return
	}
	a.Class, a.Err = notifier.ClassConnect, "the mail server of this service cannot be reached or does not accept its sign-in"
	var network net.Error
	if ctx.Err() != nil || errors.As(err, &network) && network.Timeout() {
		a.Class, a.Err = notifier.ClassTimeout, "the mail server did not answer in time"
	}
	if refused != nil { // its text has the recipient's address
		err = errors.New(refused.Reason.String())
	}
	m.Log.WarnContext(ctx, "mail not sent", "class", string(a.Class), "error", err)
}

// enhanced finds the code of RFC 3463 that follows a status, whether or not the server announced such codes.
var enhanced = regexp.MustCompile(`\b5\d\d[ -]"?5\.(\d{1,3}\.\d{1,3})\b`)

// bounced reports whether an answer to a recipient says for good that nothing can be delivered there. An enhanced code
// says what is wrong: 5.1 is the address, 5.2.0 and 5.2.1 the mailbox. A full mailbox (5.2.2) may be emptied, whatever its
// server thinks. Others are about this service, such as 5.7.1 where the server does not relay for it; they must not end
// somebody's mails. Without a code, 550, 551 and 553 count.
func bounced(status int, answer string) bool {
	if code := enhanced.FindStringSubmatch(answer); code != nil {
		return strings.HasPrefix(code[1], "1.") || code[1] == "2.0" || code[1] == "2.1"
	}
	return status == 550 || status == 551 || status == 553
}

// cut bounds a text to what is stored.
func cut(s string) string {
	if len(s) > keptAnswer {
		s = strings.ToValidUTF8(s[:keptAnswer], "")
	}
	return strings.ReplaceAll(s, "\x00", "")
}
