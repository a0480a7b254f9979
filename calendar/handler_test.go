package calendar_test

import (
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/calendar"
	"rollcall/internal/pathtoken"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/models/store"
	"rollcall/rest"
)

// bundle is a served /feeds/ on a database of its own, with an account that may ask six times a minute.
type bundle struct {
	*testing.T
	db      *testdb.DB
	store   *store.Store
	account *models.Account
	now     time.Time
	url     string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{T: t, db: testdb.New(t), now: time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)}
	b.db.Add(t)
	now := func() time.Time { return b.now }
	var err error
	b.store, err = store.Open(t.Context(), b.db.URL, store.Options{Now: now})
	require.NoError(t, err)
	t.Cleanup(b.store.Close)
	b.account = &models.Account{Name: "Desk", Email: "desk@example.org", Plan: models.Enterprise, RateLimit: 6}
	require.NoError(t, b.store.CreateAccount(t.Context(), b.account))
	log := slog.New(slog.DiscardHandler)
	limiter := auth.NewLocalLimiter(now)
	reject := rest.NewReject(log)
	guard := &auth.Guard{Limiter: limiter, Meter: auth.NewMeter(b.store, limiter, log, now), Flood: auth.NewFlood(now), Log: log, Reject: auth.Reject(reject)}
	r := chi.NewRouter()
	r.Use(rest.RequestID)
	r.Handle(calendar.Pattern, &calendar.Handler{Store: b.store, Gate: guard, Reject: reject})
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

// tell runs what a court says of the case through the ordinary pipeline.
func (b *bundle) tell(status string, hearings ...snapshot.HearingFacts) {
	b.Helper()
	b.now = b.now.Add(time.Hour)
	run, err := b.store.BeginRun(b.Context(), testdb.Court, b.now)
	require.NoError(b, err)
	fulton, err := b.store.Counties().BySlug("fulton")
	require.NoError(b, err)
	row := &snapshot.CourtRow{
		CaseKey: snapshot.CaseKey{CountyID: fulton.ID, CourtType: "state", Number: "26-CR-1", Party: "1"}, Whole: true, Hearings: hearings, SeenAt: b.now, Line: 1, Fingerprint: []byte(b.now.String()),
		Case: &snapshot.CaseFacts{Defendant: "DOE, JANE", Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: "pending", Withheld: models.WithheldReason(status)},
	}
	_, _, err = b.store.ReconcileCourts(b.Context(), snapshot.Reconciler{
		Header: snapshot.Header{SourceID: testdb.Court, RunID: run, At: b.now, Now: b.now},
		Prove:  func(int) snapshot.Completeness { return snapshot.Completeness{} }, Exempt: func() snapshot.Exempt { return snapshot.Exempt{} },
	}, one(row))
	require.NoError(b, err)
}

func one[T any](v T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) { yield(v, nil) }
}

func hearing(event string, day int, clock string) snapshot.HearingFacts {
	h := snapshot.HearingFacts{Event: event, Date: models.Date{Year: 2026, Month: 4, Day: day}, Time: clock}
	at, _ := time.Parse("15:04", clock)
	h.StartsAt = time.Date(2026, 4, day, at.Hour(), at.Minute(), 0, 0, models.Georgia)
	return h
}

// feed makes a calendar of the case and gives its id and path.
func (b *bundle) feed() (id, path string) {
	b.Helper()
	c, err := b.store.OneCourtCase(b.Context(), "26-CR-1", nil)
	require.NoError(b, err)
	token, sha := pathtoken.New()
	f, err := b.store.CreateCalendarSubscription(b.Context(), b.account.ID, c, "Desk", sha)
	require.NoError(b, err)
	address, err := url.Parse(pathtoken.Address("https://records.example/v1", token, calendar.File))
	require.NoError(b, err)
	return f.ID, address.Path
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

func TestACalendarFollowsItsCase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.tell("", hearing("7", 1, "09:30"), hearing("8", 2, ""))
	_, path := b.feed()
	first := b.get(path)
	require.Equal(t, http.StatusOK, first.status, first.body)
	require.Equal(t, "text/calendar; charset=utf-8", first.head.Get("Content-Type"))
	require.Equal(t, testdb.Fetched, first.head.Get("X-Data-As-Of"), "the lag is marked")
	require.Contains(t, first.body, "SEQUENCE:0\r\nDTSTART;TZID=America/New_York:20260401T093000\r\n")
	require.Contains(t, first.body, "DTSTART;VALUE=DATE:20260402\r\n")
	require.Equal(t, http.StatusNotModified, b.get(path, "If-None-Match", first.head.Get("ETag")).status)

	b.tell("", hearing("7", 3, "14:00"))
	moved := b.get(path, "If-None-Match", first.head.Get("ETag"))
	require.Equal(t, http.StatusOK, moved.status)
	require.Contains(t, moved.body, "SEQUENCE:1\r\nDTSTART;TZID=America/New_York:20260403T140000\r\n")
	require.Contains(t, moved.body, "SEQUENCE:1\r\nDTSTART;VALUE=DATE:20260402\r\nSUMMARY:Cancelled: Hearing\\, 26-CR-1\r\nSTATUS:CANCELLED\r\n", "who had it learns that the court took it back")

	c, err := b.store.OneCourtCase(t.Context(), "26-CR-1", nil)
	require.NoError(t, err)
	_, err = b.store.Restrict(t.Context(), c.ID(), "desk", "order of 3 March")
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, b.get(path).status, "a sealed case vanishes")
	require.NoError(t, b.store.Review(t.Context(), c.ID(), models.ReviewLifted, "desk", "the order was taken back"))
	require.Equal(t, http.StatusOK, b.get(path).status)
}

func TestOnlyALiveTokenOpensACalendar(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.tell("", hearing("7", 1, "09:30"))
	id, path := b.feed()
	_, other := b.feed()
	require.Equal(t, http.StatusOK, b.get(path).status)
	notFound := b.get("/feeds/rcf_AAAAAAAAAAAAAAAAAAAAAAAAAA/hearings.ics")
	require.Equal(t, http.StatusNotFound, notFound.status)
	require.Equal(t, http.StatusNotFound, b.get("/feeds/x/hearings.ics").status)

	require.Error(t, b.store.RevokeCalendarSubscription(t.Context(), "acct_other", id))
	require.Equal(t, http.StatusOK, b.get(path).status, "another account cannot revoke it")
	require.NoError(t, b.store.RevokeCalendarSubscription(t.Context(), b.account.ID, id))
	require.Equal(t, notFound.body, b.get(path).body, "nothing tells a revoked token from one that never was")
	require.Equal(t, http.StatusOK, b.get(other).status)
	feeds, err := b.store.CalendarSubscriptions(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.Len(t, feeds, 2)

	var stored int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select count(*) from calendar_subscriptions f where f::text like '%' || $1 || '%'`, strings.Split(path, "/")[2]).Scan(&stored))
	require.Zero(t, stored, "only a hash is kept")

	_, err = b.store.UpdateAccount(t.Context(), b.account.ID, models.AccountChange{Plan: new(models.Free)})
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, b.get(other).status, "a plan without records has no calendars")
}

func TestCalendarsCountAgainstTheLimitOfTheirAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.tell("", hearing("7", 1, "09:30"))
	_, path := b.feed()
	for range 6 {
		require.Equal(t, http.StatusOK, b.get(path).status)
	}
	refused := b.get(path)
	require.Equal(t, http.StatusTooManyRequests, refused.status)
	require.Equal(t, "60", refused.head.Get("Retry-After"))
	require.Contains(t, refused.body, `"error":"rate_limited"`)
	b.now = b.now.Add(time.Minute)
	require.Equal(t, http.StatusOK, b.get(path).status)
}
