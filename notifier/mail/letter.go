package mail

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	html "html/template"
	"strconv"
	text "text/template"
	"time"

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

// body is the payload of a delivery, version 2 (docs/webhooks.md): the facts of its moment, frozen when it was made.
type body struct {
	Timestamp time.Time `json:"timestamp"`
	Record    struct {
		ID          string       `json:"id"`
		Name        string       `json:"name"`
		County      string       `json:"county"`
		BookingDate time.Time    `json:"booking_date"`
		ReleaseDate *time.Time   `json:"release_date"`
		Charges     []string     `json:"charges"`
		BondAmount  *json.Number `json:"bond_amount"`
	} `json:"record"`
	Match *struct {
		Reasons []string `json:"reasons"`
	} `json:"match"`
	// Source and Alerts are those of a notice about a source.
	Source *struct {
		Title       string     `json:"title"`
		Counties    []string   `json:"counties"`
		LastSuccess *time.Time `json:"last_success"`
	} `json:"source"`
	Alerts int `json:"alerts"`
}

// letter returns the mail of deliveries. How current a county is, is read once for each.
func (m *Mailer) letter(ctx context.Context, all []*models.QueuedDelivery) (*letter, error) {
	l := &letter{Settings: m.Links.Root() + "/settings/notify"}
	fresh := map[string]string{}
	for _, d := range all {
		e, err := eventOf(d)
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

// eventOf reads a delivery's frozen body.
func eventOf(d *models.QueuedDelivery) (*bulletin.Event, error) {
	var b body
	if err := json.Unmarshal(d.Body, &b); err != nil {
		return nil, fmt.Errorf("read body of delivery %s: %w", d.ID, err)
	}
	e := &bulletin.Event{
		ID: d.MessageID, Kind: d.Kind, At: b.Timestamp, RecordID: b.Record.ID, Name: b.Record.Name, County: b.Record.County,
		Dob: d.Dob, BirthYear: d.BirthYear, BookedAt: b.Record.BookingDate, Release: d.Release(b.Record.ReleaseDate), Charges: b.Record.Charges, BeforeCents: d.BeforeCents,
		Watched: d.Watched, Test: d.Test,
	}
	if b.Source != nil {
		e.Source = &bulletin.Source{Title: b.Source.Title, Counties: b.Source.Counties, LastRead: b.Source.LastSuccess, Watchers: b.Alerts}
	}
	if b.Match != nil {
		e.Reasons = b.Match.Reasons
	}
	var bond *int64
	if b.Record.BondAmount != nil {
		cents, err := models.ParseCents(b.Record.BondAmount.String())
		if err != nil {
			return nil, fmt.Errorf("read bond of delivery %s: %w", d.ID, err)
		}
		bond = (*int64)(&cents)
	}
	e.Bond = models.BondOf(bond, d.BondCharges)
	return e, nil
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
