package notifier

import (
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/rest/resttest"
)

// What arrives over the wire is what the section webhooks of openapi.json describes, headers and body.
func TestEachDeliveryIsAsOpenAPIDescribes(t *testing.T) {
	t.Parallel()
	released := happened(models.EventRelease)
	released.Record.ReleaseDate, released.Record.Status = new(moment), models.Released
	bare := happened(models.EventBooking)
	bare.Record.Charges, bare.Record.BondCents = nil, nil
	event := func(e Event, version int) Delivery {
		body, err := e.Body(version)
		require.NoError(t, err)
		return Delivery{Body: body, Match: e.Match}
	}
	notice := func(body []byte, err error) Delivery {
		require.NoError(t, err)
		return Delivery{Body: body}
	}
	trial := event(TestEvent("evt_test", moment), PayloadV1)
	trial.Test = true
	trial2 := event(TestEvent("evt_test", moment), PayloadV2)
	trial2.Test = true
	cases := map[string]Delivery{
		"a booking":                      event(happened(models.EventBooking), PayloadV1),
		"a booking without charges":      event(bare, PayloadV1),
		"a release":                      event(released, PayloadV1),
		"a changed bond":                 event(happened(models.EventBondChange), PayloadV1),
		"a booking in version 2":         event(happened(models.EventBooking), PayloadV2),
		"a booking without charges in 2": event(bare, PayloadV2),
		"a release in version 2":         event(released, PayloadV2),
		"a changed bond in version 2":    event(happened(models.EventBondChange), PayloadV2),
		"a retraction":                   event(happened(models.EventRetraction), PayloadV2),
		"a record to delete":             notice(WithheldBody("evt_1", "alrt_1", moment, "ben-hill-2026-000123")),
		"a jail that cannot be seen":     notice(Staleness{Source: "Jail", Counties: []string{"Ben Hill"}, LastSuccess: new(moment), Watchers: 3}.Body("evt_1", models.EventSourceStale, moment)),
		"a source that was never read":   notice(Staleness{Source: "State"}.Body("evt_1", models.EventSourceStale, moment)),
		"a jail that can be seen again":  notice(Staleness{Source: "Jail"}.Body("evt_1", models.EventSourceRecovered, moment)),
		"a test delivery":                trial,
		"a test delivery in version 2":   trial2,
	}
	b := setup(t)
	b.keys.Next = NewSecret()
	var arrived atomic.Int64
	server := b.serve(t, false, func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = resttest.CheckEvent(r.Context(), r.Header, body)
		}
		if err != nil {
			t.Errorf("%v\n%s\n%v", err, body, r.Header)
		}
		arrived.Add(1)
	})
	for name, d := range cases {
		d.URL, d.EventID, d.Keys = server.URL, "evt_1", b.keys
		a, err := b.Send(t.Context(), d)
		require.NoError(t, err, name)
		require.True(t, a.Delivered(), "%s: %s", name, a.Err)
	}
	require.EqualValues(t, len(cases), arrived.Load())
}

func TestWhatIsNotDescribedIsFound(t *testing.T) {
	t.Parallel()
	good, err := happened(models.EventBooking).Body(PayloadV2)
	require.NoError(t, err)
	h := http.Header{"Content-Type": {"application/json"}}
	Keyring{Current: NewSecret()}.Sign(h, "evt_1", moment, good)
	require.NoError(t, resttest.CheckEvent(t.Context(), h, good))
	for name, body := range map[string]string{
		"a member too much":              `{"more":1,` + string(good[1:]),
		"a member too much in version 1": `{"more":1,"event":"booking","alert_id":"a","timestamp":"2026-03-08T06:30:00Z","record":{}}`,
		"a kind that nobody knows":       `{"event":"arrest"}`,
		"a record without a name":        `{"event":"booking","alert_id":"a","timestamp":"2026-03-08T06:30:00Z","record":{"id":"x"}}`,
		"a sealed record with a name":    `{"version":2,"id":"e","event":"sealed","alert_id":"a","timestamp":"2026-03-08T06:30:00Z","record":{"id":"x","name":"DOE"}}`,
	} {
		require.Error(t, resttest.CheckEvent(t.Context(), h, []byte(body)), name)
	}
	h.Del(HeaderSignature)
	require.Error(t, resttest.CheckEvent(t.Context(), h, good), "without its signature")
}
