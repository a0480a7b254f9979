package day

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/client"
	"rollcall/rest/resttest"
)

// arrived is a delivery as it came.
type arrived struct {
	header http.Header
	body   []byte
	event  client.Event
}

// TestADaysWork begins one service, and lets each client do the same day's work.
func TestADaysWork(t *testing.T) {
	t.Parallel()
	o := open(t)
	for _, step := range []struct {
		name string
		run  func(*testing.T, *office)
	}{{"Go", goDay}, {"Module", moduleDay}, {"TypeScript", typeScriptDay}, {"Samples", sampleDay}} {
		t.Run(step.name, func(t *testing.T) {
			o.t = t
			step.run(t, o)
		})
	}
}

func goDay(t *testing.T, o *office) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	account, key := o.account("gopher")
	c := client.New(o.base, key)
	c.HTTP.Transport = nosse{t, resttest.Transport(t, http.DefaultTransport)}

	t.Log("search")
	var person client.Booking
	for b, err := range c.AllRoster(ctx, client.RosterFilter{Name: "moonsail, wren", Status: client.Booked}) {
		require.NoError(t, err)
		person = b
	}
	detail, err := c.Booking(ctx, person.ID)
	require.NoError(t, err)
	require.Equal(t, "Clarke", detail.County)

	t.Log("follow changes")
	since := detail.AsOf
	require.False(t, since.IsZero())
	o.jail(2000)
	for batch, err := range c.FollowRoster(ctx, client.RosterFilter{County: "clarke"}, since, 200*time.Millisecond) {
		require.NoError(t, err)
		if bond := bondOf(batch.Items, person.ID); bond == 2000 {
			require.False(t, batch.Next.Before(since))
			break
		}
	}

	t.Log("synchronise")
	known := false
	for batch, err := range c.Sync(ctx, client.SyncOptions{Families: []string{client.FamilyRoster}, Record: "... on RosterRecord { bondAmount }", First: 1, Every: 200 * time.Millisecond}, "") {
		require.NoError(t, err)
		for _, change := range batch.Changes {
			require.False(t, change.Gone())
			known = known || change.ID == person.ID && string(change.Record) == `{"bondAmount":2500}`
		}
		if !batch.More && known {
			break
		}
		if !batch.More {
			o.jail(2500)
		}
	}

	t.Log("watch")
	alert, err := c.CreateAlert(ctx, client.NewAlert{Name: "Wren Moonsail", County: "clarke"})
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(alert.Location, "/v1/alerts/"+alert.ID), alert.Location)
	_, err = c.ChangeAlert(client.IfMatch(ctx, alert.ETag), alert.ID, client.AlertChange{Note: client.Set("mine")})
	require.NoError(t, err)
	var refused *client.Error
	_, err = c.ChangeAlert(client.IfMatch(ctx, alert.ETag), alert.ID, client.AlertChange{Note: client.Set("mine too")})
	require.ErrorAs(t, err, &refused)
	require.Equal(t, client.CodePreconditionFailed, refused.Code, "it is another by now")
	v := &client.Verifier{}
	came := make(chan arrived, 16)
	url := o.receive(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		v.Handler(func(_ context.Context, e client.Event) error {
			came <- arrived{r.Header, body, e}
			return nil
		}).ServeHTTP(w, r)
	}))
	hook, err := c.CreateWebhook(ctx, client.NewWebhook{URL: url, Events: []string{client.EventBooking, client.EventRelease, client.EventBondChange}, PayloadVersion: 2})
	require.NoError(t, err)
	first := o.text("secret", "webhook", "secret", "show", "--account", account)
	v.Secrets = []string{first}

	t.Log("receive and verify")
	_, err = c.TestWebhook(ctx, hook.ID)
	require.NoError(t, err)
	require.True(t, next(ctx, t, came).event.Test)
	o.jail(3000)
	got := next(ctx, t, came)
	require.Equal(t, client.EventBondChange, got.event.Kind)
	require.Equal(t, alert.ID, got.event.AlertID)
	require.InDelta(t, 3000, *got.event.Record.Bond, 0)
	require.NoError(t, v.VerifyService(got.header, got.body))

	t.Log("redeliver")
	again(ctx, t, c, hook.ID, got.event.ID)
	require.Equal(t, got.body, next(ctx, t, came).body, "the same bytes")

	t.Log("rotate")
	second := o.text("next_secret", "webhook", "secret", "rotate", "--account", account)
	v.Secrets = []string{first, second}
	_, err = c.TestWebhook(ctx, hook.ID)
	require.NoError(t, err)
	both := next(ctx, t, came)
	for _, secret := range v.Secrets {
		require.NoError(t, (&client.Verifier{Secrets: []string{secret}}).VerifyService(both.header, both.body), "during the overlap either is proof")
	}
	o.run("webhook", "secret", "rotate", "--finish", "--account", account)
	_, err = c.TestWebhook(ctx, hook.ID)
	require.NoError(t, err)
	ended := next(ctx, t, came)
	_, err = (&client.Verifier{Secrets: []string{first}}).Verify(ended.header, ended.body)
	require.ErrorIs(t, err, client.ErrSignature)

	t.Log("subscribe, from the event on and across a restart")
	o.jail(4000)
	bond := 4000
	for e, err := range c.AlertEvents(ctx, got.event.ID) {
		require.NoError(t, err)
		require.Equal(t, "BOND_CHANGE", e.Kind)
		require.InDelta(t, bond, *e.Facts.Bond, 0)
		if bond += 500; bond > 4500 {
			break
		}
		o.restart()
		o.jail(bond)
	}

	t.Log("tidy up")
	for hit, err := range c.Hits(ctx, alert.ID) {
		require.NoError(t, err)
		_, err = c.GiveFeedback(ctx, hit.ID, client.Feedback{Answer: "confirm"})
		require.NoError(t, err)
	}
	require.NoError(t, c.DeleteWebhook(ctx, hook.ID))
	require.NoError(t, c.DeleteAlert(ctx, alert.ID))
	_, err = c.Alert(ctx, alert.ID)
	var said *client.Error
	require.ErrorAs(t, err, &said)
	require.Equal(t, client.CodeNotFound, said.Code)
	require.NotEmpty(t, said.RequestID)
	_, err = c.Mutate(ctx, "mutation($id: ID!) { deleteAlert(id: $id) }", map[string]any{"id": alert.ID}, nil)
	require.ErrorAs(t, err, &said)
	require.Equal(t, client.CodeNotFound, said.Code, "GraphQL has the same codes")
}

// again sends the delivery of an event once more, as soon as it is delivered.
func again(ctx context.Context, t *testing.T, c *client.Client, webhook, event string) {
	t.Helper()
	require.Eventually(t, func() bool {
		for d, err := range c.Deliveries(ctx, webhook, client.DeliveryFilter{State: "delivered"}) {
			if err != nil {
				return false
			}
			if d.EventID == event {
				_, err := c.Redeliver(ctx, d.ID)
				return err == nil
			}
		}
		return false
	}, time.Minute, 100*time.Millisecond)
}

// next waits for a delivery that is verified, and compares it with openapi.json.
func next(ctx context.Context, t *testing.T, came <-chan arrived) arrived {
	t.Helper()
	select {
	case a := <-came:
		require.NoError(t, resttest.CheckEvent(ctx, a.header, a.body))
		return a
	case <-ctx.Done():
		require.Fail(t, "no delivery came")
		return arrived{}
	}
}

// bondOf returns the bond of a booking; 0: it is not there.
func bondOf(list []client.Booking, id string) float64 {
	for _, b := range list {
		if b.ID == id && b.Bond != nil {
			return *b.Bond
		}
	}
	return 0
}

// nosse checks every answer of /v1 and lets streams pass, which the check would read to their end.
type nosse struct {
	t       *testing.T
	checked http.RoundTripper
}

func (n nosse) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("Accept") == "text/event-stream" {
		return http.DefaultTransport.RoundTrip(r)
	}
	return n.checked.RoundTrip(r)
}
