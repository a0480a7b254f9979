package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
)

// desk makes an account with a registration, as a subscriber has one.
func (x *terminal) desk(url string) (store *store.Store, account, webhook string) {
	x.T.Helper()
	app := &service.App{Config: service.Config{DatabaseURL: x.URL, DataDir: x.Data}}
	store, done, err := app.Store(x.T.Context())
	require.NoError(x.T, err)
	x.T.Cleanup(done)
	secrets, err := app.Secrets(store)
	require.NoError(x.T, err)
	account = x.account("enterprise")
	h, err := store.CreateWebhook(x.T.Context(), account, &models.NewWebhook{URL: url, Events: models.EventKinds()},
		secrets.Seal.Seal(notifier.NewSecret(), account))
	require.NoError(x.T, err)
	return store, account, h.ID
}

func TestWebhookSecretByCommand(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	store, account, _ := x.desk("https://receiver.example.org/hook")
	first := x.Fields("webhook", "secret", "show", "--account", account, "--json")
	require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, first["secret"])
	require.Nil(t, first["next_secret"])

	said := x.OK("webhook", "secret", "rotate", "--account", account)
	require.Contains(t, said, "webhook secret rotate --finish --account "+account)
	both := x.Fields("webhook", "secret", "show", "--account", account, "--json")
	require.Equal(t, first["secret"], both["secret"], "during the overlap the old one goes on")
	require.Contains(t, said, both["next_secret"])
	code, _ := x.Run("webhook", "secret", "rotate", "--account", account)
	require.Equal(t, 1, code)
	require.Contains(t, x.Stderr, "is already in progress")

	last := x.Fields("webhook", "secret", "rotate", "--finish", "--account", account, "--json")
	require.Equal(t, both["next_secret"], last["secret"])
	require.Nil(t, last["next_secret"])
	x.OK("webhook", "secret", "rotate", "--account", account)
	require.Contains(t, x.OK("webhook", "secret", "rotate", "--cancel", "--account", account), last["secret"])
	require.Equal(t, fmt.Sprintln(last["secret"]), x.OK("webhook", "secret", "show", "--account", account))

	lines, err := store.AccountEvents(t.Context(), account, 0, 100)
	require.NoError(t, err)
	var actions []string
	for _, l := range lines {
		require.Regexp(t, `^command line, .+`, l.Actor)
		actions = append(actions, l.Action)
	}
	require.Equal(t, []string{
		"webhook secret shown", "webhook secret rotation cancelled", "webhook secret rotation started", "webhook secret rotation finished",
		"webhook secret shown", "webhook secret rotation started", "webhook secret shown",
	}, actions, "newest first, the refused one not among them")

	for _, args := range [][]string{{"show"}, {"rotate"}, {"rotate", "--finish"}} {
		code, _ = x.Run(append([]string{"webhook", "secret"}, append(args, "--account", "acct_none")...)...)
		require.Equal(t, 1, code)
		require.Contains(t, x.Stderr, "there is no account with this id; list them with: rollcall account list")
	}
	code, _ = x.Run("webhook", "secret", "show", "--account", x.account("pro"))
	require.Equal(t, 1, code)
	require.Contains(t, x.Stderr, "no webhook secret yet; it is created with the first webhook")
}

func TestDeliveriesByCommand(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	receiver := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(receiver.Close)
	_, account, webhook := x.desk(receiver.URL)
	pool, err := pgxpool.New(t.Context(), x.URL)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	_, err = pool.Exec(t.Context(), `insert into deliveries (id, account_id, webhook_id, message_id, kind, body, state, reason, attempts, failures, created_at, updated_at) values
 ('dlv_1', $1, $2, 'evt_1', 'booking', '{}', 'dropped', 'exhausted', 1, 4, '2026-03-08T06:30:00Z', '2026-03-08T06:30:00Z'),
 ('dlv_2', $1, $2, 'evt_2', 'release', '{}', 'delivered', null, 1, 0, '2026-03-09T06:30:00Z', '2026-03-09T06:30:00Z')`, account, webhook)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `insert into attempts (delivery_id, at, status, latency_ms, class, answer, error) values
 ('dlv_1', '2026-03-08T06:30:00Z', 404, 12, 'status', 'no', 'answered 404 Not Found'), ('dlv_2', '2026-03-09T06:30:00Z', 204, 7, 'delivered', '', null)`)
	require.NoError(t, err)

	said := x.OK("deliveries", "list", "--account", account)
	require.Regexp(t, `(?s)dlv_2 .*delivered .*answered 204 after 7 ms\ndlv_1 .*dropped \(exhausted\) .*answered 404 Not Found`, said)
	all := x.Items("deliveries", "list", "--account", account, "--state", "Dropped", "--to", "2026-03-09", "--json")
	require.Len(t, all, 1)
	require.Equal(t, "exhausted", all[0]["reason"])
	require.Equal(t, []any{"evt_1", "evt_1"}, []any{all[0]["event_id"], all[0]["message_id"]}, "event_id is that of /v1, here of a test delivery")
	require.Equal(t, []any{map[string]any{"at": "2026-03-08T06:30:00Z", "status": 404.0, "latency_ms": 12.0, "answer": "no", "error": "answered 404 Not Found"}}, all[0]["attempts"])

	_, err = pool.Exec(t.Context(), `insert into webhooks (id, account_id, url, events, way, status, created_at) values ('wh_mail', $1, 'mailto:ada@example.org', '{booking}', 'email', 'active', now())`, account)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `insert into deliveries (id, account_id, webhook_id, way, message_id, kind, body, state, created_at, updated_at) values ('dlv_mail', $1, 'wh_mail', 'email', 'evt_3', 'booking', '{}', 'delivered', now(), now())`, account)
	require.NoError(t, err)
	byMail := x.Items("deliveries", "list", "--account", account, "--webhook", "wh_mail", "--json")
	require.Len(t, byMail, 1, "an e-mail endpoint is one by its id too")
	require.Equal(t, "dlv_mail", byMail[0]["id"])
	code, _ := x.Run("deliveries", "list", "--account", account, "--webhook", "wh_none")
	require.Equal(t, 1, code, "an empty list would say that nothing was sent")
	require.Contains(t, x.Stderr, "the account has no endpoint wh_none, by webhook or by e-mail")

	again := x.Fields("deliveries", "replay", "--account", account, "--webhook", webhook, "--state", "dropped,delivered", "--dry-run", "--json")
	require.Equal(t, map[string]any{"count": 2.0, "dry_run": true}, again)
	require.Equal(t, "Sending again: 1 delivery.\n", x.OK("deliveries", "replay", "--account", account, "--webhook", webhook))
	require.Equal(t, "Sending again: 1 delivery.\n", x.OK("deliveries", "replay", "--account", account, "--id", "dlv_2"))
	require.Len(t, x.Items("deliveries", "list", "--account", account, "--state", "pending", "--json"), 2)
	require.Regexp(t, `(?s)ACCOUNT .*`+account+` +- +2 +0 +- +0 +20`, x.OK("deliveries", "backlog"))
	waits := x.Items("deliveries", "backlog", "--account", account, "--json")
	require.Len(t, waits, 1)
	require.Equal(t, []any{account, 0.0, 2.0, 0.0, nil}, []any{waits[0]["account_id"], waits[0]["flood_limit"], waits[0]["waiting"], waits[0]["delayed"], waits[0]["delayed_until"]})
	for _, more := range [][]string{nil, {"--dry-run"}} {
		code, _ = x.Run(append([]string{"deliveries", "replay", "--account", account, "--id", "dlv_2"}, more...)...)
		require.Equal(t, 1, code)
		require.Contains(t, x.Stderr, "still under way")
	}
	for what, args := range map[string][]string{
		"is not a time like": {"deliveries", "list", "--account", account, "--from", "yesterday"},
		"is not one of":      {"deliveries", "list", "--account", account, "--state", "lost"},
		"need no replay":     {"deliveries", "replay", "--account", account, "--webhook", webhook, "--state", "pending"},
		"no account":         {"deliveries", "backlog", "--account", "acct_none"},
		"--id":               {"deliveries", "replay", "--account", account},
	} {
		code, _ := x.Run(args...)
		require.NotEqual(t, 0, code)
		require.Contains(t, x.Stderr, what)
	}
}
