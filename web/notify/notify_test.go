package notify_test

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/internal/service"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// site is the service's HTTP side on a database of its own, and a browser that an owner has signed in with.
type site struct {
	*testing.T
	db      *testdb.DB
	app     *service.App
	store   *store.Store
	account *models.Account
	url     string
	browser *http.Client
}

func setup(t *testing.T, set ...func(*service.Config)) *site {
	t.Helper()
	s := &site{T: t, db: testdb.New(t)}
	s.db.Add(t)
	var err error
	s.store, err = store.Open(t.Context(), s.db.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(s.store.Close)
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.url = "http://" + server.Listener.Addr().String()
	config := service.Config{BaseURL: s.url + "/v1", SecretKey: strings.Repeat("k", 40), DataDir: t.TempDir()}
	for _, f := range set {
		f(&config)
	}
	s.app = &service.App{Config: config, Stdout: io.Discard, Stderr: io.Discard, Log: service.NewLogger(io.Discard, 0)}
	api, err := service.NewAPI(t.Context(), s.app, s.store)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, api.Close(context.WithoutCancel(t.Context()))) })
	server.Config.Handler = api.Handler
	server.Start()
	t.Cleanup(server.Close)
	s.account = &models.Account{Name: "Desk", Email: "desk@example.org", Plan: models.Enterprise, RateLimit: 100}
	require.NoError(t, s.store.CreateAccount(t.Context(), s.account))
	s.signIn()
	return s
}

// signIn makes an owner of the account and opens a session in the browser.
func (s *site) signIn() {
	s.Helper()
	token := auth.NewToken()
	l := &models.SignInLink{
		SHA256: auth.HashToken(token), Kind: models.Invitation, AccountID: s.account.ID, Email: "ann@example.org", Role: models.Owner,
		CreatedBy: "test", ExpiresAt: time.Now().Add(time.Hour),
	}
	require.NoError(s, s.store.CreateSignInLink(s.Context(), l))
	u, err := s.store.AcceptInvitation(s.Context(), l.SHA256, "x")
	require.NoError(s, err)
	token = auth.NewToken()
	require.NoError(s, s.store.CreateSignInLink(s.Context(), &models.SignInLink{
		SHA256: auth.HashToken(token), Kind: models.Enter, AccountID: s.account.ID, UserID: &u.ID, Email: u.Email, Role: u.Role,
		CreatedBy: "test", ExpiresAt: time.Now().Add(time.Hour),
	}))
	jar, err := cookiejar.New(nil)
	require.NoError(s, err)
	s.browser = &http.Client{Jar: jar, Timeout: time.Minute}
	status, _ := s.get("/enter/" + token)
	require.Equal(s, http.StatusOK, status)
}

// get opens a page in the browser and follows where it leads.
func (s *site) get(path string) (status int, body string) {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), http.MethodGet, s.url+path, http.NoBody)
	require.NoError(s, err)
	return s.do(s.browser, r)
}

// post sends a form from the browser.
func (s *site) post(path string, form ...string) (status int, body string) {
	s.Helper()
	return s.postAs(s.browser, path, form...)
}

func (s *site) postAs(client *http.Client, path string, form ...string) (status int, body string) {
	s.Helper()
	values := url.Values{}
	for i := 0; i < len(form); i += 2 {
		values.Add(form[i], form[i+1])
	}
	r, err := http.NewRequestWithContext(s.Context(), http.MethodPost, s.url+path, strings.NewReader(values.Encode()))
	require.NoError(s, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.do(client, r)
}

func (s *site) do(client *http.Client, r *http.Request) (status int, body string) {
	s.Helper()
	res, err := client.Do(r)
	require.NoError(s, err)
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	require.NoError(s, err)
	return res.StatusCode, string(b)
}

func TestAnAtomSubscriptionIsMadeShownOnceAndEnded(t *testing.T) {
	t.Parallel()
	s := setup(t)
	status, body := s.get("/settings/notify")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "No subscription")
	status, body = s.post("/settings/notify/atom", "label", strings.Repeat("x", 101))
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, body, "Label must have at most 100 characters")
	status, body = s.post("/settings/notify/atom", "label", "newsroom <b>")
	require.Equal(t, http.StatusOK, status)
	address := regexp.MustCompile(regexp.QuoteMeta(s.url) + `(/feeds/rcf_\w+/events\.atom)`).FindStringSubmatch(body)
	require.NotNil(t, address, body)
	status, feed := s.get(address[1])
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, feed, "<feed xmlns")

	_, body = s.get("/settings/notify")
	require.NotContains(t, body, "rcf_", "it is shown once")
	require.Contains(t, body, "newsroom &lt;b&gt;")
	end := regexp.MustCompile(`/settings/notify/atom/atom_\w+/end`).FindString(body)
	require.NotEmpty(t, end)
	status, body = s.post(end)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "The subscription’s address was ended")
	status, _ = s.get(address[1])
	require.Equal(t, http.StatusNotFound, status)
	_, trail := s.get("/settings/trail")
	require.Contains(t, trail, "Atom subscription made")
	require.Contains(t, trail, "Atom subscription ended")
}

func TestAnAccountWithoutThePlanMakesNoFeed(t *testing.T) {
	t.Parallel()
	s := setup(t)
	_, err := s.db.Pool.Exec(t.Context(), `update accounts set plan = 'pro'`)
	require.NoError(t, err)
	status, body := s.post("/settings/notify/atom", "label", "x")
	require.Equal(t, http.StatusForbidden, status)
	require.Contains(t, body, "Enterprise plan")
	_, body = s.get("/settings/notify")
	require.NotContains(t, body, "Create subscription")
}
