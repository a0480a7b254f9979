package walk

import (
	"encoding/json"

	"github.com/stretchr/testify/require"
)

// ask asks /graphql as the page's reader, and decodes the data into to.
func (b *tab) ask(query string, to any) {
	b.t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	require.NoError(b.t, err)
	quoted, err := json.Marshal(string(body))
	require.NoError(b.t, err)
	answer := eval[string](b, `fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: `+string(quoted)+`}).then(r => r.json()).then(r => JSON.stringify(r.data))`)
	require.NoError(b.t, json.Unmarshal([]byte(answer), to), answer)
}

// alertPages are the pages of alerts and webhooks by the name of their picture. Those of one hit, alert or delivery are left
// out while there is none.
func alertPages(b *tab) map[string]string {
	pages := map[string]string{
		"inbox": "/inbox", "alerts": "/alerts", "alert-new": "/alerts/new", "alert-preview": "/alerts/new?name=James+Smith&county=houston", "activity": "/activity", "deliveries": "/deliveries", "deliveries-none": "/deliveries?state=DROPPED&from=2020-01-01&to=2020-01-02",
		"webhooks": "/settings/webhooks", "secret": "/settings/webhooks/secret", "alert-missing": "/alerts/alrt_none", "delivery-missing": "/deliveries/dlv_none",
	}
	var found struct {
		Alerts struct {
			Alerts []struct {
				ID       string
				HitCount int
			}
		}
		Deliveries struct{ Deliveries []struct{ ID string } }
		Webhooks   []struct{ ID string }
	}
	b.ask(`{ alerts(limit: 200) { alerts { id hitCount } } deliveries(limit: 1) { deliveries { id } } webhooks { id } }`, &found)
	for _, a := range found.Alerts.Alerts {
		if a.HitCount > 0 {
			pages["alert"] = "/alerts/" + a.ID
		} else {
			pages["alert-empty"] = "/alerts/" + a.ID
		}
	}
	for _, d := range found.Deliveries.Deliveries {
		pages["delivery"] = "/deliveries/" + d.ID
	}
	for _, h := range found.Webhooks {
		pages["webhook"] = "/settings/webhooks/" + h.ID
	}
	return pages
}
