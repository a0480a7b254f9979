package siege

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"rollcall/bench/roster"
)

// shapesOfKeys are the attacks of a customer with a key. A fresh one may make 100 requests at once, and then 100 a minute; what
// comes above is refused.
func shapesOfKeys() []shape {
	const linked = `records{caseNumber hearings{date time} dispositions{outcome} people{reasons confidence rosterRecord{id name charges courts{confidence}}}}`
	return []shape{
		{"names of four letters behind cursors (H1)", 12, func(a *attacker) step {
			after := a.cursor()
			return a.graph(func(w, i int) string {
				return document(`query($a: String, $n: String){roster(limit:1, after:$a, filter:{name:$n}){total records{id}}}`, map[string]any{"a": after, "n": letters(w*1000 + i)})
			})
		}},
		{"names of many words (H1)", 12, func(a *attacker) step {
			after := a.cursor()
			return a.graph(once(a, func(w int) string {
				return document(`query($a: String, $n: String){roster(limit:1, after:$a, filter:{name:$n}){total}}`, map[string]any{"a": after, "n": strings.Repeat(letters(w)+" ", 40_000)})
			}))
		}},
		{"names of four letters in each list of /v1, far behind", 24, func(a *attacker) step {
			return a.get(func(w, i int) string {
				return fmt.Sprintf("/v1/%s?limit=200&offset=%d&name=%s", []string{"roster", "courts", "corrections"}[w%3], i, url.QueryEscape(letters(w*1000+i)))
			})
		}},
		{"large answers as streams that nobody reads (H2)", 64, func(a *attacker) step {
			return a.unread(func(w, i int) string {
				return fmt.Sprintf(`{courts(limit:200,offset:%d){records{%s}}}`, w*50+i, aliases(16, `people{reasons confidence}`))
			})
		}},
		{"subscriptions that nobody reads (H2)", 64, func(a *attacker) step {
			return a.unread(func(int, int) string { return `subscription{alertEvents{id}}` })
		}},
		{"websockets with many subscriptions", 64, func(a *attacker) step { return a.sockets() }},
		{"previews of a year (M4)", 24, func(a *attacker) step {
			return a.graph(func(w, i int) string {
				last, first, _ := roster.Person(w*1000 + i)
				return document(`query($n: String!){previewAlert(name:$n, level:WIDE){people year{byName byVariant narrowings{bookings}}}}`, map[string]any{"n": first + " " + last})
			})
		}},
		{"previews of /v1 (M4)", 24, func(a *attacker) step {
			return a.post("/v1/alerts/preview", func(w, i int) string {
				last, first, _ := roster.Person(w*1000 + i)
				return fmt.Sprintf(`{"name":"%s %s","level":"wide"}`, first, last)
			})
		}},
		{"dry runs of 5,000 names", 12, func(a *attacker) step {
			return a.graph(once(a, func(w int) string {
				return document(`mutation($c: String!){importAlerts(csv:$c, dryRun:true){new folded lines{byName byVariant}}}`, map[string]any{"c": list(5000, w*1000)})
			}))
		}},
		{"imports of 5,000 names, deleted again", 4, func(a *attacker) step {
			return a.graph(func(w, i int) string {
				if i%2 == 1 {
					return document(`mutation($l: String!){deleteAlerts(label:$l)}`, map[string]any{"l": fmt.Sprint("worker ", w)})
				}
				return document(`mutation($c: String!){importAlerts(csv:$c){created}}`, map[string]any{"c": "label,name" + strings.ReplaceAll("\n"+names(5000, w*5000), "\n", fmt.Sprintf("\nworker %d,", w))})
			})
		}},
		{"the costliest lists of cases", 24, func(a *attacker) step {
			return a.graph(func(w, i int) string {
				return document(fmt.Sprintf(`{courts(limit:200,offset:%d){total %s}}`, w*200+i, linked), nil)
			})
		}},
		{"as many lists as an operation takes, all alike and merged", 24, func(a *attacker) step {
			return a.graph(func(w, i int) string {
				var b strings.Builder
				for k := range 20 {
					fmt.Fprintf(&b, " l%d: roster(limit:120,offset:%d){records{id name} ...f}", k, w*100+i*3+k)
				}
				return document(`{`+b.String()+`} fragment f on RosterPage {records{county{name} courts{confidence case{caseNumber judge}} gdcMatch{gdcId}}}`, nil)
			})
		}},
		{"fragments that double, cycles, deep fields", 24, func(a *attacker) step { return a.graph(func(w, _ int) string { return twisted(w) }) }},
		{"introspection", 24, func(a *attacker) step {
			return a.graph(func(w, i int) string {
				return document(fmt.Sprintf(`{__schema{types{name fields{name args{name type{name ofType{name ofType{name}}}} type{name ofType{name ofType{name}}}}}} a: counties{n%d: name}}`, w*1000+i), nil)
			})
		}},
		{"long names in documents (L2)", 24, func(a *attacker) step {
			return a.graph(once(a, func(w int) string {
				return document(`{roster{records{`+strings.Repeat(fmt.Sprintf(" unknown%d", w)+strings.Repeat("y", 85), 900)+`}}}`, nil)
			}))
		}},
		{"bodies of a MiB", 24, func(a *attacker) step {
			return a.graph(once(a, func(w int) string {
				if w%2 == 0 {
					return `{"query":"{counties{name}}","variables":{"a":` + strings.Repeat("[", 400_000) + strings.Repeat("]", 400_000) + `}}`
				}
				return `{"query":"{counties{name} #` + strings.Repeat("x", 1_000_000) + `\n}"}`
			}))
		}},
		{"changes from the beginning and by invented cursors", 24, func(a *attacker) step {
			return a.graph(func(w, i int) string {
				if w%2 == 0 {
					return document(`query($a: String){changes(after:$a){changes{id}}}`, map[string]any{"a": fmt.Sprintf("%032d", w*1000+i)})
				}
				return document(`{changes(first:1000){changes{kind id record{... on CourtCase{people{confidence}} ... on RosterRecord{name courts{confidence}}}} pageInfo{endCursor}}}`, nil)
			})
		}},
		{"watchers made, changed and deleted", 24, func(a *attacker) step {
			return a.graph(func(w, i int) string {
				last, first, _ := roster.Person(w*1000 + i)
				return document(`mutation($i: CreateAlertInput!){`+aliases(20, `createAlert(input:$i){id hits{id}}`)+`}`, map[string]any{"i": map[string]any{"name": first + " " + last}})
			})
		}},
		{"redeliveries and replays", 24, func(a *attacker) step { return a.replays() }},
		{"far more requests than the limit", 64, func(a *attacker) step {
			return a.get(func(w, i int) string { return fmt.Sprint("/v1/roster/none-", w, "-", i) })
		}},
	}
}

// once makes the body of each worker before the attack: what an attacker works for is not to be measured.
func once(a *attacker, body func(w int) string) func(w, i int) string {
	all := make([]string, len(a.callers))
	for w := range all {
		all[w] = body(w)
	}
	return func(w, _ int) string { return all[w] }
}

// letters returns four letters that many names hold, in a different order for each number.
func letters(n int) string {
	const all = "aernoilts"
	var b strings.Builder
	for range 4 {
		b.WriteByte(all[n%len(all)])
		b.WriteByte(' ')
		n /= len(all)
	}
	return b.String()
}

// list returns a CSV of names.
func list(n, from int) string { return "name\n" + names(n, from) }

// names returns names, one a line.
func names(n, from int) string {
	var b strings.Builder
	for i := range n {
		last, first, _ := roster.Person(from + i)
		b.WriteString(first + " " + last + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// aliases returns a field n times, under as many names.
func aliases(n int, field string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " h%d: %s", i, field)
	}
	return b.String()
}

// twisted returns a document that costs a careless server much.
func twisted(w int) string {
	switch w % 3 {
	case 0:
		var b strings.Builder
		b.WriteString(`{...f0}`)
		for i := range 30 {
			fmt.Fprintf(&b, " fragment f%d on Query {...f%d ...f%d}", i, i+1, i+1)
		}
		return document(b.String()+` fragment f30 on Query {counties{name}}`, nil)
	case 1:
		return document(`{...a} fragment a on Query {...b} fragment b on Query {...a}`, nil)
	}
	return document(`{courts(limit:1){records`+strings.Repeat(`{people{case`, 6)+`{id}`+strings.Repeat(`}}`, 6)+`}}`, nil)
}

// bearer is the header of the attacker's key.
func (a *attacker) bearer() []string { return []string{"Authorization", "Bearer " + a.key} }

// word is a status, or why there is none.
func word(status int, err error) string {
	if err != nil {
		return "no answer"
	}
	return strconv.Itoa(status)
}

// graph sends documents to /graphql.
func (a *attacker) graph(body func(w, i int) string, headers ...string) step {
	return a.post("/graphql", body, headers...)
}

// post sends bodies with the attacker's key, or other headers.
func (a *attacker) post(path string, body func(w, i int) string, headers ...string) step {
	if headers == nil {
		headers = a.bearer()
	}
	return func(ctx context.Context, w, i int) string {
		status, text, err := a.callers[w].send(ctx, http.MethodPost, path, body(w, i), headers...)
		if status == http.StatusOK && bytes.HasPrefix(text, []byte(`{"errors"`)) {
			return "refused"
		}
		return word(status, err)
	}
}

// get asks for addresses with the attacker's key, or other headers.
func (a *attacker) get(path func(w, i int) string, headers ...string) step {
	if headers == nil {
		headers = a.bearer()
	}
	return func(ctx context.Context, w, i int) string {
		status, _, err := a.callers[w].send(ctx, http.MethodGet, path(w, i), "", headers...)
		return word(status, err)
	}
}

// cursor returns the cursor of a record.
func (a *attacker) cursor() string {
	a.t.Helper()
	_, text, err := a.callers[0].send(a.t.Context(), http.MethodPost, "/graphql", document(`{roster(limit:1){pageInfo{endCursor}}}`, nil), a.bearer()...)
	require.NoError(a.t, err)
	_, cursor, found := strings.Cut(string(text), `"endCursor":"`)
	require.True(a.t, found, "%s", text)
	cursor, _, _ = strings.Cut(cursor, `"`)
	return cursor
}

// unread asks for streams and reads none of them. What is open stays so until the attack ends; a stream that is refused is
// given up.
func (a *attacker) unread(query func(w, i int) string) step {
	return a.unanswered(func(w, i int) string {
		body := document(query(w, i), nil)
		return fmt.Sprintf("POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: %d\r\n\r\n%s", a.key, len(body), body)
	})
}

// unanswered sends requests and reads no more than the status of their answers.
func (a *attacker) unanswered(request func(w, i int) string) step {
	return func(ctx context.Context, w, i int) string {
		c, err := a.dial(ctx, w)
		if err != nil {
			return "no connection"
		}
		context.AfterFunc(ctx, func() { _ = c.Close() })
		if _, err = io.WriteString(c, request(w, i)); err != nil {
			return "cut"
		}
		head := make([]byte, len("HTTP/1.1 200"))
		if _, err = c.Read(head); err != nil { // no more than the status
			return "cut"
		}
		if status := string(head[len(head)-3:]); status != "200" {
			_ = c.Close()
			return status
		}
		wait(ctx, 20*time.Millisecond)
		return "open"
	}
}

// sockets opens websockets, and on each as many subscriptions as it takes.
func (a *attacker) sockets() step {
	return func(ctx context.Context, w, _ int) string {
		c, res, err := websocket.Dial(ctx, a.target.root()+"/graphql", &websocket.DialOptions{
			Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Authorization": {"Bearer " + a.key}},
		})
		if res != nil && res.Body != nil {
			defer func() { _ = res.Body.Close() }()
		}
		if err != nil {
			if res == nil {
				return "no connection"
			}
			return res.Status[:3]
		}
		defer func() { _ = c.CloseNow() }()
		if c.Write(ctx, websocket.MessageText, []byte(`{"type":"connection_init"}`)) != nil {
			return "cut"
		}
		for i := range 1000 {
			text := fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"subscription{alertEvents{id}}"}}`, i)
			if c.Write(ctx, websocket.MessageText, []byte(text)) != nil {
				return "cut"
			}
		}
		for {
			if _, _, err := c.Read(ctx); err != nil {
				return fmt.Sprint("closed ", websocket.CloseStatus(err))
			}
		}
	}
}

// replays sends test deliveries again and again, one by one and all together.
func (a *attacker) replays() step {
	a.t.Helper()
	ask := func(path, body string) string {
		_, text, err := a.callers[0].send(a.t.Context(), http.MethodPost, path, body, a.bearer()...)
		require.NoError(a.t, err)
		_, id, _ := strings.Cut(string(text), `"id":"`)
		id, _, _ = strings.Cut(id, `"`)
		require.NotEmpty(a.t, id, "%s", text)
		return id
	}
	hook := ask("/v1/webhooks", `{"url":"https://127.0.0.1:9/","events":["booking"]}`)
	sent := ask("/v1/webhooks/"+hook+"/test", "")
	return func(ctx context.Context, w, _ int) string {
		path, body := "/v1/deliveries/"+sent+"/redeliver", ""
		if w%2 == 0 {
			path, body = "/v1/webhooks/"+hook+"/replay", `{"from":"2026-01-01T00:00:00Z","states":["dropped","delivered"],"dry_run":false}`
		}
		status, _, err := a.callers[w].send(ctx, http.MethodPost, path, body, a.bearer()...)
		return word(status, err)
	}
}

// wait waits for some time, or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
