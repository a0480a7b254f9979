package siege

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
)

// shapesOfPages are the attacks of somebody who is signed in, by a program that has the cookie, and the token of a page or not.
func shapesOfPages() []shape {
	page := func(a *attacker) []string {
		a.open(a.t.Context(), a.t, a.callers[0])
		return []string{"Cookie", a.cookie, "Sec-Fetch-Site", "same-origin", "Rollcall-Page", a.token}
	}
	return []shape{
		{"a session without the token of its page (M5)", 24, func(a *attacker) step {
			return a.graph(func(w, i int) string {
				return document(fmt.Sprintf(`{courts(limit:200,offset:%d){records{people{confidence}}}}`, w*100+i), nil)
			}, "Cookie", a.cookie)
		}},
		{"the costliest lists by a page", 24, func(a *attacker) step {
			return a.graph(func(w, i int) string {
				return document(fmt.Sprintf(`{courts(limit:200,offset:%d){total records{caseNumber hearings{date} people{reasons rosterRecord{id name courts{confidence}}}}}}`, w*200+i), nil)
			}, page(a)...)
		}},
		{"previews by a page", 24, func(a *attacker) step {
			return a.graph(func(w, i int) string {
				return document(`query($n: String!){previewAlert(name:$n, level:WIDE){people year{byName byVariant}}}`, map[string]any{"n": "WREN " + strings.ToUpper(letters(w*1000 + i)[:1]) + "SAIL"})
			}, page(a)...)
		}},
		{"searches and records as pages", 24, func(a *attacker) step {
			return a.get(func(w, i int) string {
				if w%2 == 0 {
					return "/roster/" + a.target.booking(i%a.target.records)
				}
				return "/search?name=" + url.QueryEscape(letters(w*1000+i))
			}, "Cookie", a.cookie, "Accept", "text/html")
		}},
		{"dry runs of 50,000 names by the page", 6, func(a *attacker) step {
			var b bytes.Buffer
			form := multipart.NewWriter(&b)
			file, err := form.CreateFormFile("file", "names.csv")
			if err == nil {
				_, err = io.WriteString(file, list(50_000, 0))
			}
			if err != nil || form.Close() != nil {
				panic("a buffer takes everything")
			}
			return a.post("/alerts/import", once(a, func(int) string { return b.String() }), "Cookie", a.cookie, "Sec-Fetch-Site", "same-origin", "Content-Type", form.FormDataContentType())
		}},
		{"exports", 24, func(a *attacker) step {
			return a.get(func(w, _ int) string { return []string{"/alerts/export.csv", "/alerts/hits.csv"}[w%2] }, "Cookie", a.cookie)
		}},
	}
}

// shapesOfAnybody are the attacks of who has no key.
func shapesOfAnybody() []shape {
	anybody := []string{"Accept", "*/*"}
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	return []shape{
		{"requests without a key", 64, func(a *attacker) step { return a.get(func(int, int) string { return "/v1/roster" }, anybody...) }},
		{"invented keys, from 250 addresses", 250, func(a *attacker) step {
			return func(ctx context.Context, w, _ int) string {
				status, _, err := a.callers[w].send(ctx, http.MethodGet, "/v1/roster", "", "Authorization", "Bearer "+auth.NewKey().Reveal())
				return word(status, err)
			}
		}},
		{"invented keys, from one address", 250, func(a *attacker) step {
			return func(ctx context.Context, _, _ int) string {
				status, _, err := a.callers[0].send(ctx, http.MethodGet, "/v1/roster", "", "Authorization", "Bearer "+auth.NewKey().Reveal())
				return word(status, err)
			}
		}},
		{"invented cookies on /graphql, from 250 addresses (M6)", 250, func(a *attacker) step {
			return func(ctx context.Context, w, _ int) string {
				status, _, err := a.callers[w].send(ctx, http.MethodPost, "/graphql", `{"query":"{counties{name}}"}`, "Cookie", "rollcall_session="+rand.Text())
				return word(status, err)
			}
		}},
		{"invented cookies on pages (M6)", 64, func(a *attacker) step {
			return func(ctx context.Context, w, _ int) string {
				status, _, err := a.callers[w].send(ctx, http.MethodGet, "/search", "", "Cookie", "rollcall_session="+rand.Text())
				return word(status, err)
			}
		}},
		{"invented links of all kinds (M6)", 64, func(a *attacker) step {
			return a.get(func(w, _ int) string {
				token := rand.Text()
				return []string{"/invitation/" + token, "/reset/" + token, "/feeds/rcf_" + token + "/hearings.ics", "/feeds/rcf_" + token + "/events.atom"}[w%4]
			}, anybody...)
		}},
		{"the manual, compressed (L1)", 64, func(a *attacker) step {
			return a.get(func(w, _ int) string { return []string{"/docs", "/openapi.json", "/docs/webhooks"}[w%3] }, "Accept-Encoding", "gzip")
		}},
		{"readiness and the status page (L1)", 64, func(a *attacker) step {
			return a.get(func(w, _ int) string { return []string{"/readyz", "/status", "/status.json"}[w%3] }, anybody...)
		}},
		{"sign-ins, each at another address, from 250 networks", 250, func(a *attacker) step {
			return a.post("/sign-in", func(int, int) string { return "email=" + rand.Text() + "%40example.org&password=" + rand.Text() }, form...)
		}},
		{"passkeys begun, from 64 networks", 64, func(a *attacker) step {
			return a.post("/sign-in/passkey/begin", func(int, int) string { return "{}" }, anybody...)
		}},
		{"bodies and headers of the greatest size, without a key", 64, func(a *attacker) step {
			body, header := strings.Repeat("x", 1<<20), strings.Repeat("y", 60<<10)
			return func(ctx context.Context, w, _ int) string {
				if w%2 == 0 {
					status, _, err := a.callers[w].send(ctx, http.MethodPost, []string{"/graphql", "/sign-in"}[w/2%2], body)
					return word(status, err)
				}
				status, _, err := a.callers[w].send(ctx, http.MethodGet, "/v1/roster", "", "X-Long", header)
				return word(status, err)
			}
		}},
		{"half a head, then a byte a second", 250, func(a *attacker) step { return a.slow("GET /v1/roster HTTP/1.1\r\nHost: x\r\nX: ") }},
		{"half a body, then a byte a second", 250, func(a *attacker) step {
			return a.slow("POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\nemail=")
		}},
		{"connections that are opened and closed", 64, func(a *attacker) step {
			return func(ctx context.Context, w, _ int) string {
				c, err := a.dial(ctx, w)
				if err != nil {
					return "no connection"
				}
				_, _ = io.WriteString(c, "nonsense\r\n\r\n")
				_, _ = io.Copy(io.Discard, c)
				_ = c.Close()
				return "closed"
			}
		}},
		{"websockets that send no key", 64, func(a *attacker) step {
			require.NotEmpty(a.t, a.target.root())
			return func(ctx context.Context, w, _ int) string {
				c, res, err := websocket.Dial(ctx, a.target.root()+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}, HTTPClient: a.callers[w].http})
				if res != nil && res.Body != nil {
					defer func() { _ = res.Body.Close() }()
				}
				if err != nil {
					if res == nil {
						return "no connection"
					}
					return res.Status[:3]
				}
				context.AfterFunc(ctx, func() { _ = c.CloseNow() })
				wait(ctx, 10*time.Millisecond)
				return "open"
			}
		}},
	}
}

// dial opens a connection from the address of worker w.
func (a *attacker) dial(ctx context.Context, w int) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(w%250+1))}}
	return d.DialContext(ctx, "tcp", a.target.address)
}

// slow opens connections that say the beginning of a request and then a byte a second. Each worker holds several at once.
func (a *attacker) slow(begin string) step {
	return func(ctx context.Context, w, i int) string {
		c, err := a.dial(ctx, w)
		if err != nil {
			return "no connection"
		}
		if _, err := io.WriteString(c, begin); err != nil {
			return "cut"
		}
		context.AfterFunc(ctx, func() { _ = c.Close() })
		if i >= 4 {
			wait(ctx, time.Second)
		}
		return "open"
	}
}
