package graph_test

import (
	"encoding/json"
	"log/slog"
	"net/mail"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"rollcall/internal/mailbox"
	"rollcall/internal/signedlink"
	"rollcall/models"
	sender "rollcall/notifier/mail"
)

// withMail serves the room with mails that end in a box.
func withMail(t *testing.T, o mailbox.Options) (*bundle, *mailbox.Box) {
	t.Helper()
	box, err := mailbox.Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, box.Close()) })
	server, err := sender.ParseServer(box.URL())
	require.NoError(t, err)
	links, err := signedlink.New(make([]byte, 32), "https://records.example")
	require.NoError(t, err)
	b := setup(t, nil)
	b.mails = &sender.Mailer{Server: server, From: &mail.Address{Address: "alerts@example.org"}, Links: links, Log: slog.New(slog.DiscardHandler)}
	return setupOn(t, b), box
}

// endpoint adds an address and returns its id.
func (b *bundle) endpoint(t *testing.T, address string) string {
	t.Helper()
	var made struct {
		CreateEmailEndpoint struct {
			Endpoint struct{ ID string }
			Problem  *string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.data(t, `mutation($a: String!) { createEmailEndpoint(input: {address: $a, events: [BOOKING], digest: HOURLY}) { endpoint { id } problem } }`,
		map[string]any{"a": address})), &made))
	require.Nil(t, made.CreateEmailEndpoint.Problem)
	return made.CreateEmailEndpoint.Endpoint.ID
}

func TestAnEmailEndpointIsMadeConfirmedChangedAndDeleted(t *testing.T) {
	t.Parallel()
	b, box := withMail(t, mailbox.Options{})
	const whole = `{ address events notices digest paused status disabledReason confirmedAt failingSince bounces backlog { waiting delayed } createdAt }`
	id := b.endpoint(t, "Ann@Example.org")
	require.Equal(t, "Ann@example.org", box.Mails()[0].To)
	require.Contains(t, box.Mails()[0].Text, "News Desk wants rollcall")
	require.JSONEq(t, `{"emailEndpoints":[{"address":"Ann@example.org","events":["BOOKING"],"notices":["retraction","source_stale","sealed"],"digest":"HOURLY","paused":false,
		"status":"disabled","disabledReason":"the address is not confirmed yet: its owner follows the link in the mail that was sent to it","confirmedAt":null,
		"failingSince":null,"bounces":0,"backlog":{"waiting":0,"delayed":0},"createdAt":"2026-03-10T15:00:00Z"}],"webhooks":[]}`,
		b.data(t, `{ emailEndpoints `+whole+` webhooks { id } }`, nil), "a list of webhooks has webhooks only")
	require.Equal(t, "CONFLICT", b.post(t, `mutation($id: ID!) { testEmailEndpoint(id: $id) { id } }`, map[string]any{"id": id}).code(t), "nothing is sent before")
	require.Equal(t, "CONFLICT", b.post(t, `mutation($id: ID!) { askEmailEndpoint(id: $id) { problem } }`, map[string]any{"id": id}).code(t), "once an hour")
	h, err := b.store.Email(t.Context(), b.mine.ID, id)
	require.NoError(t, err)
	_, err = b.store.ConfirmEmail(t.Context(), id, h.URL, h.CreatedAt)
	require.NoError(t, err)

	vars := map[string]any{"id": id}
	require.JSONEq(t, `{"updateEmailEndpoint":{"paused":true,"status":"active","digest":"HOURLY"}}`, b.data(t, `mutation($id: ID!) { updateEmailEndpoint(id: $id, input: {paused: true}) { paused status digest } }`, vars))
	require.JSONEq(t, `{"updateEmailEndpoint":{"paused":false,"digest":"DAILY","notices":["sealed"],"confirmedAt":"2026-03-10T15:00:00Z"}}`,
		b.data(t, `mutation($id: ID!) { updateEmailEndpoint(id: $id, input: {paused: false, digest: DAILY, notices: ["sealed"]}) { paused digest notices confirmedAt } }`, vars))
	var test struct {
		TestEmailEndpoint struct {
			ID            string
			EmailEndpoint struct{ Address string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.data(t, `mutation($id: ID!) { testEmailEndpoint(id: $id) { id emailEndpoint { address } } }`, vars)), &test))
	require.Equal(t, "Ann@example.org", test.TestEmailEndpoint.EmailEndpoint.Address)
	require.JSONEq(t, `{"deliveries":{"total":1,"deliveries":[{"id":"`+test.TestEmailEndpoint.ID+`","state":"PENDING","webhook":{"id":"`+id+`"}}]}}`,
		b.data(t, `query($id: ID!) { deliveries(filter: {webhookId: $id}) { total deliveries { id state webhook { id } } } }`, vars))

	_, err = b.db.Pool.Exec(t.Context(), `update deliveries set state = 'dropped', reason = 'bounced', next_attempt = null`)
	require.NoError(t, err)
	require.JSONEq(t, `{"redeliver":{"state":"PENDING"}}`, b.data(t, `mutation($id: ID!) { redeliver(deliveryId: $id) { state } }`, map[string]any{"id": test.TestEmailEndpoint.ID}))
	_, err = b.db.Pool.Exec(t.Context(), `update deliveries set state = 'dropped', reason = 'paused', next_attempt = null`)
	require.NoError(t, err)
	require.JSONEq(t, `{"replayDeliveries":{"count":1}}`, b.data(t, `mutation($id: ID!) { replayDeliveries(input: {webhookId: $id, dryRun: true}) { count } }`, vars))

	require.JSONEq(t, `{"deleteEmailEndpoint":"`+id+`"}`, b.data(t, `mutation($id: ID!) { deleteEmailEndpoint(id: $id) }`, vars))
	require.JSONEq(t, `{"emailEndpoints":[],"emailEndpoint":null}`, b.data(t, `query($id: ID!) { emailEndpoints { id } emailEndpoint(id: $id) { id } }`, vars))
	deeds, err := b.store.AccountEvents(t.Context(), b.mine.ID, 0, 20)
	require.NoError(t, err)
	var did []string
	for _, d := range deeds {
		did = append(did, d.Action)
	}
	for _, want := range []string{"e-mail endpoint added", "e-mail endpoint paused", "e-mail endpoint changed", "e-mail endpoint tested", "e-mail endpoint deleted", "delivery sent again"} {
		require.Contains(t, did, want)
	}
}

func TestAnEmailEndpointIsMadeOnceAndForItsAccountOnly(t *testing.T) {
	t.Parallel()
	b, box := withMail(t, mailbox.Options{})
	body := `{"query":"mutation { createEmailEndpoint(input: {address: \"ann@example.org\", events: [BOOKING]}) { endpoint { id } } }"}`
	first := b.send(t, request{once: []string{"k1"}, body: body})
	require.Empty(t, first.Errors, first.body)
	require.Equal(t, first.body, b.send(t, request{once: []string{"k1"}, body: body}).body)
	require.Len(t, box.Mails(), 1)
	for _, bad := range []string{"ann", "ann@example.org\r\nBcc: x@example.org"} {
		require.Equal(t, "INVALID_PARAMETER", b.post(t, `mutation($a: String!) { createEmailEndpoint(input: {address: $a, events: [BOOKING]}) { problem } }`, map[string]any{"a": bad}).code(t))
	}
	var made struct {
		CreateEmailEndpoint struct{ Endpoint struct{ ID string } }
	}
	require.NoError(t, json.Unmarshal(first.Data, &made))
	vars := map[string]any{"id": made.CreateEmailEndpoint.Endpoint.ID}
	mine := b.mine
	b.mine = b.newAccount(t, "other@example.org", models.Enterprise)
	require.JSONEq(t, `{"emailEndpoints":[],"emailEndpoint":null,"atomSubscriptions":[]}`, b.data(t, `query($id: ID!) { emailEndpoints { id } emailEndpoint(id: $id) { id } atomSubscriptions { id } }`, vars))
	for _, m := range []string{
		`deleteEmailEndpoint(id: $id)`, `updateEmailEndpoint(id: $id, input: {paused: true}) { id }`, `testEmailEndpoint(id: $id) { id }`, `askEmailEndpoint(id: $id) { problem }`,
	} {
		require.Equal(t, "NOT_FOUND", b.post(t, `mutation($id: ID!) { `+m+` }`, vars).code(t), m)
	}
	b.mine = b.newAccount(t, "small@example.org", models.Pro)
	for _, q := range []string{`{ emailEndpoints { id } }`, `{ atomSubscriptions { id } }`, `mutation { createAtomSubscription { url } }`, `mutation { createEmailEndpoint(input: {address: "x@example.org", events: [BOOKING]}) { problem } }`} {
		require.Equal(t, "FORBIDDEN", b.post(t, q, nil).code(t), q)
	}
	b.mine = mine
}

func TestAnAddressThatCannotBeAskedStaysAndSaysWhy(t *testing.T) {
	t.Parallel()
	b, _ := withMail(t, mailbox.Options{Rcpt: func(string) error {
		return &smtp.SMTPError{Code: 450, EnhancedCode: smtp.EnhancedCode{4, 2, 0}, Message: "greylisted"}
	}})
	answer := b.data(t, `mutation { createEmailEndpoint(input: {address: "ann@example.org", events: [BOOKING]}) { endpoint { status } problem } }`, nil)
	require.Contains(t, answer, `"status":"disabled"`)
	require.Contains(t, answer, "the confirmation was not sent")

	none := setup(t, nil)
	a := none.post(t, `mutation { createEmailEndpoint(input: {address: "ann@example.org", events: [BOOKING]}) { problem } }`, nil)
	require.Equal(t, "CONFLICT", a.code(t))
	require.Contains(t, a.body, "ROLLCALL_SMTP_URL")
}

func TestAnAtomSubscriptionIsMadeListedAndRevoked(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	var made struct {
		CreateAtomSubscription struct {
			Subscription struct{ ID, Label string }
			URL          string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.data(t, `mutation { createAtomSubscription(label: "reader") { subscription { id label } url } }`, nil)), &made))
	id := made.CreateAtomSubscription.Subscription.ID
	require.True(t, strings.HasPrefix(made.CreateAtomSubscription.URL, "https://records.example/feeds/rcf_"))
	require.True(t, strings.HasSuffix(made.CreateAtomSubscription.URL, "/events.atom"))
	require.JSONEq(t, `{"atomSubscriptions":[{"id":"`+id+`","label":"reader","revokedAt":null}]}`, b.data(t, `{ atomSubscriptions { id label revokedAt } }`, nil))
	require.JSONEq(t, `{"revokeAtomSubscription":"`+id+`"}`, b.data(t, `mutation($id: ID!) { revokeAtomSubscription(id: $id) }`, map[string]any{"id": id}))
	require.JSONEq(t, `{"atomSubscriptions":[{"revokedAt":"2026-03-10T15:00:00Z"}]}`, b.data(t, `{ atomSubscriptions { revokedAt } }`, nil))
	require.Equal(t, "NOT_FOUND", b.post(t, `mutation { revokeAtomSubscription(id: "atom_none") }`, nil).code(t))
}
