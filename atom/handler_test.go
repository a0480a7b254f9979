package atom_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"rollcall/atom"
	"rollcall/auth"
	"rollcall/internal/pathtoken"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/account"
	"rollcall/models/store"
	"rollcall/notifier"
	"rollcall/rest"
)

// bundle is a served feed of an account that watches two people.
type bundle struct {
	*testing.T
	db      *testdb.DB
	store   *store.Store
	account *models.Account
	now     time.Time
	url     string
	feed    *account.AtomSubscription
	path    string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{T: t, db: testdb.New(t), now: time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)}
	b.db.Add(t, testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, <b>WREN\x01", DOB: "1981-02-03", Charges: []string{"THEFT & ]]>"}}, testdb.Booking{ID: "fulton-2026-000002", Name: "QUILLFEATHER, MARLOWE", BirthYear: 1977})
	now := func() time.Time { return b.now }
	var err error
	b.store, err = store.Open(t.Context(), b.db.URL, store.Options{Now: now})
	require.NoError(t, err)
	t.Cleanup(b.store.Close)
	b.account = &models.Account{Name: "Desk", Email: "desk@example.org", Plan: models.Enterprise, RateLimit: 30}
	require.NoError(t, b.store.CreateAccount(t.Context(), b.account))
	log, limiter := slog.New(slog.DiscardHandler), auth.NewLocalLimiter(now)
	reject := rest.NewReject(log)
	guard := &auth.Guard{Limiter: limiter, Meter: auth.NewMeter(b.store, limiter, log, now), Flood: auth.NewFlood(now), Log: log, Reject: auth.Reject(reject)}
	r := chi.NewRouter()
	r.Use(rest.RequestID)
	r.Handle(atom.Pattern, &atom.Handler{Store: b.store, Gate: guard, Root: "https://records.example", Reject: reject})
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	b.url = server.URL
	token, sha := pathtoken.New()
	b.feed, err = b.store.CreateAtomSubscription(t.Context(), b.account.ID, " Desk ", sha)
	require.NoError(t, err)
	address, err := url.Parse(pathtoken.Address("https://records.example/v1", token, atom.File))
	require.NoError(t, err)
	b.path = address.Path
	return b
}

// watch makes a watcher.
func (b *bundle) watch(name string) string {
	b.Helper()
	w, err := b.store.CreateWatcher(b.Context(), b.account.ID, &models.NewWatcher{Name: name})
	require.NoError(b, err)
	return w.ID
}

// event stores an event of a watcher and a record, with its hit, as matching does.
func (b *bundle) event(id, watcher, record string, kind models.EventKind) {
	b.Helper()
	b.now = b.now.Add(time.Minute)
	_, err := b.db.Pool.Exec(b.Context(), `with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) values ('jail', $5, 0) returning id
), change as (
  insert into changes (batch_id, kind, detected_at, matched_at, source_id, rid, record_id, county_id, name, dob, birth_year, booked_at, charges, bond_cents, old_bond_cents)
  select batch.id, $4, $5, $5, 'jail', b.rid, b.id, b.county_id, b.name, b.dob, b.birth_year, b.booked_at, b.charges, 125050, case $4 when 'bond_change' then 98700 end from batch, bookings b where b.id = $3 returning id, rid
), hit as (
  insert into hits (id, account_id, watcher_id, rid, probability, reasons, at)
  select 'hit_' || $1::text, w.account_id, w.id, change.rid, 0.9, '{"surname agrees"}', $5 from change, watchers w where w.id = $2
  on conflict (watcher_id, rid) do update set at = excluded.at returning id
)
insert into events (id, account_id, kind, change_id, watcher_id, rid, hit_id, level, probability, reasons, at, created_at)
select $1, w.account_id, $4, change.id, w.id, change.rid, hit.id, w.level, 0.9, '{"surname agrees"}', $5, $5 from change, hit, watchers w where w.id = $2`,
		id, watcher, record, kind, b.now)
	require.NoError(b, err)
}

type reply struct {
	status int
	head   http.Header
	body   string
}

func (b *bundle) get(path string, headers ...string) reply {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, b.url+path, http.NoBody)
	require.NoError(b, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := (&http.Client{Timeout: time.Minute}).Do(req)
	require.NoError(b, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(b, err)
	return reply{res.StatusCode, res.Header, string(body)}
}

// entries returns what a reader of feeds gets of one.
func (b *bundle) entries(body string) (ids, titles []string) {
	b.Helper()
	var f struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Entries []struct {
			ID    string `xml:"id"`
			Title string `xml:"title"`
		} `xml:"entry"`
	}
	require.NoError(b, xml.Unmarshal([]byte(body), &f))
	for _, e := range f.Entries {
		ids, titles = append(ids, e.ID), append(titles, e.Title)
	}
	return ids, titles
}

func TestAFeedShowsTheNewestEventsInWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	got := b.get(b.path)
	require.Equal(t, http.StatusOK, got.status, got.body)
	ids, _ := b.entries(got.body)
	require.Empty(t, ids, "an account without events has an empty feed")

	w := b.watch("Wren Moonsail")
	b.event("evt_1", w, "fulton-2026-000001", models.EventBooking)
	b.event("evt_2", w, "fulton-2026-000001", models.EventRelease)
	got = b.get(b.path)
	require.Equal(t, atom.ContentType, got.head.Get("Content-Type"))
	require.Equal(t, "private, no-store", got.head.Get("Cache-Control"))
	require.Equal(t, "no-referrer", got.head.Get("Referrer-Policy"))
	ids, titles := b.entries(got.body)
	require.Equal(t, []string{"urn:rollcall:event:evt_2", "urn:rollcall:event:evt_1"}, ids)
	require.Equal(t, []string{"Released: MOONSAIL, <b>WREN, Fulton County", "Booked: MOONSAIL, <b>WREN, Fulton County"}, titles, "a name is text, not markup")
	require.NotContains(t, got.body, "<b>")
	for _, text := range []string{"THEFT &amp; ]]&gt;", "Bond: $1,250.50&#xA;", "Born: Feb 3, 1981&#xA;", "You watch for: Wren Moonsail", "Why it matched: surname agrees", "Call the jail", "https://records.example/roster/fulton-2026-000001"} {
		require.Contains(t, got.body, text)
	}

	tag := got.head.Get("ETag")
	require.NotEmpty(t, tag)
	require.Equal(t, http.StatusNotModified, b.get(b.path, "If-None-Match", `W/`+tag).status)
	b.event("evt_3", w, "fulton-2026-000001", models.EventBondChange)
	b.event("evt_4", b.watch("Marlowe Quillfeather"), "fulton-2026-000002", models.EventBooking)
	got = b.get(b.path, "If-None-Match", tag)
	require.Equal(t, http.StatusOK, got.status)
	require.Contains(t, got.body, "Bond: $1,250.50, before: $987&#xA;", "what the bond was stands beside what it is")
	require.Contains(t, got.body, "Born: 1977&#xA;", "a year alone")
	_, titles = b.entries(got.body)
	require.NotRegexp(t, "19(77|81)|1,250|987", strings.Join(titles, " "), "a title says neither")
}

var nextPage = regexp.MustCompile(`<link rel="next" href="([^"]+)">`)

// An hour of many alerts is longer than a page: a reader that follows the links has each event once.
func TestAFeedLeadsToOlderEvents(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.watch("Wren Moonsail")
	var want []string
	for i := range 230 {
		id := fmt.Sprintf("evt_%03d", i)
		b.event(id, w, "fulton-2026-000001", models.EventBondChange)
		want = append([]string{"urn:rollcall:event:" + id}, want...)
	}
	var seen []string
	pages := 0
	for at := ""; pages < 5; pages++ {
		body := b.get(b.path + at).body
		require.NotContains(t, body, strings.Split(b.path, "/")[2], "the token stands nowhere in the document")
		ids, _ := b.entries(body)
		seen = append(seen, ids...)
		next := nextPage.FindStringSubmatch(body)
		if next == nil {
			break
		}
		at = next[1]
	}
	require.Equal(t, want, seen)
	require.Equal(t, 2, pages, "the third page has no next one")
	got := b.get(b.path + "?before=evt_of_somebody_else")
	require.Equal(t, http.StatusOK, got.status)
	ids, _ := b.entries(got.body)
	require.Empty(t, ids)
}

// A source that became silent is in the feed of everybody whom it concerns, and no endpoint has to ask for it.
func TestAFeedSaysThatASourceIsSilent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.event("evt_1", b.watch("Wren Moonsail"), "fulton-2026-000001", models.EventBooking)
	standing := notifier.NewStanding(b.store, slog.New(slog.DiscardHandler))
	for _, kind := range []models.EventKind{models.EventSourceStale, models.EventSourceRecovered} {
		b.now = b.now.Add(time.Hour)
		_, err := b.db.Pool.Exec(t.Context(), `with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) values ('jail', $1, 0) returning id
)
insert into changes (batch_id, kind, detected_at, source_id) select id, $2, $1, 'jail' from batch`, b.now, kind)
		require.NoError(t, err)
		_, err = (&notifier.Matcher{Store: b.store, Standing: standing}).Drain(t.Context())
		require.NoError(t, err)
	}
	body := b.get(b.path).body
	ids, titles := b.entries(body)
	require.Len(t, ids, 3)
	require.Contains(t, titles[0], "Data is back: ")
	require.Contains(t, titles[1], "No data from ")
	require.Equal(t, "urn:rollcall:event:evt_1", ids[2])
	require.Contains(t, body, "someone may be booked or released there without an alert")
}

func TestAFeedHidesWhatAWebhookIsNotSentAnyMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wren, marlowe, other := b.watch("Wren Moonsail"), b.watch("Marlowe Quillfeather"), b.watch("Marlow Quillfeather")
	b.event("evt_1", wren, "fulton-2026-000001", models.EventBooking)
	b.event("evt_2", marlowe, "fulton-2026-000002", models.EventBooking)
	b.event("evt_3", other, "fulton-2026-000002", models.EventBooking)
	ids := func() []string {
		got, _ := b.entries(b.get(b.path).body)
		return got
	}
	require.Equal(t, []string{"urn:rollcall:event:evt_3", "urn:rollcall:event:evt_2", "urn:rollcall:event:evt_1"}, ids())
	require.NoError(t, b.store.DeleteWatcher(t.Context(), b.account.ID, other))
	require.Equal(t, []string{"urn:rollcall:event:evt_2", "urn:rollcall:event:evt_1"}, ids(), "a watcher is deleted")
	_, err := b.store.Feedback(t.Context(), b.account.ID, "hit_evt_2", models.Dismiss)
	require.NoError(t, err)
	require.Equal(t, []string{"urn:rollcall:event:evt_1"}, ids(), "a person is dismissed")
	before := b.get(b.path)
	_, err = b.store.Restrict(t.Context(), "fulton-2026-000001", "ann", "an order of the court")
	require.NoError(t, err)
	after := b.get(b.path, "If-None-Match", before.head.Get("ETag"))
	require.Equal(t, http.StatusOK, after.status, "what a reader has is not the present any more")
	require.NotContains(t, after.body, "MOONSAIL", "a record is withheld")
	require.NotContains(t, after.body, "evt_1")
}

func TestAFeedEndsWithItsTokenItsPlanAndTheLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	unknown := b.get("/feeds/rcf_AAAAAAAAAAAAAAAAAAAAAAAAAA/events.atom")
	require.Equal(t, http.StatusNotFound, unknown.status)
	require.Equal(t, http.StatusNotFound, b.get("/feeds/x/events.atom").status)
	_, err := b.db.Pool.Exec(t.Context(), `update accounts set plan = 'pro'`)
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, b.get(b.path).status)
	_, err = b.db.Pool.Exec(t.Context(), `update accounts set plan = 'enterprise'`)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, b.get(b.path).status)
	require.Equal(t, "Desk", b.feed.Label)
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.store.RevokeAtomSubscription(t.Context(), "acc_other", b.feed.ID)))
	require.NoError(t, b.store.RevokeAtomSubscription(t.Context(), b.account.ID, b.feed.ID))
	ended := b.get(b.path)
	require.Equal(t, http.StatusNotFound, ended.status)
	require.Contains(t, ended.body, "subscription not found", "as one that never was")
	feeds, err := b.store.AtomSubscriptions(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.Len(t, feeds, 1)
	require.NotNil(t, feeds[0].RevokedAt)

	token, sha := pathtoken.New()
	_, err = b.store.CreateAtomSubscription(t.Context(), b.account.ID, "", sha)
	require.NoError(t, err)
	for range 40 {
		if got := b.get("/feeds/" + token + "/events.atom"); got.status == http.StatusTooManyRequests {
			return
		}
	}
	t.Fatal("a feed counts in the limit of its account")
}
