package mail_test

import (
	"context"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/mailbox"
	"rollcall/internal/public"
	"rollcall/internal/receiver"
	"rollcall/internal/signedlink"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/delivery"
	"rollcall/models/store"
	"rollcall/notifier"
	sender "rollcall/notifier/mail"
)

// office is an account with a watcher and e-mail endpoints, on a database and a clock of its own.
type office struct {
	*testing.T
	db      *testdb.DB
	store   *store.Store
	account string
	watcher string
	mu      sync.Mutex
	at      time.Time
}

func (o *office) now() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.at
}

func (o *office) add(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.at = o.at.Add(d)
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{T: t, db: testdb.New(t), at: time.Date(2026, 3, 10, 15, 20, 0, 0, time.UTC)}
	o.db.Add(t, testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN", DOB: "1981-02-03"}, testdb.Booking{ID: "fulton-2026-000002", Name: "MOONSAIL, WREN B"})
	var err error
	o.store, err = store.Open(t.Context(), o.db.URL, store.Options{Secret: []byte("test"), Now: o.now})
	require.NoError(t, err)
	t.Cleanup(o.store.Close)
	a := &models.Account{Name: "Desk", Email: "desk@example.org", Plan: models.Enterprise, RateLimit: models.DefaultRateLimit}
	require.NoError(t, o.store.CreateAccount(t.Context(), a))
	o.account = a.ID
	w, err := o.store.CreateWatcher(t.Context(), a.ID, &models.NewWatcher{Name: "Wren Moonsail"})
	require.NoError(t, err)
	o.watcher = w.ID
	return o
}

// email adds a confirmed address.
func (o *office) email(address string, digest models.Digest) *models.Webhook {
	o.Helper()
	h, err := o.store.CreateEmail(o.Context(), o.account, &delivery.NewEmail{Address: address, Events: models.EventKinds(), Digest: digest})
	require.NoError(o, err)
	h, err = o.store.ConfirmEmail(o.Context(), h.ID, h.URL, h.CreatedAt)
	require.NoError(o, err)
	return h
}

// happen makes an event of a record and lets the matcher deliver it to all endpoints, as the running service does.
func (o *office) happen(n int, record string) {
	o.Helper()
	_, err := o.db.Pool.Exec(o.Context(), `with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) values ('jail', $1, 1000) returning id
)
insert into changes (batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, dob, birth_year, booked_at, charges, bond_cents, old_bond_cents)
select batch.id, 'bond_change', $1, 'jail', b.rid, b.id, b.county_id, b.name, b.dob, b.birth_year, b.booked_at, b.charges, $2::bigint, $2::bigint - 1 from batch, bookings b where b.id = $3`,
		o.now(), n*100, record)
	require.NoError(o, err)
	standing := notifier.NewStanding(o.store, slog.New(slog.DiscardHandler))
	_, err = (&notifier.Matcher{Store: o.store, Standing: standing}).Drain(o.Context())
	require.NoError(o, err)
}

// mailer sends to a box.
func (o *office) mailer(box *mailbox.Box, change ...func(*sender.Mailer)) *sender.Mailer {
	o.Helper()
	server, err := sender.ParseServer(box.URL())
	require.NoError(o, err)
	links, err := signedlink.New(make([]byte, 32), "https://records.example")
	require.NoError(o, err)
	m := &sender.Mailer{
		Server: server, From: &mail.Address{Address: "alerts@example.org"}, Links: links, Log: slog.New(slog.DiscardHandler), Now: o.now,
		Fresh: func(context.Context, string) (models.Freshness, error) { return models.Freshness{}, nil },
	}
	for _, c := range change {
		c(m)
	}
	return m
}

// run runs a sender until the test ends or stop is called.
func (o *office) run(options notifier.SenderOptions) (stop func()) {
	o.Helper()
	if options.Store == nil {
		options.Store = o.store
	}
	options.Now, options.Log = o.now, slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithCancel(context.WithoutCancel(o.Context()))
	ended := make(chan struct{})
	go func() { defer close(ended); notifier.NewSender(options).Run(ctx) }()
	stop = func() { cancel(); <-ended }
	o.Cleanup(stop)
	return stop
}

// standing counts deliveries by state, and by reason where they were dropped.
func (o *office) standing() map[string]int {
	o.Helper()
	rows, err := o.db.Pool.Query(o.Context(), `select state || coalesce(' ' || reason, ''), count(*) from deliveries group by 1`)
	require.NoError(o, err)
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var state string
		var n int
		require.NoError(o, rows.Scan(&state, &n))
		out[state] = n
	}
	require.NoError(o, rows.Err())
	return out
}

// await waits until the deliveries stand so.
func (o *office) await(want map[string]int) {
	o.Helper()
	require.Eventually(o, func() bool { return fmt.Sprint(o.standing()) == fmt.Sprint(want) }, time.Minute, 10*time.Millisecond, "%v", want)
}

func open(t *testing.T, o mailbox.Options) *mailbox.Box {
	t.Helper()
	box, err := mailbox.Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, box.Close()) })
	return box
}

// Who reads mails must not take silence for good news: every new address hears of a source that became silent.
func TestAMailSaysThatASourceIsSilent(t *testing.T) {
	t.Parallel()
	for _, digest := range []models.Digest{models.DigestNone, models.DigestHour} {
		t.Run(string(digest), func(t *testing.T) {
			t.Parallel()
			o, box := newOffice(t), open(t, mailbox.Options{})
			o.email("ann@example.org", digest)
			o.run(notifier.SenderOptions{Mail: o.mailer(box)})
			o.happen(1, "fulton-2026-000001")
			o.silent(models.EventSourceStale)
			// The clock stands while a mail is on the wire: an hour would end its lease.
			hourly := digest == models.DigestHour
			if hourly {
				o.add(time.Hour)
			}
			o.await(map[string]int{"delivered": 2})
			o.silent(models.EventSourceRecovered)
			if hourly {
				o.add(time.Hour)
			}
			o.await(map[string]int{"delivered": 3})
			var all strings.Builder
			for _, m := range box.Mails() {
				all.WriteString(m.Subject() + m.Text)
				require.Contains(t, m.HTML, "No more mails")
				if digest == models.DigestNone && m.Subject() != "Bond changed: MOONSAIL, WREN, Fulton County" {
					require.NotContains(t, m.Text, "may be another person", "it is about nobody")
					require.NotContains(t, m.Text, "What is known now")
				}
			}
			require.Contains(t, all.String(), "No data from jail: alerts may be missed")
			require.Contains(t, all.String(), "Data is back: jail")
			require.Contains(t, all.String(), "someone may be booked or released there without an alert")
			require.Contains(t, all.String(), "Alerts that depend on it: 1")
		})
	}
}

// silent makes a notice about the only source and lets the matcher deliver it.
func (o *office) silent(kind models.EventKind) {
	o.Helper()
	_, err := o.db.Pool.Exec(o.Context(), `with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) values ('jail', $1, 0) returning id
)
insert into changes (batch_id, kind, detected_at, source_id) select id, $2, $1, 'jail' from batch`, o.now(), kind)
	require.NoError(o, err)
	standing := notifier.NewStanding(o.store, slog.New(slog.DiscardHandler))
	_, err = (&notifier.Matcher{Store: o.store, Standing: standing}).Drain(o.Context())
	require.NoError(o, err)
}

// A sender that dies between the server's answer and the record sends once more: at least once, with one Message-ID.
func TestAMailIsSentAgainWhenItsSenderDiesBeforeItIsRecorded(t *testing.T) {
	t.Parallel()
	for _, digest := range []models.Digest{models.DigestNone, models.DigestHour} {
		t.Run(string(digest), func(t *testing.T) {
			t.Parallel()
			o, box := newOffice(t), open(t, mailbox.Options{})
			o.email("ann@example.org", digest)
			o.happen(1, "fulton-2026-000001")
			o.add(time.Hour)
			// The first sender dies: it has sent, and its lease stands without a record.
			own, err := store.Open(t.Context(), o.db.URL, store.Options{Secret: []byte("test"), Now: o.now})
			require.NoError(t, err)
			died := &dying{Mailer: o.mailer(box), sent: make(chan struct{}), buried: make(chan struct{})}
			o.run(notifier.SenderOptions{Store: own, Mail: died})
			t.Cleanup(func() { close(died.buried) })
			<-died.sent
			own.Close()
			require.Len(t, box.Mails(), 1)
			require.Equal(t, map[string]int{"pending": 1}, o.standing(), "nothing is recorded")
			o.run(notifier.SenderOptions{Mail: o.mailer(box)})
			o.add(5 * time.Minute)
			o.await(map[string]int{"delivered": 1})
			mails := box.Mails()
			require.Len(t, mails, 2)
			require.Equal(t, mails[0].Header.Get("Message-ID"), mails[1].Header.Get("Message-ID"))
		})
	}
}

// dying sends, and its process does nothing more.
type dying struct {
	*sender.Mailer
	sent, buried chan struct{}
	once         sync.Once
}

func (d *dying) Send(ctx context.Context, all []*models.QueuedDelivery) (notifier.Attempt, error) {
	if _, err := d.Mailer.Send(ctx, all); err != nil {
		return notifier.Attempt{}, err
	}
	d.once.Do(func() { close(d.sent) })
	<-d.buried
	return notifier.Attempt{}, context.Canceled
}

// hook is a receiver of webhooks on this machine that is well.
type hook struct {
	url    string
	seal   *notifier.Sealer
	client *notifier.Client
}

func newHook(t *testing.T, h http.HandlerFunc) *hook {
	t.Helper()
	cert, err := receiver.NewCertificate(time.Now())
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(h)
	server.TLS = cert.Server()
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(cert.Authority())
	seal, err := notifier.NewSealer(make([]byte, 32))
	require.NoError(t, err)
	client := notifier.NewClient(notifier.ClientOptions{Guard: public.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), Version: "test", Roots: roots})
	t.Cleanup(client.Close)
	return &hook{url: server.URL + "/hook", seal: seal, client: client}
}

func TestAServerThatHangsHasADeadlineAndDelaysNoWebhook(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0") // it accepts and says nothing
	require.NoError(t, err)
	t.Cleanup(func() { close(hang); _ = l.Close() })
	var held []net.Conn
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			held = append(held, c)
		}
	}()
	o := newOffice(t)
	for i := range 40 {
		o.email(fmt.Sprintf("ann%d@example.org", i), models.DigestNone)
	}
	server, err := sender.ParseServer("smtp://" + l.Addr().String())
	require.NoError(t, err)
	server.Timeout = 300 * time.Millisecond
	m := o.mailer(open(t, mailbox.Options{}), func(m *sender.Mailer) { m.Server = server })

	var got atomic.Int64
	hook := newHook(t, func(w http.ResponseWriter, _ *http.Request) { got.Add(1); w.WriteHeader(http.StatusOK) })
	_, err = o.store.CreateWebhook(t.Context(), o.account, &models.NewWebhook{URL: hook.url, Events: models.EventKinds()}, hook.seal.Seal(notifier.NewSecret(), o.account))
	require.NoError(t, err)
	o.happen(1, "fulton-2026-000001")
	o.run(notifier.SenderOptions{Mail: m})
	o.run(notifier.SenderOptions{Client: hook.client, Seal: hook.seal})
	require.Eventually(t, func() bool { return got.Load() == 1 }, 5*time.Second, 5*time.Millisecond, "the webhook waits for no mail")
	o.await(map[string]int{"delivered": 1, "failed": 40})
	var why string
	require.NoError(t, o.db.Pool.QueryRow(t.Context(), `select distinct class || ': ' || error from attempts where error is not null`).Scan(&why))
	require.Equal(t, "timeout: the mail server did not answer in time", why)
}
