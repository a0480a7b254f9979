package main

import (
	"crypto/tls"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/mailbox"
	"rollcall/internal/pathtoken"
	"rollcall/internal/receiver"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/delivery"
	"rollcall/notifier"
	mailer "rollcall/notifier/mail"
)

// newsroom is an account that watches a thousand people of the story's counties and is told by webhook, mail and feed.
type newsroom struct {
	*weeks
	account             *models.Account
	watched             map[string]bool // by county and name
	silent              map[string]bool // those of a dismissed hit, from then on
	expected            []string
	hushed              int // events of those who are dismissed
	webhook, mail, feed *heard
	app                 *service.App
	cert                *receiver.Certificate // of every endpoint of the story
	root                string                // of the service
	feedURL             string
	hook                string    // id of the endpoint
	mails               *sync.Map // of all newsrooms of the story: what each address is sent
}

// ways are all three, by name.
func (n *newsroom) ways() map[string]*heard {
	return map[string]*heard{"webhook": n.webhook, "mail": n.mail, "feed": n.feed}
}

// TestAWeekIsHeardByEachWay imports a thousand people from a CSV file and lives through a week of nineteen jails, with two
// files of each a day. After each file every event has to have arrived by webhook, mail and feed, and nothing else: the model
// of the two weeks says what. The sender is stopped and started on the fourth day. A dismissed hit stays silent.
func TestAWeekIsHeardByEachWay(t *testing.T) {
	t.Parallel()
	n := newNewsroom(t)
	send := n.send()
	for half := range 14 {
		at := weeksBegin.Add(time.Duration(half) * 12 * time.Hour)
		n.live(at)
		switch half {
		case 4:
			n.dismiss()
		case 7:
			send()
			send = n.send()
		}
	}
	send()
	n.readFeed()
	for way, h := range n.ways() {
		require.Empty(t, h.twice(), "sent twice by %s", way)
		require.Empty(t, differences(n.expected, h.all()), "%s in the end", way)
	}
	n.delivered()
	require.Greater(t, len(n.expected), 400, "a week in which much happens")
	require.Positive(t, n.hushed, "something happened to those who are dismissed")
}

func newNewsroom(t *testing.T) *newsroom {
	t.Helper()
	n := &newsroom{weeks: bareWeeks(t), watched: map[string]bool{}, silent: map[string]bool{}, webhook: newHeard(), mail: newHeard(), feed: newHeard(), mails: &sync.Map{}}
	// This county's numbers change on a day of the story, which an operator has to answer for.
	n.jails = slices.DeleteFunc(n.jails, func(j *jail) bool { return j.slug == renumbers })
	n.opens("desk@example.org", n.list(1000))

	box, err := mailbox.Open(t.Context(), mailbox.Options{Data: func(m *mailbox.Mail) error {
		if of, is := n.mails.Load(m.To); is {
			of.(*heard).add(m.Header.Get("Message-ID"), line(m.Subject(), m.Text)) //nolint:errcheck,forcetypeassert // the map has no others
		}
		return nil
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, box.Close()) })
	server, err := mailer.ParseServer(box.URL())
	require.NoError(t, err)
	n.app = &service.App{Config: service.Config{
		DatabaseURL: n.URL, DataDir: n.Data, Addr: "127.0.0.1:0", BaseURL: "http://localhost/v1", MetricsAddr: "off",
		SMTP: server, MailFrom: &mail.Address{Name: "rollcall", Address: "alerts@example.org"}, WebhookAllow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
	}, Stdout: io.Discard, Stderr: io.Discard, Log: slog.New(slog.DiscardHandler)}
	s, err := n.app.Start(t.Context())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	n.cert, err = receiver.NewCertificate(time.Now())
	require.NoError(t, err)
	n.root = "http://" + s.Listener.Addr().String()
	n.endpoints()
	return n
}

// opens makes the account, and imports whom it watches.
func (n *newsroom) opens(email, list string) {
	t := n.T
	t.Helper()
	n.account = &models.Account{Name: "Desk", Email: email, Plan: models.Enterprise}
	require.NoError(t, n.store.CreateAccount(t.Context(), n.account))
	n.OK("watchers", "import", list, "--account", n.account.ID)
	watched, err := n.store.Watchers(t.Context(), n.account.ID, models.Page{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, len(n.watched), watched.Total)
	n.mails.Store(email, n.mail)
}

// beside makes another newsroom of the same story, which watches the same people.
func (n *newsroom) beside(email string) *newsroom {
	n.T.Helper()
	other := *n
	other.silent, other.webhook, other.mail, other.feed = map[string]bool{}, newHeard(), newHeard(), newHeard()
	other.opens(email, n.place("names.csv"))
	other.endpoints()
	return &other
}

// list writes the people of the story as an advocate's list of names.
func (n *newsroom) list(most int) string {
	n.T.Helper()
	var text strings.Builder
	w := csv.NewWriter(&text)
	// At strict nobody but the people themselves is heard: the model knows events and not the matcher.
	require.NoError(n.T, w.Write([]string{"First", "Last", "County", "DOB", "Level", "Label"}))
	for _, j := range n.jails {
		for _, i := range j.inmates {
			if len(n.watched) == most {
				break
			}
			n.watched[j.slug+" "+i.last+", "+i.first] = true
			require.NoError(n.T, w.Write([]string{i.first, i.last, j.slug, i.born.Format(time.DateOnly), "strict", "week"}))
		}
	}
	w.Flush()
	require.Len(n.T, n.watched, most)
	return n.terminal.put("names.csv", text.String())
}

// endpoints registers a receiver of webhooks and an address that its owner confirmed.
func (n *newsroom) endpoints() {
	t := n.T
	t.Helper()
	secrets, err := n.app.Secrets(n.store)
	require.NoError(t, err)
	plain, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	hook, err := n.store.CreateWebhook(t.Context(), n.account.ID, &models.NewWebhook{URL: "https://" + plain.Addr().String(), Events: models.EventKinds()},
		secrets.Seal.Seal(notifier.NewSecret(), n.account.ID))
	require.NoError(t, err)
	n.hook = hook.ID
	hears := receiver.Start(tls.NewListener(plain, n.cert.Server()), &receiver.Account{Secrets: secrets, ID: n.account.ID, Accept: n.received}, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { _ = hears.Close() })
	h, err := n.store.CreateEmail(t.Context(), n.account.ID, &delivery.NewEmail{Address: n.account.Email, Events: models.EventKinds(), Digest: models.DigestNone})
	require.NoError(t, err)
	_, err = n.store.ConfirmEmail(t.Context(), h.ID, h.URL, h.CreatedAt)
	require.NoError(t, err)
	token, sha := pathtoken.New()
	_, err = n.store.CreateAtomSubscription(t.Context(), n.account.ID, "reader", sha)
	require.NoError(t, err)
	n.feedURL = pathtoken.Address(n.root+"/v1", token, "events.atom")
}

// received notes a webhook whose signatures hold.
func (n *newsroom) received(r notifier.Received) {
	var body struct {
		Record struct {
			Name   string
			County string
			Bond   *float64 `json:"bond_amount"`
		}
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		n.webhook.add(r.ID, "a body that cannot be read")
		return
	}
	w, err := n.store.Watcher(n.T.Context(), n.account.ID, r.AlertID)
	if err != nil {
		n.webhook.add(r.ID, "an alert that is not there")
		return
	}
	what := string(r.Event) + " " + w.Name
	if r.Event == models.EventBondChange && body.Record.Bond != nil {
		what += fmt.Sprintf(" $%.0f", *body.Record.Bond)
	}
	n.webhook.add(r.ID, what)
}

// heardKinds are the kinds of events by the words of titles.
var heardKinds = map[string]string{"Booked": "booking", "Released": "release", "Bond changed": "bond_change"}

// line reads an event from its title and text, as people read it in a mail or a feed.
func line(title, text string) string {
	what, _, _ := strings.Cut(title, ":")
	said := heardKinds[what] + " " + factOf(text, "You watch for")
	if bond, _, _ := strings.Cut(factOf(text, "Bond"), ", before: "); what == "Bond changed" && strings.HasPrefix(bond, "$") {
		said += " " + strings.ReplaceAll(strings.TrimSuffix(bond, ".00"), ",", "") // thousands
	}
	return said
}

// factOf is the value of a line such as "Bond: $500.00".
func factOf(text, name string) string {
	if found := regexp.MustCompile(`(?m)^` + name + `: (.*?)\r?$`).FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// send starts what sends, and returns what stops it.
func (n *newsroom) send() func() {
	n.T.Helper()
	d, err := n.app.StartDeliveries(n.T.Context(), n.URL, service.JobOptions{Authority: n.cert.Authority()})
	require.NoError(n.T, err)
	return sync.OnceFunc(d.Stop)
}

// readFeed reads the feed as a news reader does.
func (n *newsroom) readFeed() {
	n.T.Helper()
	request, err := http.NewRequestWithContext(n.T.Context(), http.MethodGet, n.feedURL, http.NoBody)
	require.NoError(n.T, err)
	answer, err := (&http.Client{Timeout: time.Minute}).Do(request)
	require.NoError(n.T, err)
	defer func() { _ = answer.Body.Close() }()
	require.Equal(n.T, http.StatusOK, answer.StatusCode)
	var feed struct {
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Content string `xml:"content"`
		} `xml:"entry"`
	}
	require.NoError(n.T, xml.NewDecoder(answer.Body).Decode(&feed))
	here := map[string]bool{}
	for _, e := range feed.Entries {
		require.False(n.T, here[e.ID], "%s twice in one feed", e.ID)
		here[e.ID] = true
		n.feed.mu.Lock()
		known := n.feed.times[e.ID] > 0 // a reader skips what it has
		n.feed.mu.Unlock()
		if !known {
			n.feed.add(e.ID, line(e.Title, e.Content))
		}
	}
}

// live lets an instant happen, and waits until each way has said what the model expects.
func (n *newsroom) live(at time.Time) {
	n.T.Helper()
	n.expect(n.happen(at)...)
	for way := range n.ways() {
		n.hears(way)
	}
}

// happen drops the files of an instant, reads and matches them, and returns the events of the model.
func (n *newsroom) happen(at time.Time) []string {
	n.T.Helper()
	n.now = at.Add(30 * time.Minute)
	seen := map[string]bool{}
	for _, j := range n.jails {
		if at.Before(morning(j.from)) {
			continue
		}
		if !seen[j.file] {
			seen[j.file] = true
			n.put(newDrop(n.of(j.slug), at))
			n.putOuts(j, at)
		}
		n.model.take(j, at, n.now, taken{})
	}
	n.read()
	_, err := n.matcher.Drain(n.T.Context())
	require.NoError(n.T, err)
	events := n.model.events
	n.model.events = nil
	return events
}

// hears waits until a way has said what is expected, and nothing else.
func (n *newsroom) hears(way string) {
	n.T.Helper()
	h := n.ways()[way]
	require.Eventually(n.T, func() bool {
		if way == "feed" {
			n.readFeed()
		}
		return len(h.all()) >= len(n.expected)
	}, time.Minute, 10*time.Millisecond, "%s at %s: %d are expected", way, n.now, len(n.expected))
	require.Empty(n.T, differences(n.expected, h.all()), "%s at %s", way, n.now)
}

// delivered looks at the log: each event has one delivery to the receiver and one to the mailbox, taken at the first attempt,
// and there is no other, so what is dismissed was not even made.
func (n *newsroom) delivered() {
	n.T.Helper()
	made := map[models.Way]int{}
	for p := (models.Page{Limit: models.MaxLimit}); ; {
		found, err := n.store.Deliveries(n.T.Context(), n.account.ID, models.DeliveryFilter{}, p)
		require.NoError(n.T, err)
		for _, d := range found.Deliveries {
			made[d.Way]++
			require.Equal(n.T, []any{models.DeliveryDelivered, 1, 1}, []any{d.State, d.Round, d.Attempts}, d.ID)
		}
		if !found.PageInfo.HasNextPage {
			break
		}
		p.After, err = found.PageInfo.End()
		require.NoError(n.T, err)
	}
	require.Equal(n.T, map[models.Way]int{models.ByWebhook: len(n.expected), models.ByEmail: len(n.expected)}, made)
}

// expect takes events of the model, "county kind LAST, FIRST $bond", whose person is watched.
func (n *newsroom) expect(events ...string) {
	for _, event := range events {
		county, rest, _ := strings.Cut(event, " ")
		kind, rest, _ := strings.Cut(rest, " ")
		name, bond, changed := strings.Cut(rest, " $")
		switch who := county + " " + name; {
		case !n.watched[who]:
			continue
		case n.silent[who]:
			n.hushed++
			continue
		}
		if changed {
			name += " $" + bond
		}
		n.expected = append(n.expected, kind+" "+name)
	}
}

// dismiss says of some hits that they are somebody else, of people to whom something will happen yet.
func (n *newsroom) dismiss() {
	t := n.T
	t.Helper()
	watchers, err := n.store.Watchers(t.Context(), n.account.ID, models.Page{Limit: 200})
	require.NoError(t, err)
	for _, w := range watchers.Watchers {
		hits, err := n.store.Hits(t.Context(), n.account.ID, w.ID, models.Page{Limit: 10})
		require.NoError(t, err)
		if len(hits) == 0 || len(n.silent) == 12 {
			continue
		}
		_, err = n.store.Feedback(t.Context(), n.account.ID, hits[0].ID, models.Dismiss)
		require.NoError(t, err)
		n.silent[w.County.Slug+" "+w.Name] = true
	}
	require.NotEmpty(t, n.silent, "%v", slices.Sorted(maps.Keys(n.watched))[:3])
}
