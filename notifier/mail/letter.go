package mail

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	html "html/template"
	"strconv"
	text "text/template"

	gomail "github.com/wneessen/go-mail"

	"rollcall/bulletin"
	"rollcall/internal/signedlink"
	"rollcall/models"
)

//go:embed templates
var files embed.FS

// The templates. Those of HTML escape what they show; those of plain text show single lines (bulletin.Line).
var (
	texts = text.Must(text.ParseFS(files, "templates/*.txt"))
	htmls = html.Must(html.ParseFS(files, "templates/*.html"))
)

// item is one event of a letter.
type item struct {
	Title, Happened string
	Facts           []bulletin.Fact
	// Fresh says how current what is known of the county is; empty for a notice that names nobody.
	Fresh string
	// Link shows the hit without signing in; empty where there is none.
	Link string
}

// letter is what a mail of events shows.
type letter struct {
	Subject     string
	Items       []item
	Caution     string
	Settings    string
	Unsubscribe string
}

// confirmation is what the mail shows that asks to confirm an address.
type confirmation struct{ Account, Address, URL, Until string }

// letter returns the mail of deliveries. How current a county is, is read once for each.
func (m *Mailer) letter(ctx context.Context, all []*models.QueuedDelivery) (*letter, error) {
	l := &letter{Settings: m.Links.Root() + "/settings/notify"}
	fresh := map[string]string{}
	for _, d := range all {
		e, err := bulletin.Of(d)
		if err != nil {
			return nil, err
		}
		it := item{Title: e.Title(), Happened: e.Happened(), Facts: e.Facts()}
		if e.AboutPerson() {
			l.Caution = bulletin.Caution
			if !d.Test {
				if _, known := fresh[e.County]; !known {
					f, err := m.Fresh(ctx, e.County)
					if err != nil {
						return nil, fmt.Errorf("read how current a county is: %w", err)
					}
					fresh[e.County] = bulletin.Fresh(e.County, f)
				}
				it.Fresh = fresh[e.County]
				it.Link = m.Links.URL(signedlink.Hit, signedlink.Target{ID: d.ID, Address: d.AccountID, Until: m.now().Add(hitFor).Unix()})
			}
		}
		l.Items = append(l.Items, it)
	}
	l.Subject = l.Items[0].Title
	if n := len(l.Items); n > 1 {
		l.Subject = "rollcall: " + strconv.Itoa(n) + " events of your alerts"
	}
	return l, nil
}

// write adds the letter to a mail, in both forms.
func (l *letter) write(msg *gomail.Msg) error { return write(msg, "letter", l) }

// write adds the confirmation to a mail, in both forms.
func (c *confirmation) write(msg *gomail.Msg) error { return write(msg, "confirm", c) }

// write adds a template's plain text and HTML to a mail.
func write(msg *gomail.Msg, name string, data any) error {
	var plain, rich bytes.Buffer
	if err := texts.ExecuteTemplate(&plain, name+".txt", data); err != nil {
		return fmt.Errorf("write mail: %w", err)
	}
	if err := htmls.ExecuteTemplate(&rich, name+".html", data); err != nil {
		return fmt.Errorf("write mail: %w", err)
	}
	msg.SetBodyString(gomail.TypeTextPlain, plain.String())
	msg.AddAlternativeString(gomail.TypeTextHTML, rich.String())
	return nil
}
