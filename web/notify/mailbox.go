package notify

import (
	"net/url"
	"strings"
	"time"

	"rollcall/internal/mailbox"
	"rollcall/web/page"
)

// MailboxAddress is that of the page of the demo's mails.
const MailboxAddress = "/mailbox"

// shownMails bounds the page.
const shownMails = 50

// shownMail is a mail as the page shows it: its text form alone, since a mail's HTML is nothing that a page may hold.
type shownMail struct {
	Number      int
	At          time.Time
	Subject, To string
	Lines       []line
}

// line is a line of a mail. Link is the address on this service that it ends with, as a path; empty: none.
type line struct{ Text, Link string }

// mailbox shows the mails of a demo, which stay on this machine, the newest first.
func (s *Site) mailbox(v *page.Visit) error {
	var mails []shownMail
	for _, m := range s.Mailbox.Mails() {
		if len(mails) == shownMails {
			break
		}
		mails = append(mails, shownMail{Number: m.Number, At: m.At, Subject: m.Subject(), To: m.To, Lines: s.lines(m)})
	}
	return s.Pages.Page(v, "mailbox", page.View{Title: "Mailbox", Script: "settings", Body: mails})
}

// lines splits the text of a mail. Only links to this service become links of the page, by their path.
func (s *Site) lines(m *mailbox.Mail) (lines []line) {
	root := strings.TrimSuffix(s.BaseURL, "/v1") + "/"
	for text := range strings.Lines(m.Text) {
		text = strings.TrimRight(text, "\r\n")
		before, path, found := strings.Cut(text, root)
		if !found || strings.ContainsAny(path, " \t") || strings.HasPrefix(path, "/") {
			lines = append(lines, line{Text: text})
			continue
		}
		lines = append(lines, line{Text: before, Link: (&url.URL{Path: "/" + path}).EscapedPath()})
	}
	return lines
}
