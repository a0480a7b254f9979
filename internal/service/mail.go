package service

import (
	"context"
	"errors"
	"fmt"
	"net/mail"

	"github.com/go-chi/chi/v5"

	"rollcall/internal/mailbox"
	"rollcall/internal/signedlink"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
	sender "rollcall/notifier/mail"
	"rollcall/web"
	"rollcall/web/notify"
)

// readMail reads what e-mail needs: a server and a sender, or neither. get returns a variable, or the default
// beside it.
func (c *Config) readMail(get func(name, otherwise string) string) (err error) {
	from := get("ROLLCALL_MAIL_FROM", "")
	if url := get("ROLLCALL_SMTP_URL", ""); url != "" {
		if c.SMTP, err = sender.ParseServer(url); err != nil {
			return err
		}
	}
	if from != "" {
		if c.MailFrom, err = mail.ParseAddress(from); err != nil {
			return fmt.Errorf("ROLLCALL_MAIL_FROM is an address like rollcall <alerts@example.org>, not %q", from)
		}
	}
	if (c.SMTP == nil) != (c.MailFrom == nil) {
		return errors.New("ROLLCALL_SMTP_URL and ROLLCALL_MAIL_FROM belong together: set both, or neither for a service without e-mail")
	}
	return nil
}

// OpenMailbox has all mails stay on this machine, in a box whose page is /mailbox: for a demo. Where a mail server is
// set it does nothing. end closes the box and is never nil.
func (a *App) OpenMailbox(ctx context.Context) (end func(), err error) {
	if a.SMTP != nil {
		return func() {}, nil
	}
	box, err := mailbox.Open(ctx, mailbox.Options{})
	if err != nil {
		return func() {}, err
	}
	end = func() { _ = box.Close() } // its mails end with it
	if a.SMTP, err = sender.ParseServer(box.URL()); err != nil {
		end()
		return func() {}, err
	}
	a.Mailbox, a.MailFrom = box, &mail.Address{Name: "rollcall demo", Address: "alerts@rollcall.invalid"}
	return end, nil
}

// links returns the links of mails. They are signed under the service's secret, which replicas share.
func (a *App) links() (*signedlink.Links, error) {
	secrets, err := a.SecretKeys()
	if err != nil {
		return nil, err
	}
	return signedlink.New(secrets[0], a.Root(), secrets[1:]...)
}

// mailer returns what sends mails; nil where no mail server is set.
func (a *App) mailer(store *store.Store) (*sender.Mailer, error) {
	if a.SMTP == nil {
		return nil, nil //nolint:nilnil // a service without e-mail
	}
	links, err := a.links()
	if err != nil {
		return nil, err
	}
	return &sender.Mailer{Server: a.SMTP, From: a.MailFrom, Links: links, Log: a.Log, Fresh: func(ctx context.Context, county string) (models.Freshness, error) {
		c := store.Counties().Find(county)
		if c == nil {
			return models.Freshness{}, nil
		}
		return store.Freshness(ctx, models.Roster, &c.Slug)
	}}, nil
}

// notifications routes the settings of e-mail and Atom, and the pages behind the links of mails.
func (a *App) notifications(r chi.Router, store *store.Store, site *web.Site) error {
	links, err := a.links()
	if err != nil {
		return err
	}
	mailer, err := a.mailer(store)
	if err != nil {
		return err
	}
	o := notify.Options{Store: store, Pages: site.Pages, BaseURL: a.BaseURL, Links: links, TestBody: notifier.Registrar{}.TestBody}
	if mailer != nil {
		o.Mail = mailer
	}
	o.Mailbox = a.Mailbox
	notify.New(o).Routes(r)
	return nil
}
