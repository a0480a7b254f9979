package notifier

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// happened is an event with everything set.
func happened(kind models.EventKind) Event {
	bond := int64(125_050)
	e := Event{
		ID: "evt_2mXq7TfLw0Rk", Kind: kind, AlertID: "alt_4kJ9", At: moment,
		Record: Record{
			ID: "ben-hill-2026-000123", Name: `O'NEAL, JOSÉ "PEPE"`, County: "Ben Hill", BookingDate: moment,
			Charges: []string{"THEFT BY TAKING <$500", "FTA & CONTEMPT"}, BondCents: &bond, Status: models.Booked,
		},
		Match: &Match{Probability: 0.97125, Level: "normal", Reasons: []string{"nickname Pepe=José", "surname agrees"}},
	}
	if kind == models.EventRetraction {
		e.Retracts = &Origin{EventID: "evt_0aB3dEf5Gh7J", Kind: models.EventRelease, At: moment.Add(-24 * time.Hour)}
	}
	return e
}

// TestBodies pins every byte of what receivers get. A change here breaks them.
func TestBodies(t *testing.T) {
	t.Parallel()
	released := happened(models.EventRelease)
	gone := time.Date(2026, time.November, 1, 5, 30, 0, 0, time.UTC) // the first 01:30 of that night
	released.Record.ReleaseDate, released.Record.Status = &gone, models.Released
	bare := happened(models.EventBooking)
	bare.Record.Charges, bare.Record.BondCents, bare.Match = nil, nil, nil
	for name, c := range map[string]struct {
		event   Event
		version int
	}{
		"v1-booking":     {happened(models.EventBooking), PayloadV1},
		"v1-bare":        {bare, PayloadV1},
		"v1-release":     {released, PayloadV1},
		"v1-bond-change": {happened(models.EventBondChange), PayloadV1},
		"v1-test":        {TestEvent("evt_test", moment), PayloadV1},
		"v2-booking":     {happened(models.EventBooking), PayloadV2},
		"v2-bare":        {bare, PayloadV2},
		"v2-release":     {released, PayloadV2},
		"v2-retraction":  {happened(models.EventRetraction), PayloadV2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := c.event.Body(c.version)
			require.NoError(t, err)
			require.True(t, json.Valid(body))
			require.Equal(t, string(golden(t, "payload-"+name+".json", func() []byte { return body })), string(body))
		})
	}
}

// The contract lists these fields in this order and no other (SPEC.md, "Delivery payload").
func TestBodyV1HoldsExactlyTheFieldsOfTheContract(t *testing.T) {
	t.Parallel()
	body, err := happened(models.EventBooking).Body(PayloadV1)
	require.NoError(t, err)
	var names []string
	for _, m := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(string(body), -1) {
		names = append(names, m[1])
	}
	require.Equal(t, []string{
		"event", "alert_id", "timestamp", "record",
		"id", "name", "county", "booking_date", "charges", "bond_amount",
	}, names)
}

func TestPayloadV1HasNoRetraction(t *testing.T) {
	t.Parallel()
	_, err := happened(models.EventRetraction).Body(PayloadV1)
	require.EqualError(t, err, "payload version 1 has no event retraction")
	_, err = happened(models.EventBooking).Body(3)
	require.EqualError(t, err, "payload version 3 has no event booking")
}

func TestBondsAreExact(t *testing.T) {
	t.Parallel()
	for cents, want := range map[int64]string{
		0: "0", 1: "0.01", 10: "0.1", 99: "0.99", 100: "1", 50_000: "500", 50_050: "500.5", 125_025: "1250.25",
		9_007_199_254_740_993: "90071992547409.93", -150: "-1.5",
	} {
		e := happened(models.EventBooking)
		e.Record.BondCents = &cents
		body, err := e.Body(PayloadV1)
		require.NoError(t, err)
		require.Contains(t, string(body), `"bond_amount":`+want+`}`)
	}
}

func TestHostileNamesStayJSON(t *testing.T) {
	t.Parallel()
	e := happened(models.EventBooking)
	e.Record.Name = "\xff\x00\"</script>\u2028\r\nX-Evil: 1 " + strings.Repeat("👩‍🚒", 200)
	for _, version := range []int{PayloadV1, PayloadV2} {
		body, err := e.Body(version)
		require.NoError(t, err)
		require.NotContains(t, string(body), "\n")
		var back struct{ Record struct{ Name string } }
		require.NoError(t, json.Unmarshal(body, &back))
		require.Equal(t, strings.ToValidUTF8(e.Record.Name, "\uFFFD"), back.Record.Name)
	}
}

func TestReasonsTravelInAHeaderWhateverTheyHold(t *testing.T) {
	t.Parallel()
	m := Match{Probability: 0.97125, Level: "wide", Reasons: []string{"José ≈ Jose", "a\r\nX-Evil: 1", "👩‍🚒 \x7f\x00", `"quoted" \ back`}}
	h := http.Header{}
	m.addTo(h)
	require.Equal(t, "0.9712", h.Get(HeaderProbability))
	require.Equal(t, "wide", h.Get(HeaderLevel))
	text := h.Get(HeaderReasons)
	require.Regexp(t, `^[ -~]+$`, text)
	var back []string
	require.NoError(t, json.Unmarshal([]byte(text), &back))
	require.Equal(t, m.Reasons, back)

	long := Match{Probability: 1.5, Level: "no\r\nlevel", Reasons: []string{strings.Repeat("a", 1500), strings.Repeat("é", 400), "never"}}
	h = http.Header{}
	long.addTo(h)
	require.Equal(t, "1", h.Get(HeaderProbability))
	require.Empty(t, h.Values(HeaderLevel))
	require.NoError(t, json.Unmarshal([]byte(h.Get(HeaderReasons)), &back))
	require.Equal(t, long.Reasons[:1], back, "whole reasons only, within 2 KiB")
	require.LessOrEqual(t, len(h.Get(HeaderReasons)), maxReasonsHeader)
}
