package rest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"rollcall/internal/testdb"
	"rollcall/rest"
	"rollcall/rest/resttest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample is a little of everything; its answers are the examples of openapi.yaml.
func sample() []any {
	return []any{
		testdb.Booking{
			ID: "ben-hill-2026-000123", County: "ben-hill", Name: "DOE, JANE ANN", DOB: "1990-05-17", At: "2026-03-08T01:30:00-05:00",
			Charges: []string{"SIMPLE BATTERY - FVA", "THEFT BY TAKING (M)"}, BondCents: 250050, Photo: true, Agency: "GSP",
		},
		testdb.Booking{
			ID: "fulton-2025-004711", Name: `O'Brien-Núñez, John "Jack"`, At: "2025-11-01T22:05:00-04:00",
			Released: "2025-11-02T01:15:00-05:00", BondCents: -1,
		},
		testdb.Booking{
			ID: "fulton-2019-000042", Name: "Jane A. Doe", DOB: "1990-05-17", At: "2019-07-04T20:15:00-04:00",
			Released: "2019-07-06T09:00:00-04:00", Charges: []string{"DUI - LESS SAFE"}, BondCents: 50000,
		},
		testdb.Offender{
			GdcID: "1000412", Name: "DOE, JANE ANN", DOB: "1990-05-17", Institution: "LEE ARRENDALE STATE PRISON", Sentence: "5 years",
			Release: "2028-04-01", Projected: true,
		},
		testdb.Offender{GdcID: "1000977", Name: "ROE, RICHARD", Category: "parolee", Status: "paroled", Release: "2024-02-29", ParoleEnd: "2027-02-28"},
		testdb.Link{Booking: "ben-hill-2026-000123", Offender: "1000412", Mugshot: true},
		testdb.Link{Booking: "fulton-2019-000042", Offender: "1000412", Confidence: "medium"},
		testdb.Case{
			Number: "26-CR-0417", County: "ben-hill", Court: "superior", Defendant: "Jane Ann Doe", Offense: "BURGLARY 2ND DEGREE", Filed: "2026-03-02",
			Judge: "Hon. A. Example", HearingLink: "https://court.example/26-CR-0417",
			Hearings: []testdb.Hearing{
				{Date: "2026-03-04", Location: "Courtroom 2B"},
				{Date: "2026-04-14", Time: "09:30", Judge: "Hon. A. Example", Link: "https://court.example/j/88412"},
				{Date: "2026-04-01", Time: "10:00", Location: "Courtroom 1A", Cancelled: true},
			},
			Dispositions: []testdb.Disposition{{Date: "2026-03-04", Outcome: "Nolle prosequi, count 2"}},
		},
		testdb.Case{
			Number: "2025/W 118", Court: "warrants", Status: "warrant", Defendant: "ROE, RICHARD", Offense: "FAILURE TO APPEAR", Filed: "2025-12-19",
		},
	}
}

// golden are the bodies that are pinned, by the name of their file and of their example.
var golden = map[string]struct{ method, path, body string }{
	"rosterList":           {http.MethodGet, "/roster?limit=2", ""},
	"rosterDetail":         {http.MethodGet, "/roster/ben-hill-2026-000123", ""},
	"courtList":            {http.MethodGet, "/courts", ""},
	"courtDetail":          {http.MethodGet, "/courts/26-CR-0417", ""},
	"correctionsList":      {http.MethodGet, "/corrections", ""},
	"correctionsDetail":    {http.MethodGet, "/corrections/1000412", ""},
	"countyList":           {http.MethodGet, "/counties?limit=2&offset=8", ""},
	"sourceList":           {http.MethodGet, "/sources", ""},
	"usage":                {http.MethodGet, "/usage", ""},
	"invalidParameter":     {http.MethodGet, "/roster?county=fultn", ""},
	"notFound":             {http.MethodGet, "/roster/ben-hill-2026-999999", ""},
	"methodNotAllowed":     {http.MethodPost, "/roster", ""},
	"alertList":            {http.MethodGet, "/alerts", ""},
	"alertDetail":          {http.MethodGet, "/alerts/alrt_2", ""},
	"alertPreview":         {http.MethodPost, "/alerts/preview", `{"name": "Doe, Jane", "birth_year": 1990}`},
	"hitList":              {http.MethodGet, "/alerts/alrt_1/hits", ""},
	"hitDetail":            {http.MethodPost, "/hits/hit_2/feedback", `{"verdict": "dismiss"}`},
	"webhookList":          {http.MethodGet, "/webhooks", ""},
	"webhookDetail":        {http.MethodGet, "/webhooks/wh_1", ""},
	"deliveryList":         {http.MethodGet, "/webhooks/wh_1/deliveries", ""},
	"deliveryDetail":       {http.MethodPost, "/deliveries/dlv_3/redeliver", ""},
	"replayResult":         {http.MethodPost, "/webhooks/wh_1/replay", `{"states": ["dropped", "delivered"], "dry_run": true}`},
	"invalidRequest":       {http.MethodPost, "/alerts", `{"name": "Jane Doe", "colour": "red"}`},
	"conflict":             {http.MethodPost, "/deliveries/dlv_1/redeliver", ""},
	"preconditionFailed":   {http.MethodPatch, "/alerts/alrt_2", `{"note": "x"}`},
	"payloadTooLarge":      {http.MethodPost, "/alerts", `{"name": "` + strings.Repeat("x", 70<<10) + `"}`},
	"unsupportedMediaType": {http.MethodPost, "/alerts", "text"},
}

func TestBodiesAreExactlyTheGoldenFiles(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	_, err := b.db.Pool.Exec(t.Context(), `insert into source_counties select s.id, c.id from sources s, counties c where s.id in ('jail', 'court') and c.slug in ('ben-hill', 'fulton')`)
	require.NoError(t, err)
	b.addAlerts(t)
	for name, ask := range golden {
		t.Run(name, func(t *testing.T) {
			kind := "application/json"
			if ask.body == "text" {
				kind = "text/plain"
			}
			if ask.body == "" {
				pin(t, name, b.do(t, ask.method, ask.path).body)
				return
			}
			pin(t, name, b.request(t, ask.method, ask.path, ask.body, "Content-Type", kind, "If-Match", `"0000000000000000"`).body)
		})
	}
}

// pin compares a body, byte by byte, with its golden file, which is indented to be read.
func pin(t *testing.T, name, body string) {
	t.Helper()
	file := filepath.Join("testdata", name+".json")
	if *update {
		require.NoError(t, os.WriteFile(file, indent(t, body), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(indent(t, body)))
}

// indent keeps the order and the spelling of everything in a body.
func indent(t *testing.T, body string) []byte {
	t.Helper()
	var raw json.RawMessage
	decode(t, body, &raw)
	out, err := json.MarshalIndent(raw, "", "  ")
	require.NoError(t, err)
	return append(out, '\n')
}

func TestExamplesOfTheDescriptionAreTrueAnswers(t *testing.T) {
	t.Parallel()
	text, err := rest.OpenAPI(baseURL)
	require.NoError(t, err)
	var doc struct {
		Components struct {
			Examples map[string]struct{ Value json.RawMessage }
		}
	}
	require.NoError(t, json.Unmarshal(text, &doc))
	signed := http.Header{
		"Content-Type": {"application/json"}, "X-Service-Signature": {strings.Repeat("0", 64)},
		"Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {"1772951400"}, "Webhook-Signature": {"v1,AAAA"},
	}
	for name, example := range doc.Components.Examples {
		if bytes.Contains(example.Value, []byte(`"timestamp"`)) { // of an event: notifier compares those that it sends
			require.NoError(t, resttest.CheckEvent(t.Context(), signed, example.Value), name)
			delete(doc.Components.Examples, name)
		}
	}
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.Len(t, doc.Components.Examples, len(files))
	for _, file := range files {
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		name := filepath.Base(file[:len(file)-len(".json")])
		require.JSONEq(t, string(want), string(doc.Components.Examples[name].Value), name)
	}
}

func TestTheDescriptionIsTheSameInYAMLAndJSON(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("openapi.yaml")
	require.NoError(t, err)
	var want, have map[string]any
	require.NoError(t, yaml.Unmarshal(source, &want))
	text, err := rest.OpenAPI("/v1")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &have))
	wantJSON, err := json.Marshal(want)
	require.NoError(t, err)
	haveJSON, err := json.Marshal(have)
	require.NoError(t, err)
	require.JSONEq(t, string(wantJSON), string(haveJSON))
}
