package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"time"
)

// maxBody bounds what is read of an answer. A page of 200 records is far smaller.
const maxBody = 64 << 20

// idempotencyKey is the key of a context value.
type idempotencyKey struct{}

// Idempotent returns a context whose POSTs and mutations carry this Idempotency-Key, of 1 to 255 printable ASCII
// characters. For 24 hours the service answers a repetition with what it answered first, also to another process. Without
// it each call has a random key, which covers the repetitions of that call.
func Idempotent(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, key)
}

// matchKey is the key of a context value.
type matchKey struct{}

// IfMatch returns a context whose changes and deletions happen only if what they change is still as it was when it had this
// ETag (Meta.ETag). Otherwise nothing happens, and the error is CodePreconditionFailed. Such a change is not tried again when
// its connection breaks, because the second answer could be about the first try: read how it is now.
func IfMatch(ctx context.Context, etag string) context.Context {
	return context.WithValue(ctx, matchKey{}, etag)
}

// tagOf returns the ETag of IfMatch; empty: none.
func tagOf(ctx context.Context) string {
	tag, _ := ctx.Value(matchKey{}).(string)
	return tag
}

// request is one call, made as often as needed.
type request struct {
	method, url string
	// accept is the media type that is asked for; empty: JSON.
	accept string
	// body is JSON; nil: none.
	body []byte
	// once adds an Idempotency-Key.
	once bool
}

// answer is what came back, read to its end.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// call makes a request and decodes the answer into out, unless out is nil. Headers come back too.
func (c *Client) call(ctx context.Context, method, path string, in, out any) (http.Header, error) {
	r := request{method: method, url: c.base + path, once: method == http.MethodPost}
	if in != nil {
		var err error
		if r.body, err = json.Marshal(in); err != nil {
			return nil, fmt.Errorf("encode request: %w", err)
		}
	}
	a, err := c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	if a.status >= http.StatusMultipleChoices {
		return nil, errorOf(a)
	}
	if out == nil || len(a.body) == 0 {
		return a.header, nil
	}
	if err := json.Unmarshal(a.body, out); err != nil {
		return nil, fmt.Errorf("decode answer of %s: %w", path, err)
	}
	return a.header, nil
}

// do makes a request until it has an answer that is worth no repetition. A deletion that is tried again because the answer to
// an earlier try was lost has happened when the service answers 404.
func (c *Client) do(ctx context.Context, r request) (answer, error) {
	key := ""
	if r.once {
		if key, _ = ctx.Value(idempotencyKey{}).(string); key == "" {
			key = rand.Text()
		}
	}
	unsure := false // an earlier try may have happened
	for try := 1; ; try++ {
		a, err := c.try(ctx, r, key)
		if unsure && err == nil && r.method == http.MethodDelete && a.status == http.StatusNotFound {
			return answer{status: http.StatusNoContent, header: a.header}, nil
		}
		unsure = unsure || err != nil || a.status != http.StatusTooManyRequests
		wait := backoff(try)
		switch {
		case err != nil && ctx.Err() != nil:
			return answer{}, ctx.Err()
		case err == nil && !again(a.status):
			return a, nil
		case err == nil && retryAfter(a.header) > 0:
			wait = retryAfter(a.header)
		}
		if try >= c.Tries || wait > c.Patience || unsure && r.method == http.MethodPatch && tagOf(ctx) != "" {
			return a, err
		}
		if err := sleep(ctx, wait); err != nil {
			return answer{}, err
		}
	}
}

// try makes a request once.
func (c *Client) try(ctx context.Context, r request, key string) (answer, error) {
	req, err := c.build(ctx, r, key)
	if err != nil {
		return answer{}, err
	}
	res, err := c.HTTP.Do(req)
	if err != nil {
		return answer{}, fmt.Errorf("ask rollcall: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	return read(res)
}

// read reads an answer to its end.
func read(res *http.Response) (answer, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	if err != nil {
		return answer{}, fmt.Errorf("read answer of rollcall: %w", err)
	}
	return answer{res.StatusCode, res.Header, body}, nil
}

// build returns the request of one try.
func (c *Client) build(ctx context.Context, r request, key string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return nil, fmt.Errorf("address of rollcall: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.UserAgent)
	if r.accept != "" {
		req.Header.Set("Accept", r.accept)
	}
	if r.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	if etag := tagOf(ctx); etag != "" && (r.method == http.MethodPatch || r.method == http.MethodDelete) {
		req.Header.Set("If-Match", etag)
	}
	return req, nil
}

// again reports whether a status asks for another try.
func again(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable ||
		status == http.StatusBadGateway || status == http.StatusGatewayTimeout
}

// backoff returns how long to wait after a try without advice: half a second, doubled with each try up to half a minute,
// less up to half of it, so that many clients do not come back at once.
func backoff(try int) time.Duration {
	most := min(500*time.Millisecond<<min(try-1, 10), 30*time.Second)
	return most/2 + mathrand.N(most/2)
}

// sleep waits, or returns why ctx ended before.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
