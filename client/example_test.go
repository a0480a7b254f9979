package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"rollcall/client"
)

// answers is a service that answers each path with a text, for examples without a network.
func answers(paths map[string]string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Data-As-Of", "2026-03-08T14:30:00Z")
		text, known := paths[r.Method+" "+r.URL.Path]
		if !known {
			w.Header().Set("X-Request-Id", "4f1c")
			w.WriteHeader(http.StatusNotFound)
			text = `{"error":"not_found","message":"there is no such record"}`
		}
		_, _ = w.Write([]byte(text))
	}))
}

const booking = `{"id":"ben-hill-2026-000123","name":"DOE, JANE ANN","dob":"1990-05-17","county":"Ben Hill","booking_date":"2026-03-08T01:30:00-05:00","release_date":null,"charges":["SIMPLE BATTERY - FVA"],"bond_amount":2500.5,"status":"booked","mugshot_url":null}`

func ExampleClient_AllRoster() {
	service := answers(map[string]string{"GET /v1/roster": `{"total":1,"limit":200,"offset":0,"records":[` + booking + `]}`})
	defer service.Close()

	c := client.New(service.URL+"/v1", "rc_live_...")
	for b, err := range c.AllRoster(context.Background(), client.RosterFilter{County: "ben-hill", Name: "doe, jane"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s, %s, bond $%.2f\n", b.Name, b.County, *b.Bond)
	}
	// Output: DOE, JANE ANN, Ben Hill, bond $2500.50
}

func ExampleError() {
	service := answers(nil)
	defer service.Close()

	_, err := client.New(service.URL+"/v1", "rc_live_...").Booking(context.Background(), "ben-hill-2026-999999")
	if said := (*client.Error)(nil); errors.As(err, &said) && said.Code == client.CodeNotFound {
		fmt.Println(said.Message, said.RequestID)
	}
	// Output: there is no such record 4f1c
}

func ExampleClient_FollowRoster() {
	service := answers(map[string]string{"GET /v1/roster": `{"total":1,"limit":200,"offset":0,"records":[` + booking + `]}`})
	defer service.Close()

	c := client.New(service.URL+"/v1", "rc_live_...")
	since := time.Date(2026, 3, 8, 14, 0, 0, 0, time.UTC) // the Next of the last batch that was dealt with
	for batch, err := range c.FollowRoster(context.Background(), client.RosterFilter{}, since, time.Minute) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, b := range batch.Items {
			fmt.Println("changed:", b.ID)
		}
		fmt.Println("store:", batch.Next.Format(time.RFC3339))
		break // a program goes on
	}
	// Output:
	// changed: ben-hill-2026-000123
	// store: 2026-03-08T14:30:00Z
}

func ExampleClient_CreateAlert() {
	service := answers(map[string]string{
		"POST /v1/alerts":          `{"id":"alrt_1","name":"Jane Ann Doe","county":"ben-hill","events":["booking","release"],"created_at":"2026-03-08T14:30:00Z"}`,
		"PATCH /v1/alerts/alrt_1":  `{"id":"alrt_1","name":"Jane Ann Doe","county":null,"events":["booking","release"],"created_at":"2026-03-08T14:30:00Z","label":"desk 4"}`,
		"DELETE /v1/alerts/alrt_1": ``,
	})
	defer service.Close()

	ctx := context.Background()
	c := client.New(service.URL+"/v1", "rc_live_...")
	alert, err := c.CreateAlert(ctx, client.NewAlert{Name: "Jane Ann Doe", County: "ben-hill", Events: []string{client.EventBooking, client.EventRelease}})
	if err != nil {
		fmt.Println(err)
		return
	}
	alert, err = c.ChangeAlert(ctx, alert.ID, client.AlertChange{County: client.Clear[string](), Label: client.Set("desk 4")})
	fmt.Println(alert.ID, alert.County == nil, alert.Label, err)
	fmt.Println(c.DeleteAlert(ctx, alert.ID))
	// Output:
	// alrt_1 true desk 4 <nil>
	// <nil>
}

func ExampleClient_Query() {
	service := answers(map[string]string{"POST /graphql": `{"data":{"roster":{"total":17,"records":[{"name":"DOE, JANE ANN"}]}}}`})
	defer service.Close()

	var out struct {
		Roster struct {
			Total   int
			Records []struct{ Name string }
		}
	}
	_, err := client.New(service.URL+"/v1", "rc_live_...").Query(context.Background(),
		`query($county: String) { roster(filter: {county: $county}) { total records { name } } }`, map[string]any{"county": "ben-hill"}, &out)
	fmt.Println(out.Roster.Total, out.Roster.Records[0].Name, err)
	// Output: 17 DOE, JANE ANN <nil>
}

func ExampleClient_Sync() {
	service := answers(map[string]string{"POST /graphql": `{"data":{"changes":{"changes":[{"family":"ROSTER","kind":"CHANGED","id":"fulton-2026-000123","mergedInto":null,"record":{"name":"DOE, JANE ANN"}},
		{"family":"ROSTER","kind":"GONE","id":"fulton-2026-000124","mergedInto":"fulton-2026-000123"}],"pageInfo":{"endCursor":"c2","hasNextPage":false}}}}`})
	defer service.Close()

	c := client.New(service.URL+"/v1", "rc_live_...")
	for batch, err := range c.Sync(context.Background(), client.SyncOptions{Record: "... on RosterRecord { name }"}, "c1") {
		var said *client.Error
		if errors.As(err, &said) && said.Code == client.CodeCursorExpired {
			return // forget the copy and begin with an empty cursor
		}
		for _, change := range batch.Changes {
			if change.Gone() {
				fmt.Println("forget", change.ID)
				continue
			}
			fmt.Println("keep", change.ID, string(change.Record))
		}
		fmt.Println("store", batch.Next)
		break // programs go on
	}
	// Output:
	// keep fulton-2026-000123 {"name":"DOE, JANE ANN"}
	// forget fulton-2026-000124
	// store c2
}

func ExampleVerifier_Handler() {
	v := &client.Verifier{
		Secrets: []string{"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}, // of the account settings
		Now:     func() time.Time { return time.Unix(1772951402, 0) },           // programs leave it out
	}
	receiver := httptest.NewServer(v.Handler(func(_ context.Context, e client.Event) error {
		fmt.Println(e.ID, e.Kind, e.Record.Name)
		return nil // an error is answered with 500, and the delivery comes again
	}))
	defer receiver.Close()

	body := `{"event":"booking","alert_id":"alt_4kJ9","timestamp":"2026-03-08T06:30:00Z","record":{"id":"ben-hill-2026-000123","name":"O'NEAL, JOSÉ \"PEPE\"","county":"Ben Hill","booking_date":"2026-03-08T01:30:00-05:00","charges":["THEFT BY TAKING <$500","FTA & CONTEMPT"],"bond_amount":1250.5}}`
	r, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, receiver.URL, strings.NewReader(body))
	r.Header.Set("Webhook-Id", "evt_2mXq7TfLw0Rk")
	r.Header.Set("Webhook-Timestamp", "1772951400")
	r.Header.Set("Webhook-Signature", "v1,5tC+YV9ih+YrKvFusLBf9da82mifu6RhGOVp54rOQZA=")
	res, err := receiver.Client().Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = res.Body.Close()
	fmt.Println(res.StatusCode)
	// Output:
	// evt_2mXq7TfLw0Rk booking O'NEAL, JOSÉ "PEPE"
	// 200
}
