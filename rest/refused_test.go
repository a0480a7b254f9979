package rest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAReplayThatIsNotMeantIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	for body, says := range map[string]string{
		`{"dry_run": null}`:                  "dry_run must be true or false",
		`{"states": ["pending"]}`:            "states must be delivered or dropped",
		`{"states": ["dropped", "failed"]}`:  "states must be delivered or dropped",
		`{"states": []}`:                     "at least one",
		`{"states": ["lost"]}`:               "states must be",
		`{"dry_run": "\ud83d"}`:              "no character",
		`{"states": ["FAILED"], "from": ""}`: "from must be",
	} {
		a := b.send(t, http.MethodPost, "/webhooks/wh_2/replay", body)
		require.Contains(t, a.message(t, http.StatusBadRequest, models.CodeInvalidRequest), says, body)
	}
	require.JSONEq(t, `{"count": 1}`, b.send(t, http.MethodPost, "/webhooks/wh_2/replay", `{"dry_run": true}`).body, "nothing was sent meanwhile")
}

func TestANameThatFitsNobodyOrEverybodyIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range []string{"Jr", "J.", "J K", "Sr. III", `J\u200bK`, "J/K"} {
		for _, path := range []string{"/alerts", "/alerts/preview"} {
			a := b.send(t, http.MethodPost, path, `{"name": "`+name+`"}`)
			require.Contains(t, a.message(t, http.StatusBadRequest, models.CodeInvalidRequest), "write the full name", name)
		}
	}
	for _, name := range []string{`Jane \ud83d`, `\udc00Jane Doe`} {
		a := b.send(t, http.MethodPost, "/alerts", `{"name": "`+name+`"}`)
		require.Contains(t, a.message(t, http.StatusBadRequest, models.CodeInvalidRequest), "no character", name)
	}
	require.Zero(t, b.get(t, "/alerts").total(t))
	require.Equal(t, http.StatusCreated, b.send(t, http.MethodPost, "/alerts", `{"name": "J Li", "note": "\ud83d\ude00"}`).status)
}
