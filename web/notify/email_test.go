package notify_test

import (
	"net/http"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"rollcall/internal/mailbox"
	"rollcall/internal/service"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/delivery"
	sender "rollcall/notifier/mail"
)

// open starts a mail server that ends with the test.
func open(t *testing.T, o mailbox.Options) *mailbox.Box {
	t.Helper()
	box, err := mailbox.Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, box.Close()) })
	return box
}

// withMail is a site whose mails go to a box.
func withMail(t *testing.T, box *mailbox.Box) *site {
	t.Helper()
	return setup(t, func(c *service.Config) {
		var err error
		c.SMTP, err = sender.ParseServer(box.URL())
		require.NoError(t, err)
		c.MailFrom = &mail.Address{Name: "rollcall", Address: "alerts@example.org"}
	})
}

// send runs the senders of webhooks and mails until the test ends.
func (s *site) send() {
	s.Helper()
	d, err := s.app.StartDeliveries(s.Context(), s.db.URL, service.JobOptions{})
	require.NoError(s, err)
	s.Cleanup(d.Stop)
}

// mails waits until a box has n mails, and returns them, the newest first.
func (s *site) mails(box *mailbox.Box, n int) []*mailbox.Mail {
	s.Helper()
	require.Eventually(s, func() bool { return len(box.Mails()) >= n }, time.Minute, 10*time.Millisecond)
	require.Len(s, box.Mails(), n)
	return box.Mails()
}

// link returns the path of a link in a text.
func (s *site) link(text, purpose string) string {
	s.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(s.url) + `(/mail/` + purpose + `/[\w-]+)`).FindStringSubmatch(text)
	require.NotNil(s, found, "%s in %s", purpose, text)
	return found[1]
}

// subscribe adds an address and confirms it by the link in its mail, which must be the newest of n.
func (s *site) subscribe(box *mailbox.Box, address, digest string, n int) string {
	s.Helper()
	status, body := s.post("/settings/notify/email", "address", address, "digest", digest, "events", "booking", "events", "release", "events", "bond_change")
	require.Equal(s, http.StatusOK, status, body)
	path := s.link(s.mails(box, n)[0].Text, "confirm")
	status, body = s.postAs(stranger(), path)
	require.Equal(s, http.StatusOK, status, body)
	all, err := s.store.Emails(s.Context(), s.account.ID)
	require.NoError(s, err)
	require.Equal(s, models.WebhookActive, all[0].Status)
	return all[0].ID
}

// watched makes a watcher of the name that post books.
func (s *site) watched() string {
	s.Helper()
	w, err := s.store.CreateWatcher(s.Context(), s.account.ID, &models.NewWatcher{Name: "Wren Moonsail"})
	require.NoError(s, err)
	return w.ID
}

// deliver makes an event of the watcher about a record, and a delivery of it to an endpoint, due now, as matching does.
func (s *site) deliver(event, watcher, record, endpoint string) {
	s.Helper()
	now := time.Now().UTC()
	_, err := s.db.Pool.Exec(s.Context(), `with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) values ('jail', $5, 0) returning id
), change as (
  insert into changes (batch_id, kind, detected_at, matched_at, source_id, rid, record_id, county_id, name, dob, birth_year, booked_at, charges, bond_cents, old_bond_cents)
  select batch.id, 'bond_change', $5, $5, 'jail', b.rid, b.id, b.county_id, b.name, b.dob, b.birth_year, b.booked_at, b.charges, 125050, 98700 from batch, bookings b where b.id = $3 returning id, rid
), event as (
  insert into events (id, account_id, kind, change_id, watcher_id, rid, at, created_at)
  select $1, w.account_id, 'bond_change', change.id, w.id, change.rid, $5, $5 from change, watchers w where w.id = $2 returning *
)
insert into deliveries (id, account_id, webhook_id, way, event_id, message_id, watcher_id, kind, body, match, state, next_attempt, created_at, updated_at)
select 'dlv_' || e.id, e.account_id, $4, 'email', e.id, e.id, e.watcher_id, e.kind, convert_to(json_build_object('version', 2, 'id', e.id, 'event', e.kind,
  'timestamp', '2026-03-10T15:00:00Z', 'record', json_build_object('id', b.id, 'name', b.name, 'county', 'Fulton', 'booking_date', '2026-03-09T01:30:00-04:00',
  'charges', '["THEFT & <b>MORE</b>"]'::json, 'bond_amount', 1250.5, 'status', 'booked', 'release_date', null),
  'match', json_build_object('probability', 0.97, 'level', 'normal', 'reasons', '["surname agrees"]'::json))::text, 'UTF8'),
  '{"probability": 0.97, "level": "normal", "reasons": ["surname agrees"]}', 'pending', $5, $5, $5
from event e join bookings b on b.rid = e.rid`, event, watcher, record, endpoint, now)
	require.NoError(s, err)
}

// await waits until a delivery is in a state and returns it with its newest attempt.
func (s *site) await(id string, state models.DeliveryState) (*models.Delivery, *models.Attempt) {
	s.Helper()
	var d *models.Delivery
	require.Eventually(s, func() bool {
		var err error
		d, err = s.store.Delivery(s.Context(), s.account.ID, id)
		require.NoError(s, err)
		return d.State == state
	}, time.Minute, 10*time.Millisecond)
	all, err := s.store.AttemptsOf(s.Context(), []string{id})
	require.NoError(s, err)
	if len(all[id]) == 0 {
		return d, nil
	}
	return d, all[id][len(all[id])-1]
}

func TestAnAddressIsSentNothingUntilItsOwnerConfirms(t *testing.T) {
	t.Parallel()
	box := open(t, mailbox.Options{})
	s := withMail(t, box)
	s.send()
	for _, bad := range []string{"", "desk", "desk@localhost", "a@b.c, d@e.f", "Desk <desk@example.org>", "desk@example.org\r\nBcc: x@example.org", "dësk@example.org"} {
		status, body := s.post("/settings/notify/email", "address", bad, "events", "booking")
		require.Equal(t, http.StatusUnprocessableEntity, status, bad)
		require.Contains(t, body, "an e-mail address like desk@example.org")
	}
	status, body := s.post("/settings/notify/email", "address", "ann@example.org", "events", "booking")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "until its owner confirms")
	require.Contains(t, body, `<span class="chip warn">waiting for confirmation</span>`)
	require.NotContains(t, body, "disabled</span>", "nothing is wrong with it")
	asked := s.mails(box, 1)[0]
	require.Equal(t, "ann@example.org", asked.To)
	require.Contains(t, asked.Text, "Desk wants rollcall to send alerts")

	all, err := s.store.Emails(t.Context(), s.account.ID)
	require.NoError(t, err)
	require.Len(t, all, 1)
	hooks, err := s.store.Webhooks(t.Context(), s.account.ID, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Zero(t, hooks.Total, "/v1/webhooks lists webhooks only")
	status, body = s.post("/settings/notify/email/" + all[0].ID + "/test")
	require.Equal(t, http.StatusUnprocessableEntity, status, body)
	for _, again := range []string{"/settings/notify/email/" + all[0].ID + "/ask", "/settings/notify/email/" + all[0].ID + "/delete"} {
		_, body = s.post(again)
	}
	require.Contains(t, body, "was deleted")
	_, body = s.post("/settings/notify/email", "address", "ann@example.org", "events", "booking")
	require.Contains(t, body, "within the last hour", "adding again is no way to send mail without end")
	status, body = s.postAs(stranger(), s.link(asked.Text, "confirm"))
	require.Equal(t, http.StatusNotFound, status, body)
	s.mails(box, 1)

	id := s.subscribe(box, "ben@example.org", "none", 2)
	status, body = s.get(s.link(box.Mails()[0].Text, "confirm"))
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "Each e-mail has a link to stop them")
	_, err = s.store.SuspendAccount(t.Context(), s.account.ID, "unpaid")
	require.NoError(t, err)
	_, body = s.get(s.link(box.Mails()[0].Text, "confirm"))
	require.Contains(t, body, "The account that added it is suspended")
	require.NotContains(t, body, "Alerts are sent")
	_, err = s.store.ResumeAccount(t.Context(), s.account.ID)
	require.NoError(t, err)
	status, body = s.post("/settings/notify/email/" + id + "/test")
	require.Equal(t, http.StatusOK, status, body)
	require.Contains(t, body, "<p><bdi>Booked into the jail of Example County on ", "the page of the delivery has the words of the mail")
	require.NotContains(t, body, "&#34;version&#34;")
	require.Contains(t, s.mails(box, 3)[0].Subject(), "Test: ")
}

func TestWhatAnAddressMissedBeforeItWasConfirmedIsNamedSo(t *testing.T) {
	t.Parallel()
	box := open(t, mailbox.Options{})
	s := withMail(t, box)
	s.book("fulton-2026-000001", "MOONSAIL, WREN")
	s.send()
	w := s.watched()
	_, body := s.post("/settings/notify/email", "address", "ann@example.org", "events", "bond_change")
	require.Contains(t, body, "waiting for confirmation")
	all, err := s.store.Emails(t.Context(), s.account.ID)
	require.NoError(t, err)
	s.deliver("evt_1", w, "fulton-2026-000001", all[0].ID)
	d, _ := s.await("dlv_evt_1", models.DeliveryDropped)
	require.Equal(t, models.DropDisabled, *d.Reason, "programs read the code that they know")
	missed := func() {
		_, list := s.get("/deliveries")
		require.Contains(t, list, "dropped: not confirmed")
		require.Contains(t, list, "never tried")
		_, page := s.get("/deliveries/dlv_evt_1")
		require.Contains(t, page, "It was dropped before the first attempt: the address was not confirmed yet.")
		require.NotContains(t, list+page, "the endpoint was disabled")
	}
	missed()
	_, body = s.postAs(stranger(), s.link(s.mails(box, 1)[0].Text, "confirm"))
	require.Contains(t, body, "Alerts are now sent to")
	missed()
}

func TestAMailSaysWhatHappenedAndEndsByOneClick(t *testing.T) {
	t.Parallel()
	box := open(t, mailbox.Options{})
	s := withMail(t, box)
	s.book("fulton-2026-000001", "MOONSAIL, WREN\r\nBcc: all@example.org =?utf-8?q?x?=")
	s.send()
	w, id := s.watched(), s.subscribe(box, "ann@example.org", "none", 1)
	s.deliver("evt_1", w, "fulton-2026-000001", id)
	d, a := s.await("dlv_evt_1", models.DeliveryDelivered)
	require.Equal(t, 250, *a.Status)
	require.Equal(t, 1, d.Attempts)
	m := s.mails(box, 2)[0]
	require.Equal(t, "Bond changed: MOONSAIL, WREN Bcc: all@example.org = ?utf-8?q?x?=, Fulton County", m.Subject(), "a name is text in one line")
	require.NotContains(t, strings.ToLower(m.Raw), "\r\nbcc:")
	require.NotContains(t, m.Subject(), "THEFT")
	require.NotRegexp(t, "1250|987|1981", m.Subject())
	for _, text := range []string{"THEFT & <b>MORE</b>", "Born: Feb 3, 1981", "Bond: $1,250.50, before: $987", "You watch for: Wren Moonsail", "Why it matched: surname agrees", "Fulton County was last read on", "Call the jail"} {
		require.Contains(t, m.Text, text)
	}
	require.Contains(t, m.HTML, "THEFT &amp; &lt;b&gt;MORE&lt;/b&gt;")
	require.Equal(t, "List-Unsubscribe=One-Click", m.Header.Get("List-Unsubscribe-Post"))
	require.Equal(t, "auto-generated", m.Header.Get("Auto-Submitted"))
	require.Contains(t, m.Header.Get("Message-ID"), "evt_1.")

	path := s.link(m.Header.Get("List-Unsubscribe"), "unsubscribe")
	status, body := s.get(path)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "Unsubscribe")
	h, err := s.store.Email(t.Context(), s.account.ID, id)
	require.NoError(t, err)
	require.Equal(t, models.WebhookActive, h.Status, "programs that scan mails open links")
	status, body = s.postAs(stranger(), path, "List-Unsubscribe", "One-Click")
	require.Equal(t, http.StatusOK, status, body)
	h, err = s.store.Email(t.Context(), s.account.ID, id)
	require.NoError(t, err)
	require.Equal(t, delivery.Unsubscribed, *h.DisabledReason)
	s.deliver("evt_2", w, "fulton-2026-000001", id)
	d, _ = s.await("dlv_evt_2", models.DeliveryDropped)
	require.Equal(t, models.DropDisabled, *d.Reason)
	_, body = s.get("/settings/notify")
	require.Contains(t, body, delivery.Unsubscribed)
	_, body = s.get("/deliveries/dlv_evt_2")
	require.Contains(t, body, "the recipient unsubscribed, or mail to the address kept failing")
	s.mails(box, 2)
}

// book stores a booking of that name.
func (s *site) book(id, name string) {
	s.Helper()
	s.db.Add(s, testdb.Booking{ID: id, Name: name, DOB: "1981-02-03", BondCents: 55000})
}

func TestTheLinkToAHitShowsWhatIsKnownNowAndNothingWithheld(t *testing.T) {
	t.Parallel()
	box := open(t, mailbox.Options{})
	s := withMail(t, box)
	s.book("fulton-2026-000001", "MOONSAIL, WREN")
	s.send()
	w, id := s.watched(), s.subscribe(box, "ann@example.org", "none", 1)
	s.deliver("evt_1", w, "fulton-2026-000001", id)
	path := s.link(s.mails(box, 2)[0].Text, "hit")
	status, body := s.do(stranger(), s.request(path))
	require.Equal(t, http.StatusOK, status, "nobody has to sign in")
	require.Contains(t, body, "MOONSAIL, WREN")
	require.Contains(t, body, "in custody")
	reported, now, _ := strings.Cut(body, "What is known now")
	require.Contains(t, reported, `<span title="MOONSAIL, WREN">Moonsail, Wren</span>`)
	require.Contains(t, reported, "<dt>Born</dt><dd>Feb 3, 1981</dd>", "a namesake is told apart")
	require.Contains(t, reported, "<dt>Bond</dt><dd>$1,250.50, before: $987</dd>")
	require.Contains(t, now, "<dt>Born</dt><dd>Feb 3, 1981</dd>")
	require.Contains(t, now, "<dt>Bond</dt><dd>$550</dd>")
	_, err := s.db.Pool.Exec(t.Context(), `update bookings set dob = null, birth_year = 1982 where id = 'fulton-2026-000001'`)
	require.NoError(t, err)
	_, body = s.do(stranger(), s.request(path))
	require.Contains(t, body, "<dt>Born</dt><dd>1982</dd>", "what the jail states by now")
	status, _ = s.do(stranger(), s.request(path+"x"))
	require.Equal(t, http.StatusNotFound, status)
	status, _ = s.do(stranger(), s.request(strings.Replace(path, "/hit/", "/unsubscribe/", 1)))
	require.Equal(t, http.StatusNotFound, status, "a token is for one purpose")
	_, err = s.store.Restrict(t.Context(), "fulton-2026-000001", "ann", "an order of the court")
	require.NoError(t, err)
	_, body = s.do(stranger(), s.request(path))
	require.NotRegexp(t, "MOONSAIL|198[12]", body)
	require.Contains(t, body, "no longer shown")
}

// stranger is a browser without a session.
func stranger() *http.Client { return &http.Client{Timeout: time.Minute} }

// request is a GET without the session.
func (s *site) request(path string) *http.Request {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), http.MethodGet, s.url+path, http.NoBody)
	require.NoError(s, err)
	return r
}

func TestAnAddressThatBouncesIsDisabledAndTheOwnerSeesWhy(t *testing.T) {
	t.Parallel()
	refuse := make(chan struct{})
	box := open(t, mailbox.Options{Rcpt: func(string) error {
		select {
		case <-refuse:
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user here"}
		default:
			return nil
		}
	}})
	s := withMail(t, box)
	s.book("fulton-2026-000001", "MOONSAIL, WREN")
	s.send()
	w, id := s.watched(), s.subscribe(box, "ann@example.org", "none", 1)
	close(refuse)
	for _, event := range []string{"evt_1", "evt_2", "evt_3"} {
		h, err := s.store.Email(t.Context(), s.account.ID, id)
		require.NoError(t, err)
		require.Equal(t, models.WebhookActive, h.Status)
		s.deliver(event, w, "fulton-2026-000001", id)
		d, a := s.await("dlv_"+event, models.DeliveryDropped)
		require.Equal(t, models.DropBounced, *d.Reason)
		require.Equal(t, 1, d.Attempts, "a bounce is not tried again")
		require.Equal(t, 550, *a.Status)
		require.Contains(t, *a.Answer, "no such user here")
		_, err = s.db.Pool.Exec(t.Context(), `update webhooks set failing_since = failing_since - interval '13 hours'`)
		require.NoError(t, err)
	}
	_, body := s.get("/settings/notify")
	require.Contains(t, body, "mail server refused the last mails for good")
	_, err := s.store.Redeliver(t.Context(), s.account.ID, "dlv_evt_1")
	require.Equal(t, models.CodeConflict, models.CodeOf(err), "nothing is sent to a disabled address")
}

func TestADeliveryByMailIsSentAgainOnRequestAndNeverOfAWithheldRecord(t *testing.T) {
	t.Parallel()
	box := open(t, mailbox.Options{})
	s := withMail(t, box)
	s.book("fulton-2026-000001", "MOONSAIL, WREN")
	s.send()
	w, id := s.watched(), s.subscribe(box, "ann@example.org", "none", 1)
	s.deliver("evt_1", w, "fulton-2026-000001", id)
	s.await("dlv_evt_1", models.DeliveryDelivered)
	first := s.mails(box, 2)[0]
	_, err := s.store.Redeliver(t.Context(), s.account.ID, "dlv_evt_1")
	require.NoError(t, err)
	again := s.mails(box, 3)[0]
	require.Equal(t, first.Header.Get("Message-ID"), again.Header.Get("Message-ID"), "a mailbox knows a repetition")
	require.Equal(t, first.Subject(), again.Subject())
	s.await("dlv_evt_1", models.DeliveryDelivered)
	_, err = s.store.Restrict(t.Context(), "fulton-2026-000001", "ann", "an order of the court")
	require.NoError(t, err)
	_, err = s.store.Redeliver(t.Context(), s.account.ID, "dlv_evt_1")
	require.Equal(t, models.CodeConflict, models.CodeOf(err))
	s.mails(box, 3)
}

func TestWithoutAMailServerThePageSaysSo(t *testing.T) {
	t.Parallel()
	s := setup(t)
	_, body := s.get("/settings/notify")
	require.Contains(t, body, "This service sends no e-mail")
	status, body := s.post("/settings/notify/email", "address", "ann@example.org", "events", "booking")
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, body, "ROLLCALL_SMTP_URL")
}
