package siege

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"rollcall/bench/roster"
)

// caller sends requests from one address.
type caller struct {
	http *http.Client
	root string
}

// from returns a caller from an address of this machine.
func (s *target) from(address string) *caller {
	d := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return &caller{root: s.root(), http: &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return d.DialContext(ctx, network, s.address)
			},
			MaxIdleConnsPerHost: 64, DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       30 * time.Second,
	}}
}

// send sends a request with headers, by name and value, and reads its answer.
func (c *caller) send(ctx context.Context, method, path, body string, headers ...string) (status int, text []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, c.root+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := c.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = res.Body.Close() }()
	text, err = io.ReadAll(res.Body)
	return res.StatusCode, text, err
}

// every is the time between two requests of the client.
const every = 50 * time.Millisecond

// client is who asks for little, of each kind of answer: lists, records, GraphQL, watchers, pages and the probe of a load
// balancer. Whatever others do, it is answered, and soon.
type client struct {
	*party
	caller *caller
	target *target
	asked  int
}

// outcome is what became of a client's requests.
type outcome struct {
	mu       sync.Mutex
	took     []time.Duration
	slowest  string
	failures []string
}

// quantile returns a quantile of the times, or 0 if there are none.
func (o *outcome) quantile(q float64) time.Duration {
	if len(o.took) == 0 {
		return 0
	}
	return o.took[min(int(q*float64(len(o.took))), len(o.took)-1)]
}

// ask sends requests until ctx ends, one after the other at even times, whether the ones before are answered or not. It
// returns when all are answered.
func (c *client) ask(ctx context.Context) *outcome {
	o := &outcome{}
	var wg sync.WaitGroup
	tick := time.NewTicker(every)
	defer tick.Stop()
	var worst time.Duration
	for more := true; more; {
		i := c.asked
		c.asked++
		wg.Go(func() {
			at := time.Now()
			what, err := c.one(context.WithoutCancel(ctx), i)
			took := time.Since(at)
			o.mu.Lock()
			defer o.mu.Unlock()
			o.took = append(o.took, took)
			if took > worst {
				worst, o.slowest = took, what
			}
			if err != nil {
				o.failures = append(o.failures, fmt.Sprintf("%s: %v", what, err))
			}
		})
		select {
		case <-tick.C:
			more = ctx.Err() == nil
		case <-ctx.Done():
			more = false
		}
	}
	wg.Wait()
	slices.Sort(o.took)
	return o
}

// one makes request i. It returns what it asked for.
func (c *client) one(ctx context.Context, i int) (what string, err error) {
	person := i * 7919 % c.target.records
	last, first, _ := roster.Person(person)
	key := []string{"Authorization", "Bearer " + c.key}
	page := []string{"Cookie", c.cookie, "Sec-Fetch-Site", "same-origin", "Rollcall-Page", c.token}
	const linked = `{"query":"{roster(limit:10,offset:%d){total records{id name courts{confidence case{caseNumber hearings{date}}} gdcMatch{gdcId}}}}"}`
	switch i % 10 {
	case 0:
		return "list", c.answered(ctx, http.StatusOK, `"total"`, http.MethodGet, "/v1/roster?limit=20&name="+url.QueryEscape(last), "", key)
	case 1:
		id := c.target.booking(person)
		return "record", c.answered(ctx, http.StatusOK, id, http.MethodGet, "/v1/roster/"+id, "", key)
	case 2:
		return "GraphQL", c.answered(ctx, http.StatusOK, `"records":[{`, http.MethodPost, "/graphql", fmt.Sprintf(linked, person%(c.target.records-10)), key)
	case 3:
		return "courts", c.answered(ctx, http.StatusOK, `"total"`, http.MethodGet, fmt.Sprint("/v1/courts?county=fulton&limit=50&offset=", person%(c.target.records/2)), "", key)
	case 4:
		return "alerts", c.answered(ctx, http.StatusOK, `"total"`, http.MethodGet, "/v1/alerts?limit=20", "", key)
	case 5:
		return "new alert", c.answered(ctx, http.StatusCreated, `"id"`, http.MethodPost, "/v1/alerts", fmt.Sprintf(`{"name":"%s %s","label":"%d"}`, first, last, i), key)
	case 6:
		return "page", c.answered(ctx, http.StatusOK, "</html>", http.MethodGet, "/alerts", "", page[:2])
	case 7:
		return "GraphQL of a page", c.answered(ctx, http.StatusOK, `"records":[{`, http.MethodPost, "/graphql", fmt.Sprintf(linked, (person+5)%(c.target.records-10)), page)
	case 8:
		id := c.target.offender(person / 4 * 4)
		return "corrections", c.answered(ctx, http.StatusOK, id, http.MethodGet, "/v1/corrections/"+id, "", key)
	}
	return "readyz", c.answered(ctx, http.StatusOK, "ok", http.MethodGet, "/readyz", "", nil)
}

// answered makes a request and reports an answer of another status, or without a text.
func (c *client) answered(ctx context.Context, want int, part, method, path, body string, headers []string) error {
	status, text, err := c.caller.send(ctx, method, path, body, headers...)
	if err == nil && (status != want || !bytes.Contains(text, []byte(part))) {
		err = fmt.Errorf("%d %s", status, text[:min(len(text), 300)])
	}
	return err
}

// document is the body of a GraphQL request.
func document(query string, variables map[string]any) string {
	b, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return string(b)
}
